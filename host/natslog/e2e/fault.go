package main

import (
	"syscall"
	"time"
)

// fault is what happens in a run.
type fault struct {
	name  string
	do    func(c *cluster)
	net   bool // each host has a network of its own
	disks bool // each server has a small disk of its own
}

// cutTime is the time for which a host is cut off.
const cutTime = 10 * time.Second

// cut cuts the first host off.
func cut(deaf, mute bool) func(c *cluster) {
	return func(c *cluster) {
		c.nets[0].cut(deaf, mute)
		time.Sleep(cutTime)
		c.nets[0].heal()
	}
}

// can returns why a fault cannot be made on this machine, or nil.
func (f fault) can() error {
	if f.net || f.disks {
		return canSplit()
	}
	return nil
}

var faults = []fault{
	{name: "none", do: func(*cluster) {}},
	{name: "kill-host", do: func(c *cluster) { c.hosts[0].kill() }},
	{name: "kill-two-hosts", do: func(c *cluster) { c.hosts[0].kill(); c.hosts[1].kill() }},
	{name: "stop-host-half-a-lease", do: func(c *cluster) { c.hosts[0].stop(c.lease / 2) }},
	{name: "stop-host-a-lease", do: func(c *cluster) { c.hosts[0].stop(c.lease) }},
	{name: "stop-host-3-leases", do: func(c *cluster) { c.hosts[0].stop(3 * c.lease) }},
	{name: "drain-host", do: func(c *cluster) { c.hosts[0].signal(syscall.SIGTERM) }},
	{name: "drain-and-return", do: func(c *cluster) {
		c.hosts[0].signal(syscall.SIGTERM)
		<-c.hosts[0].ended
		c.startHost(0)
	}},
	{name: "kill-node", do: func(c *cluster) { c.nodes[c.leader()].kill() }},
	{name: "stop-node", do: func(c *cluster) { c.nodes[c.leader()].stop(3 * c.lease) }},
	{name: "kill-all-nodes", do: func(c *cluster) {
		for _, n := range c.nodes {
			n.kill()
		}
		time.Sleep(time.Second)
		for i := range c.nodes {
			c.startNode(i)
		}
	}},
	{name: "torn-node", do: func(c *cluster) {
		i := c.leader()
		c.nodes[i].kill()
		tear(c.disk(i))
		c.startNode(i)
	}},
	{name: "full-disk-node", disks: true, do: func(c *cluster) {
		i := c.leader()
		empty := c.fill(i)
		time.Sleep(cutTime)
		c.nodes[i].kill() // a server whose disk was full keeps streams again only after a start
		empty()
		c.startNode(i)
	}},
	{name: "full-disks", disks: true, do: func(c *cluster) {
		var empty []func()
		for i := range c.nodes {
			empty = append(empty, c.fill(i))
		}
		time.Sleep(cutTime)
		for i, f := range empty {
			c.nodes[i].kill()
			f()
			c.startNode(i)
		}
	}},
	{name: "cut-host", net: true, do: cut(true, true)},
	{name: "deaf-host", net: true, do: cut(true, false)},
	{name: "mute-host", net: true, do: cut(false, true)},
}
