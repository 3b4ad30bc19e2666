package main

import (
	"syscall"
	"time"
)

// fault is what happens in a run.
type fault struct {
	name string
	do   func(c *cluster)
}

var faults = []fault{
	{"none", func(*cluster) {}},
	{"kill-host", func(c *cluster) { c.hosts[0].kill() }},
	{"kill-two-hosts", func(c *cluster) { c.hosts[0].kill(); c.hosts[1].kill() }},
	{"stop-host-half-a-lease", func(c *cluster) { c.hosts[0].stop(c.lease / 2) }},
	{"stop-host-a-lease", func(c *cluster) { c.hosts[0].stop(c.lease) }},
	{"stop-host-3-leases", func(c *cluster) { c.hosts[0].stop(3 * c.lease) }},
	{"drain-host", func(c *cluster) { c.hosts[0].signal(syscall.SIGTERM) }},
	{"drain-and-return", func(c *cluster) {
		c.hosts[0].signal(syscall.SIGTERM)
		<-c.hosts[0].ended
		c.startHost(0)
	}},
	{"kill-node", func(c *cluster) { c.nodes[c.leader()].kill() }},
	{"stop-node", func(c *cluster) { c.nodes[c.leader()].stop(3 * c.lease) }},
	{"kill-all-nodes", func(c *cluster) {
		for _, n := range c.nodes {
			n.kill()
		}
		time.Sleep(time.Second)
		for i := range c.nodes {
			c.startNode(i)
		}
	}},
}
