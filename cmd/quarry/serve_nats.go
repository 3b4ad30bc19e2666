//go:build !js

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"github.com/quarry2d/quarry/host"
	"github.com/quarry2d/quarry/host/natslog"
)

// clusterFlags make a server a member of a cluster.
type clusterFlags struct {
	Nats         []string      `help:"Addresses of NATS servers: the worlds are kept there, and all servers with these addresses share them." placeholder:"URL"`
	NatsCreds    string        `help:"File with the credentials for the NATS servers." placeholder:"FILE"`
	NatsInsecure bool          `help:"Allow connections without TLS to NATS servers on other machines."`
	Name         string        `help:"Name of this server among the others (default: of the machine)." placeholder:"NAME"`
	Role         []string      `help:"Roles of this server: host runs worlds, gateway brings players to them (${default})." default:"host,gateway" enum:"host,gateway" placeholder:"ROLE"`
	Advertise    string        `help:"Address of this server for the other ones (default: http:// and --addr)." placeholder:"URL"`
	Lease        time.Duration `help:"Time after which the worlds of a silent server are taken over, at least 600ms (${default})." default:"2s" placeholder:"TIME"`
	Capacity     int           `help:"Greatest number of worlds on this server; 0 is any number." default:"0" placeholder:"N"`
	Replicas     int           `help:"NATS servers that keep each stream, if it is made: 1, 3 or 5 (${default})." default:"3" placeholder:"N"`
	Shards       int           `help:"Streams of logs, if they are made, 1 to 64 (${default})." default:"8" placeholder:"N"`
}

const (
	// leastLease is the shortest lease of a member: renewals take a part of it.
	leastLease = 600 * time.Millisecond
	// natsWait is the time for the NATS servers to answer at the start.
	natsWait = 30 * time.Second
)

// has reports whether the server has a role.
func (c clusterFlags) has(role string) bool {
	for _, r := range c.Role {
		if r == role {
			return true
		}
	}
	return false
}

// name returns the name of this server, by default one made of the machine's.
func (c clusterFlags) name() (string, error) {
	name := c.Name
	if name == "" {
		machine, err := os.Hostname()
		if err != nil {
			return "", fmt.Errorf("the machine has no name: %w; choose one by --name", err)
		}
		name = strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
				return r
			}
			return '_'
		}, strings.ToLower(machine))
		name = name[:min(len(name), host.MaxName)]
	}
	if err := host.CheckName(name); err != nil {
		return "", fmt.Errorf("--name: %w", err)
	}
	return name, nil
}

// address returns the address of this server for others.
func (c serveCommand) address() (string, error) {
	if c.Advertise != "" {
		return c.Advertise, nil
	}
	machine, port, err := net.SplitHostPort(c.Addr)
	if ip := net.ParseIP(machine); err != nil || port == "0" || machine == "" || ip != nil && ip.IsUnspecified() {
		return "", fmt.Errorf("--addr %s is no address for the other servers; --advertise tells one, such as "+
			"http://10.0.0.7:8080", c.Addr)
	}
	return "http://" + c.Addr, nil
}

// member serves as a member of a cluster.
func (c serveCommand) member(s streams) error {
	if c.Data != "" {
		return errors.New("--data and --nats: the worlds are kept in a folder or by the NATS servers, not by both")
	}
	if c.Lease < leastLease {
		return fmt.Errorf("--lease %v is out of range: it must be %v or more", c.Lease, leastLease)
	}
	name, err := c.name()
	if err != nil {
		return err
	}
	address, err := c.address()
	if err != nil && c.has("host") {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), natsWait)
	defer cancel()
	store, err := natslog.Connect(ctx, natslog.Config{
		URLs: c.Nats, Creds: c.NatsCreds, Insecure: c.NatsInsecure, Name: name, Lease: c.Lease, Logs: c.Shards,
		Replicas: c.Replicas,
	})
	if err != nil {
		return err
	}
	defer store.Close()
	if err := c.create(store, store.Leases(), false); err != nil {
		return err
	}
	return c.serve(host.Config{
		Name: name, Log: store, Shelf: store.Shelf, Leases: store.Leases(), Bus: store.Bus(), Lease: c.Lease,
		Capacity: c.Capacity, Address: address, Idle: !c.has("host"),
	}, s)
}
