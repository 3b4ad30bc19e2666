package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// network puts a host into a network of its own (a Linux network namespace), which can be cut off from the servers.
type network struct {
	name       string // of the namespace, and of the device on this side
	near, far  string // addresses: of this side, and of the host's
	deaf, mute bool
}

// canSplit returns why networks cannot be made, or nil.
func canSplit() error {
	if os.Geteuid() != 0 {
		return errors.New("only root can make a network")
	}
	if _, err := exec.LookPath("ip"); err != nil {
		return err
	}
	n := network{name: fmt.Sprintf("qx%d", os.Getpid()%100_000)}
	defer n.remove()
	return ip("netns", "add", n.name)
}

func ip(args ...string) error {
	if out, err := exec.Command("ip", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("ip %s: %w: %s", strings.Join(args, " "), err, out)
	}
	return nil
}

// newNetwork makes the network of host i.
func newNetwork(i int) (*network, error) {
	n := &network{
		name: fmt.Sprintf("q%d.%d", os.Getpid()%100_000, i), near: fmt.Sprintf("10.213.%d.1", i),
		far: fmt.Sprintf("10.213.%d.2", i),
	}
	for _, args := range [][]string{
		{"netns", "add", n.name},
		{"link", "add", n.name, "type", "veth", "peer", "name", "far", "netns", n.name},
		{"address", "add", n.near + "/30", "dev", n.name},
		{"link", "set", n.name, "up"},
		{"-n", n.name, "address", "add", n.far + "/30", "dev", "far"},
		{"-n", n.name, "link", "set", "far", "up"},
		{"-n", n.name, "link", "set", "lo", "up"},
	} {
		if err := ip(args...); err != nil {
			n.remove()
			return nil, err
		}
	}
	return n, nil
}

func (n *network) remove() { _ = ip("netns", "delete", n.name) } // its devices go with it

// cut drops what goes to the host (deaf) and what comes from it (mute).
func (n *network) cut(deaf, mute bool) {
	if deaf {
		n.deaf = ip("route", "add", "blackhole", n.far+"/32") == nil
	}
	if mute {
		n.mute = ip("-n", n.name, "route", "add", "blackhole", n.near+"/32") == nil
	}
	if n.deaf != deaf || n.mute != mute {
		panic("a network cannot be cut") // canSplit has checked the rights
	}
}

// heal ends the cut.
func (n *network) heal() {
	if n.deaf {
		_ = ip("route", "delete", "blackhole", n.far+"/32")
	}
	if n.mute {
		_ = ip("-n", n.name, "route", "delete", "blackhole", n.near+"/32")
	}
	n.deaf, n.mute = false, false
}
