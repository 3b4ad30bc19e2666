//go:build !js

package main

import (
	"net"
	"strings"
	"testing"
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
