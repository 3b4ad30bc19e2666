package main

import (
	"context"
	"io"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/quarry2d/quarry/host/natslog"
	"github.com/quarry2d/quarry/host/natslog/e2e/internal/node"
)

// port returns a port of which those after it, and 100 above, are free in all likelihood.
func port(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return 20000 + l.Addr().(*net.TCPAddr).Port%9000
}

// Three servers accept hosts. A record that was appended is still there after they have been started again.
func TestCluster(t *testing.T) {
	dir, first := t.TempDir(), port(t)
	for life := range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		in, out := io.Pipe()
		ran := make(chan error, 1)
		go func() { ran <- run(ctx, []string{"-dir", dir, "-port", strconv.Itoa(first)}, out); out.Close() }()
		text := make([]byte, 1000)
		n, err := in.Read(text)
		if err != nil || !strings.Contains(string(text[:n]), node.URLs("127.0.0.1", first, 3)[2]) {
			t.Fatalf("%q, %v, %v", text[:n], err, <-ran)
		}
		go io.Copy(io.Discard, in)
		c, stop := context.WithTimeout(ctx, 30*time.Second)
		s, err := natslog.Connect(c, natslog.Config{URLs: node.URLs("127.0.0.1", first, 3)[2:]})
		if err != nil {
			t.Fatal(err)
		}
		records := 0
		err = s.Read(c, "w", 0, func(uint64, []byte) error { records++; return nil })
		if records != life || err != nil {
			t.Errorf("life %d: %d records, %v", life, records, err)
		}
		if life == 0 {
			if _, err := s.Append(c, "w", 0, []byte("a record")); err != nil {
				t.Error(err)
			}
		}
		stop()
		s.Close()
		cancel()
		if err := <-ran; err != nil {
			t.Error(err)
		}
	}
}

// Arguments out of range are refused.
func TestArguments(t *testing.T) {
	for _, args := range [][]string{{"-servers", "2"}, {"-port", "0"}, {"-port", "65535"}, {"-none"}, {"more"}} {
		if err := run(t.Context(), args, io.Discard); err == nil {
			t.Errorf("%q was accepted", args)
		}
	}
}
