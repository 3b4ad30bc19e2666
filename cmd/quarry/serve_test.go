//go:build unix

package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// startServe starts quarry serve and returns its address.
func startServe(t *testing.T, args ...string) (cmd *exec.Cmd, addr string) {
	t.Helper()
	cmd = program(t, append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = &testWriter{t: t}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscanf(line[strings.Index(line, "http://"):], "http://%s", &addr); err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, out)
	return cmd, addr
}

// testWriter writes to the log of a test.
type testWriter struct{ t *testing.T }

func (w *testWriter) Write(b []byte) (int, error) {
	w.t.Log(strings.TrimSpace(string(b)))
	return len(b), nil
}

// visitor is a client of a world, who knows the counts of the last frame.
type visitor struct {
	conn   *websocket.Conn
	bodies atomic.Int64 // the most that a frame had
	step   atomic.Int64 // of the last frame
	first  chan struct{}
}

// visit connects to a world, and waits for its first frame.
func visit(t *testing.T, addr, world string) *visitor {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	var conn *websocket.Conn
	var err error
	for range 100 { // the world may not run yet
		if conn, _, err = websocket.Dial(ctx, "ws://"+addr+"/w/"+world+"/ws", nil); err == nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if err != nil {
		t.Fatal(err)
	}
	conn.SetReadLimit(1 << 26)
	v := &visitor{conn: conn, first: make(chan struct{})}
	go v.read(ctx)
	select {
	case <-v.first:
	case <-ctx.Done():
		t.Fatal("no frame")
	}
	return v
}

// read reads frames until the connection ends.
func (v *visitor) read(ctx context.Context) {
	const frame, steps, bodies = 7, 8, 36 // see sandbox/protocol.go
	var once sync.Once
	for {
		_, b, err := v.conn.Read(ctx)
		if err != nil {
			return
		}
		if b[0] != frame {
			continue
		}
		v.bodies.Store(max(v.bodies.Load(), int64(binary.LittleEndian.Uint32(b[bodies:]))))
		v.step.Store(int64(math.Float64frombits(binary.LittleEndian.Uint64(b[steps:]))))
		once.Do(func() { close(v.first) })
		v.send(ctx, fmt.Sprintf(`{"do":"ack","seq":%d}`, binary.LittleEndian.Uint32(b[4:])))
	}
}

func (v *visitor) send(ctx context.Context, command string) {
	_ = v.conn.Write(ctx, websocket.MessageText, []byte(command)) // an error ends read, too
}

// verified runs quarry verify and returns its output.
func verified(t *testing.T, dir, world string) string {
	t.Helper()
	status, out, errs := result(t, program(t, "verify", world, "--data", dir))
	if status != 0 || !strings.Contains(out, "hash") {
		t.Fatalf("status %d, %q, %q", status, out, errs)
	}
	return out
}

// Whatever a client has seen is there after a kill, and the log comes to the same hashes whenever it is replayed. After
// a SIGTERM the world is kept, and no step is lost.
func TestKilledServerLosesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "worlds")
	seen := int64(0)
	for life := range 4 {
		cmd, addr := startServe(t, "--data", dir, "--history", "--world", "a=tiles_flat", "--world", "b")
		v := visit(t, addr, "a")
		if n := v.bodies.Load(); n < seen {
			t.Fatalf("life %d begins with %d bodies, and a client had seen %d", life, n, seen)
		}
		want := v.bodies.Load() + 10
		for n := 0; v.bodies.Load() < want; n++ {
			v.send(context.Background(), fmt.Sprintf(`{"do":"add","kind":"circle","x":%d,"y":%d,"size":0.5}`, n%40-20,
				10+n/40))
			time.Sleep(5 * time.Millisecond)
			if n > 3000 {
				t.Fatalf("life %d: %d bodies, want %d", life, v.bodies.Load(), want)
			}
		}
		if life < 3 {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			cmd.Wait()
			seen = v.bodies.Load()
			if out := verified(t, dir, "a"); out != verified(t, dir, "a") {
				t.Errorf("two replays differ: %s", out)
			}
			continue
		}
		step := v.step.Load()
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		steps := int64(0)
		out := verified(t, dir, "a")
		if _, err := fmt.Sscanf(out[strings.Index(out, "owners, "):], "owners, %d steps", &steps); err != nil ||
			steps < step ||
			!strings.Contains(out, " 4 owners") || strings.Contains(out, " 0 snapshots") {
			t.Errorf("a client has seen step %d; %v, %s", step, err, out)
		}
		verified(t, dir, "b")
	}
}

