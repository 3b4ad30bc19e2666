package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/quarry2d/quarry/host/natslog/e2e/internal/node"
)

// member is a quarry serve of a cluster.
type member struct {
	cmd  *exec.Cmd
	addr string
}

func startMember(t *testing.T, program string, server int, name string, args ...string) *member {
	t.Helper()
	m := &member{addr: fmt.Sprintf("127.0.0.1:%d", free(t))}
	m.cmd = exec.Command(program, append([]string{
		"serve", "--nats", urls(server, 1)[0], "--addr", m.addr, "--name", name, "--replicas", "1", "--lease", "600ms",
	}, args...)...)
	m.cmd.Stderr = os.Stderr
	if err := m.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.cmd.Process.Kill() })
	return m
}

// get returns the body of a page, "" after an error.
func (m *member) get(path string) string {
	r, err := http.Get("http://" + m.addr + path)
	if err != nil {
		return ""
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		return ""
	}
	return string(b)
}

// bodies connects to a world, calls do, and returns when a frame has at least so many bodies.
func (m *member) bodies(ctx context.Context, world string, least uint32, do func(*websocket.Conn) error) (uint32,
	error,
) {
	conn, _, err := websocket.Dial(ctx, "ws://"+m.addr+"/w/"+world, nil)
	if err != nil {
		return 0, err
	}
	defer conn.CloseNow()
	conn.SetReadLimit(1 << 26)
	if err := do(conn); err != nil {
		return 0, err
	}
	for {
		_, b, err := conn.Read(ctx)
		if err != nil {
			return 0, err
		}
		if b[0] != 7 { // FRAME, see sandbox/protocol.go
			continue
		}
		if n := binary.LittleEndian.Uint32(b[36:]); n >= least {
			return n, nil
		}
		ack := fmt.Sprintf(`{"do":"ack","seq":%d}`, binary.LittleEndian.Uint32(b[4:]))
		if err := conn.Write(ctx, websocket.MessageText, []byte(ack)); err != nil {
			return 0, err
		}
	}
}

func nothing(*websocket.Conn) error { return nil }

// quarry load makes worlds, gives them inputs, and has an answer to each.
func testLoad(t *testing.T, program string, server int) {
	t.Helper()
	out, err := exec.Command(program, "load", "--nats", urls(server, 1)[0], "--worlds", "2", "--clients", "6",
		"--rate", "10",
		"--time", "3s").CombinedOutput()
	answered := 0
	_, text, _ := strings.Cut(string(out), "3s: ")
	if _, bad := fmt.Sscanf(text, "%d inputs were answered, 0 were not", &answered); err != nil || bad != nil ||
		answered < 20 {
		t.Errorf("%v, %v\n%s", err, bad, out)
	}
}

// until calls f until it returns true.
func until(t *testing.T, what string, f func() bool) {
	t.Helper()
	for end := time.Now().Add(40 * time.Second); !f(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("waiting for ", what)
		}
	}
}

