//go:build !js

package main

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/quarry2d/quarry/sandbox"
	"github.com/quarry2d/quarry/scene"
)

// sandboxCommand serves the sandbox.
type sandboxCommand struct {
	Addr  string `help:"Address to serve on (${default})." default:"127.0.0.1:8080" placeholder:"HOST:PORT"`
	Scene string `help:"Scene, map file or world file to start with; without it the sandbox goes on where it was (first: outpost)." placeholder:"FILE_OR_SCENE"`
	Keep  string `help:"Folder in which the world is kept; none without --keep if there is --scene (default: quarry/sandbox.world in the user's folder of settings). Worlds that get a name are beside it, in the folder worlds." placeholder:"DIR"`
	// Guests is the role of who has no token in the link.
	Guests string `help:"Role of visitors who open the plain address: own, build, play, look or none (${default}). With less than own, the program prints a link for each role above." default:"own" enum:"own,build,play,look,none"`
	source
}

// kept returns the folder in which the world is kept, "" for none.
func (c sandboxCommand) kept(s streams) string {
	if c.Keep != "" || c.Scene != "" {
		return c.Keep
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		fmt.Fprintf(s.err, "quarry: the world is not kept: %v; --keep DIR keeps it\n", err)
		return ""
	}
	return filepath.Join(dir, "quarry", "sandbox.world")
}

// Run serves until it is interrupted.
func (c sandboxCommand) Run(s streams) error {
	keep, name := c.kept(s), c.Scene
	if name == "" {
		name = "outpost"
	}
	first, err := c.open(name, s)
	if err != nil {
		return err
	}
	scenes := scene.All()
	if _, ok := scene.Get(first.Name); !ok {
		scenes = append(scenes, first) // a file
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	log := func(line string) { fmt.Fprintf(s.err, "quarry: %s\n", line) }
	config, links := sandbox.Config{Scenes: scenes, Start: first.Name, Log: log, Keep: keep}, ""
	if keep != "" {
		config.Worlds = filepath.Join(filepath.Dir(keep), "worlds")
		links = filepath.Join(filepath.Dir(keep), "tokens.json")
	}
	if config.Guests, err = sandbox.ParseRole(c.Guests); err != nil {
		return err
	}
	if config.Tokens, err = tokens(links, config.Guests); err != nil {
		return err
	}
	return sandbox.New(config).ListenAndServe(ctx, c.Addr, func(addr string) {
		s.announce(addr, machineAddresses())
		s.announceRoles(config)
	})
}

// announceRoles prints for each role the query string of its link.
func (s streams) announceRoles(c sandbox.Config) {
	for r := range c.Guests {
		for token, of := range c.Tokens {
			if of == r {
				fmt.Fprintf(s.out, "quarry: to %s, open the address with /?token=%s\n", r, token)
			}
		}
	}
}

// announce prints the addresses at which a browser reaches a sandbox that listens on addr. machine
// are the addresses of this machine.
func (s streams) announce(addr string, machine []netip.Addr) {
	at, err := netip.ParseAddrPort(addr)
	if err != nil || at.Addr().IsLoopback() {
		fmt.Fprintf(s.out, "quarry: the sandbox is at http://%s (Ctrl-C ends it)\n", addr)
		return
	}
	if at.Addr().IsUnspecified() {
		// A browser cannot open 0.0.0.0 or [::].
		fmt.Fprintf(s.out, "quarry: the sandbox is at http://%s (Ctrl-C ends it)\n",
			netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), at.Port()))
		for _, a := range machine {
			if !a.IsLoopback() && !a.IsLinkLocalUnicast() && (a.Is4() || !at.Addr().Is4()) {
				fmt.Fprintf(s.out, "quarry: for other machines it is at http://%s\n", netip.AddrPortFrom(a, at.Port()))
			}
		}
	} else {
		fmt.Fprintf(s.out, "quarry: the sandbox is at http://%s (Ctrl-C ends it)\n", addr)
	}
	fmt.Fprintf(s.err, "quarry: warning: %s is open to the network: anyone who reaches this machine can change the "+
		"world without a password; use --addr 127.0.0.1:%d to serve this machine only\n", addr, at.Port())
}

// machineAddresses returns the addresses of this machine's network interfaces.
func machineAddresses() (list []netip.Addr) {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return nil
	}
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok {
			if ip, ok := netip.AddrFromSlice(n.IP); ok {
				list = append(list, ip.Unmap())
			}
		}
	}
	return list
}