// A token of quarry token opens its world to its role, and a guest may look only.
func TestToken(t *testing.T) {
	dir := t.TempDir()
	keys := filepath.Join(dir, "keys")
	status, token, errs := result(t, program(t, "token", "a", "--role", "play", "--keys", keys))
	if status != 0 || !strings.HasPrefix(token, "a.play.") || !strings.Contains(errs, "new key") {
		t.Fatalf("status %d, %q, %q", status, token, errs)
	}
	_, addr := startServe(t, "--data", filepath.Join(dir, "worlds"), "--world", "a=tiles_flat", "--keys", keys)
	role := func(token string) string {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		for ctx.Err() == nil {
			conn, r, err := websocket.Dial(ctx, "ws://"+addr+"/w/a/ws?token="+token, nil)
			if err != nil {
				if r != nil && r.StatusCode == http.StatusForbidden {
					return "refused"
				}
				time.Sleep(50 * time.Millisecond) // the world may not run yet
				continue
			}
			conn.SetReadLimit(1 << 26)
			_ = conn.Write(ctx, websocket.MessageText, []byte(`{"do":"add","kind":"circle","x":1,"y":40,"size":0.5}`))
			defer conn.CloseNow()
			for {
				_, b, err := conn.Read(ctx)
				if err != nil {
					t.Fatal(err)
				}
				if _, after, ok := strings.Cut(string(b), "your link lets you "); ok {
					return strings.Fields(after)[0]
				}
			}
		}
		return "nothing"
	}
	for token, want := range map[string]string{"": "look", strings.TrimSpace(token): "play", "a.own.9": "refused"} {
		if got := role(token); got != want {
			t.Errorf("with token %q: %q, want %q", token, got, want)
		}
	}
	for _, args := range [][]string{
		{"token", "a", "--keys", keys, "--for", "-1s"},
		{"token", "a/b", "--keys", keys},
		{"serve", "--keys", filepath.Join(dir, "none")},
		{"serve", "--guests", "king"},
	} {
		if status, _, errs := result(t, program(t, args...)); status != 1 {
			t.Errorf("%q: status %d, %q", args, status, errs)
		}
	}
}

// A world that was damaged is told by name and place; one that is not there is refused; a folder has one server.
func TestServeRefuses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "worlds")
	cmd, addr := startServe(t, "--data", dir)
	visit(t, addr, "sandbox")
	for _, path := range []string{"/w/none/", "/w/none/ws", "/none"} {
		r, err := http.Get("http://" + addr + path)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode == 200 {
			t.Errorf("%s: status %d", path, r.StatusCode)
		}
	}
	r, err := http.Get("http://" + addr + "/")
	if err != nil {
		t.Fatal(err)
	}
	b, _ := io.ReadAll(r.Body)
	r.Body.Close()
	if !strings.Contains(string(b), `<a href="w/sandbox/">sandbox</a>`) {
		t.Errorf("the list: %s", b)
	}
	refused := func(want string, args ...string) {
		t.Helper()
		if status, _, errs := result(t, program(t, args...)); status != 1 || !strings.Contains(errs, want) {
			t.Errorf("%q: status %d, %q; want %q", args, status, errs, want)
		}
	}
	refused("in use", "serve", "--data", dir, "--addr", "127.0.0.1:0")
	refused("in use", "verify", "sandbox", "--data", dir)
	cmd.Process.Kill()
	cmd.Wait()
	refused("no world", "verify", "none", "--data", dir)
	refused("no scene", "serve", "--data", dir, "--world", "w=none")
	refused("letter", "serve", "--data", dir, "--world", "W")
	log := filepath.Join(dir, "sandbox", "log")
	if b, err = os.ReadFile(log); err != nil {
		t.Fatal(err)
	}
	b[30] ^= 1
	if err := os.WriteFile(log, b, 0o666); err != nil {
		t.Fatal(err)
	}
	refused("damaged: record 1 at byte 8", "verify", "sandbox", "--data", dir)
}