// A gateway brings players to the owner of their world, and to the next one when that is killed or drains; what they
// saw is still there.
func TestServe(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program; -short")
	}
	program := filepath.Join(t.TempDir(), "quarry")
	build := exec.Command("go", "build", "-o", program, "./cmd/quarry")
	build.Dir = "../../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	port := free(t)
	s, err := node.Node{Count: 1, Port: port, Dir: t.TempDir()}.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Shutdown()
	keys := filepath.Join(t.TempDir(), "keys")
	token := func(world, role string) string {
		out, err := exec.Command(program, "token", world, "--role", role, "--keys", keys).Output()
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	builds := token("w", "build")
	gate := startMember(t, program, port, "gate", "--role", "gateway", "--world", "w=tiles_flat", "--keys", keys)
	second := startMember(t, program, port, "second", "--role", "gateway", "--keys", keys)
	hosts := []*member{
		startMember(t, program, port, "a", "--role", "host", "--keys", keys),
		startMember(t, program, port, "b", "--role", "host", "--keys", keys),
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	runs := func(m *member) bool { return strings.Contains(m.get("/metrics"), "\nquarry_worlds 1\n") }
	owner := func() (m *member) {
		until(t, "an owner", func() bool {
			for _, h := range hosts {
				if h != nil && runs(h) {
					m = h
				}
			}
			return m != nil
		})
		return m
	}
	until(t, "the list", func() bool { return strings.Contains(gate.get("/"), `href="w/w/"`) })
	if !strings.Contains(gate.get("/w/w/"), "page.js") || gate.get("/readyz") == "" || hosts[0].get("/w/w/") != "" ||
		runs(gate) {
		t.Error("the page of the gateway, or of a host")
	}
	n := uint32(0)
	seen := func(least uint32, do func(*websocket.Conn) error) {
		t.Helper()
		until(t, fmt.Sprint(least, " bodies"), func() bool {
			one, stop := context.WithTimeout(ctx, 5*time.Second)
			defer stop()
			got, err := gate.bodies(one, "w/ws?token="+builds, least, do)
			n = max(n, got)
			return err == nil
		})
	}
	owner()
	seen(1, nothing)
	testGoOn(t, gate, token("w", "own"))
	for round := range 2 {
		before := n
		seen(before+1, func(c *websocket.Conn) error {
			add := fmt.Sprintf(`{"do":"add","kind":"circle","x":%d,"y":40,"size":0.5}`, 3*round)
			return c.Write(ctx, websocket.MessageText, []byte(add))
		})
		m := owner()
		if round == 0 {
			m.cmd.Process.Kill()
		} else {
			hosts = append(hosts, startMember(t, program, port, "c", "--role", "host", "--keys", keys))
			until(t, "the third host", func() bool { return hosts[2].get("/readyz") != "" })
			if err := m.cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
		}
		if err := m.cmd.Wait(); (err == nil) != (round == 1) {
			t.Errorf("round %d: %v", round, err)
		}
		for i := range hosts {
			if hosts[i] == m {
				hosts[i] = nil
			}
		}
		owner()
		seen(n, nothing)
	}
	testAccess(t, second, hosts, token("v", "own"))
	gate.cmd.Process.Kill() // the player goes on by way of the other gateway, as the page does when it connects again
	gate = second
	seen(n, nothing)
	before := n
	seen(before+1, func(c *websocket.Conn) error {
		return c.Write(ctx, websocket.MessageText, []byte(`{"do":"add","kind":"circle","x":9,"y":40,"size":0.5}`))
	})
	testLoad(t, program, port)
}

// testGoOn keeps a world of 2,000 bodies, whose state takes a record of two parts, and goes on with it.
func testGoOn(t *testing.T, gate *member, token string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, "ws://"+gate.addr+"/w/w/ws?token="+token, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	conn.SetReadLimit(1 << 26)
	hellos := 0
	hello := func() {
		for {
			_, b, err := conn.Read(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if b[0] == 1 { // HELLO, see sandbox/protocol.go
				hellos++
				return
			}
		}
	}
	hello()
	for _, do := range []string{"keep", "open"} {
		if err := conn.Write(ctx, websocket.MessageText, fmt.Appendf(nil, `{"do":%q,"name":"k"}`, do)); err != nil {
			t.Fatal(err)
		}
		if do == "keep" {
			until(t, "it is kept", func() bool { return strings.Contains(gate.get("/w/w/worlds"), `"k"`) })
		}
	}
	if hello(); hellos != 2 {
		t.Errorf("%d hellos", hellos)
	}
}

// testAccess: a gateway shows a world to guests, lets them change nothing, and refuses tokens of other worlds; hosts
// let in nobody who comes by no gateway.
func testAccess(t *testing.T, gate *member, hosts []*member, other string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	_, r, err := websocket.Dial(ctx, "ws://"+gate.addr+"/w/w/ws?token="+other, nil)
	if err == nil || r == nil || r.StatusCode != http.StatusForbidden {
		t.Errorf("a token of another world: %v", err)
	}
	for _, h := range hosts {
		if h == nil {
			continue
		}
		_, r, err := websocket.Dial(ctx, "ws://"+h.addr+"/w/w/ws", nil)
		if err == nil || r == nil || r.StatusCode != http.StatusForbidden {
			t.Errorf("by way of no gateway: %v", err)
		}
	}
	conn, _, err := websocket.Dial(ctx, "ws://"+gate.addr+"/w/w/ws", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	conn.SetReadLimit(1 << 26)
	add := []byte(`{"do":"add","kind":"circle","x":1,"y":40,"size":0.5}`)
	if err := conn.Write(ctx, websocket.MessageText, add); err != nil {
		t.Fatal(err)
	}
	for {
		_, b, err := conn.Read(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(b), "your link lets you look only") {
			return
		}
	}
}
