//go:build !js

package main

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/quarry2d/quarry/sandbox"
)

func TestTakenPort(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip("cannot listen here: ", err)
	}
	defer l.Close()
	status, _, errs := command("--addr", l.Addr().String())
	if status != 1 || !strings.Contains(errs, l.Addr().String()) || !strings.Contains(errs, "--addr") {
		t.Errorf("status %d, said %q", status, errs)
	}
}

// For an address for all networks the program prints addresses that a browser can open, and
// a warning.
func TestAnnounce(t *testing.T) {
	machine := []netip.Addr{
		netip.MustParseAddr("127.0.0.1"), netip.MustParseAddr("192.0.2.7"),
		netip.MustParseAddr("fe80::1"), netip.MustParseAddr("2001:db8::7"),
	}
	for _, c := range []struct {
		addr string
		want []string
		open bool
	}{
		{"127.0.0.1:8080", []string{"http://127.0.0.1:8080 "}, false},
		{"[::1]:8080", []string{"http://[::1]:8080 "}, false},
		{"0.0.0.0:81", []string{"http://127.0.0.1:81 ", "http://192.0.2.7:81"}, true},
		{"[::]:81", []string{"http://127.0.0.1:81 ", "http://192.0.2.7:81", "http://[2001:db8::7]:81"}, true},
		{"192.0.2.7:81", []string{"http://192.0.2.7:81 "}, true},
	} {
		var out, errs strings.Builder
		streams{&out, &errs}.announce(c.addr, machine)
		if n := strings.Count(out.String(), "http://"); n != len(c.want) {
			t.Errorf("%s: %q, want %d addresses", c.addr, out.String(), len(c.want))
		}
		for _, w := range c.want {
			if !strings.Contains(out.String(), w) {
				t.Errorf("%s: %q does not tell %s", c.addr, out.String(), w)
			}
		}
		if got := strings.Contains(errs.String(), "warning: "+c.addr+" is open to the network"); got != c.open {
			t.Errorf("%s: warning %q", c.addr, errs.String())
		}
	}
}

// With guests who may not do all, the program prints a link for each role above theirs.
func TestAnnounceRoles(t *testing.T) {
	var out strings.Builder
	list, err := tokens("", sandbox.Play)
	if err != nil {
		t.Fatal(err)
	}
	c := sandbox.Config{Guests: sandbox.Play, Tokens: list}
	streams{&out, &out}.announceRoles(c)
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "quarry: to own, open") ||
		!strings.HasPrefix(lines[1], "quarry: to build, open") {
		t.Fatalf("%q", lines)
	}
	for i, line := range lines {
		_, token, _ := strings.Cut(line, "/?token=")
		if r, ok := c.Tokens[token]; !ok || r != sandbox.Role(i) || len(token) < 26 {
			t.Errorf("%q has the token of %v", line, r)
		}
	}
	if list, err := tokens("", sandbox.Own); err != nil || len(list) != 0 {
		t.Error("tokens where all may do all")
	}
}

// sandboxChild makes this test binary the program.
const sandboxChild = "QUARRY_SANDBOX_CHILD"

func TestSandboxChild(t *testing.T) {
	if addr := os.Getenv(sandboxChild); addr != "" {
		flags := []string{"--addr", addr, "--scene", "outpost"}
		if keep := os.Getenv(sandboxChild + "_KEEP"); keep != "" {
			flags = append(flags, "--keep", keep)
		}
		os.Exit(execute(flags, streams{os.Stdout, os.Stderr}))
	}
}

// SIGTERM ends the program with status 0 in less than a second, also with open connections.
// A half-sent request used to delay the end by 5 s, and the status was 1.
func TestTermination(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no SIGTERM")
	}
	// About 0.6 s; more in one of some runs where the machine is busy.
	for try := 1; ; try++ {
		took := terminate(t)
		if took <= 3*time.Second {
			return
		}
		if try == 5 {
			t.Fatalf("ended after %v, want under a second", took)
		}
	}
}

// terminate returns how long the program takes to end, with open connections, after a SIGTERM.
func terminate(t *testing.T) time.Duration {
	t.Helper()
	cmd, addr := startChild(t, filepath.Join(t.TempDir(), "world"))
	for _, half := range []string{
		"", "GET / HTTP/1.1\r\nHost: localhost\r\nX-Half",
		"GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: " +
			"13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n\x81",
	} {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := c.Write([]byte(half)); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(200 * time.Millisecond)
	began := time.Now()
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	err := cmd.Wait()
	took := time.Since(began)
	t.Logf("ended after %v: %v", took, cmd.ProcessState)
	if err != nil {
		t.Fatalf("ended after %v with %v, want status 0", took, err)
	}
	return took
}

// startChild starts the program as a child that keeps its world in a folder, or nowhere, and returns its address.
func startChild(t *testing.T, keep string) (cmd *exec.Cmd, addr string) {
	t.Helper()
	cmd = exec.Command(os.Args[0], "-test.run=^TestSandboxChild$")
	cmd.Env = append(os.Environ(), sandboxChild+"=127.0.0.1:0", sandboxChild+"_KEEP="+keep)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	var text string
	for !strings.Contains(text, "(Ctrl-C") {
		b := make([]byte, 1024)
		n, err := out.Read(b)
		if text += string(b[:n]); err != nil {
			t.Fatalf("%q, %v", text, err)
		}
	}
	if _, err := fmt.Sscanf(text[strings.Index(text, "http://"):], "http://%s", &addr); err != nil {
		t.Fatal(err)
	}
	return cmd, addr
}

// A sandbox that is killed goes on where it was, by a log that quarry verify replays. (TestKilledInAStroke of package
// sandbox counts what clients have seen.)
func TestKilledSandboxGoesOn(t *testing.T) {
	keep, last := filepath.Join(t.TempDir(), "world"), 0
	for range 3 {
		cmd, _ := startChild(t, keep)
		time.Sleep(2500 * time.Millisecond) // the world moves, so it has a record each second
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		cmd.Wait()
		status, out, errs := command("verify", "sandbox", "--data", keep)
		var records, inputs, owners, steps int
		_, err := fmt.Sscanf(out, "sandbox: %d records, %d inputs, %d owners, %d steps", &records, &inputs, &owners,
			&steps)
		if status != 0 || err != nil || steps < last+30 {
			t.Fatalf("status %d, %q, %q, %v; the log ended at step %d", status, out, errs, err, last)
		}
		last = steps
	}
}

// With a scene and no folder to keep it in, a sandbox leaves no files, also after a kill.
func TestSandboxThatKeepsNothing(t *testing.T) {
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "TMPDIR"} {
		t.Setenv(name, t.TempDir())
	}
	cmd, addr := startChild(t, "")
	r, err := http.Get("http://" + addr + "/world")
	if err != nil || r.StatusCode != http.StatusOK {
		t.Errorf("the world: %v, %v", r, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "TMPDIR"} {
		if list, err := os.ReadDir(os.Getenv(name)); err != nil || len(list) > 0 {
			t.Errorf("%s has %v, %v", name, list, err)
		}
	}
}
