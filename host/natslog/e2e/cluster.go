package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/quarry2d/quarry/host"
	"github.com/quarry2d/quarry/host/natslog"
	"github.com/quarry2d/quarry/host/natslog/e2e/internal/node"
)

// settings of the runs.
type settings struct {
	runs, worlds, bodies, port int
	rate                       float64
	lease, snapshot            time.Duration
	before, after              time.Duration
	verbose                    bool
}

// members is the number of servers, and of hosts.
const members = 3

// cluster is a running cluster.
type cluster struct {
	*settings
	fault fault
	dir   string
	nets  [members]*network // of the hosts, if the fault needs them
	nodes [members]*process
	hosts [members]*process
	store *natslog.Store
}

// process is a child.
type process struct {
	cmd   *exec.Cmd
	ready chan struct{} // closed after its first line
	ended chan struct{}
}

// start starts this program as a child.
func (s *settings) start(args ...string) (*process, error) {
	return s.startCommand(exec.Command(os.Args[0], args...))
}

func (s *settings) startCommand(cmd *exec.Cmd) (*process, error) {
	p := &process{cmd: cmd, ready: make(chan struct{}), ended: make(chan struct{})}
	p.cmd.Stderr = os.Stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		defer close(p.ended)
		var once sync.Once
		for lines := bufio.NewScanner(out); lines.Scan(); {
			once.Do(func() { close(p.ready) })
			if s.verbose {
				fmt.Println(lines.Text())
			}
		}
		_ = p.cmd.Wait()
	}()
	return p, nil
}

func (p *process) signal(s os.Signal) { _ = p.cmd.Process.Signal(s) }

func (p *process) kill() {
	p.signal(syscall.SIGKILL)
	<-p.ended
}

// stop stops a process for a time.
func (p *process) stop(long time.Duration) {
	p.signal(syscall.SIGSTOP)
	time.Sleep(long)
	p.signal(syscall.SIGCONT)
}

// await waits for the first line of a process.
func (p *process) await() error {
	select {
	case <-p.ready:
		return nil
	case <-p.ended:
		return errors.New("a child has ended")
	case <-time.After(30 * time.Second):
		return errors.New("a child is not ready after 30 s")
	}
}

func (c *cluster) startNode(i int) {
	p, err := c.start("node", "-index", fmt.Sprint(i), "-count", fmt.Sprint(members), "-port", fmt.Sprint(c.port),
		"-dir", c.dir, "-host", c.listens())
	if err != nil {
		panic(err) // this program was started the same way
	}
	c.nodes[i] = p
}

func (c *cluster) startHost(i int) {
	servers := "127.0.0.1"
	if c.nets[i] != nil {
		servers = c.nets[i].near
	}
	args := []string{
		os.Args[0], "host", "-name", string(rune('a' + i)), "-nats",
		strings.Join(node.URLs(servers, c.port, members), ","), "-lease", c.lease.String(), "-snapshot",
		c.snapshot.String(), "-bodies", fmt.Sprint(c.bodies),
	}
	if c.nets[i] != nil {
		args = append([]string{"ip", "netns", "exec", c.nets[i].name}, args...)
	}
	p, err := c.startCommand(exec.Command(args[0], args[1:]...))
	if err != nil {
		panic(err)
	}
	c.hosts[i] = p
}

// listens returns the address on which the servers listen.
func (c *cluster) listens() string {
	if c.fault.net {
		return "0.0.0.0"
	}
	return "127.0.0.1"
}

// disk returns the folder of a server.
func (c *cluster) disk(i int) string { return filepath.Join(c.dir, fmt.Sprint("n", i)) }

// prepare makes the networks and disks that the fault needs.
func (c *cluster) prepare() (err error) {
	if c.fault.disks {
		if err := c.mount(); err != nil {
			return err
		}
	}
	for i := range c.nets {
		if c.fault.net && err == nil {
			c.nets[i], err = newNetwork(i)
		}
	}
	return err
}

// newCluster starts the servers, makes the worlds, and starts the hosts.
func newCluster(s *settings, f fault) (c *cluster, err error) {
	c = &cluster{settings: s, fault: f}
	if c.dir, err = os.MkdirTemp("", "quarry-e2e"); err != nil {
		return nil, err
	}
	if err := c.prepare(); err != nil {
		return c, err
	}
	for i := range c.nodes {
		c.startNode(i)
	}
	for _, n := range c.nodes {
		if err := n.await(); err != nil {
			return c, err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for { // until the servers have found each other
		one, stop := context.WithTimeout(ctx, 10*time.Second)
		c.store, err = natslog.Connect(one, natslog.Config{URLs: urls(c.port, members), Name: "judge", Logs: 4})
		stop()
		if err == nil {
			break
		}
		if ctx.Err() != nil {
			return c, err
		}
		time.Sleep(200 * time.Millisecond)
	}
	for i := range c.worlds {
		if err := host.Create(ctx, c.store, c.store.Leases(), world(i), sceneName, 2000); err != nil {
			return c, err
		}
	}
	for i := range c.hosts {
		c.startHost(i)
	}
	return c, nil
}

func world(i int) string { return fmt.Sprintf("w%d", i) }

// leader returns the index of the server that leads the leases.
func (c *cluster) leader() int {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	name, err := c.store.Leader(ctx)
	i := 0
	if _, bad := fmt.Sscanf(name, "n%d", &i); err != nil || bad != nil || i >= members {
		return 0
	}
	return i
}

// end ends all processes.
func (c *cluster) end() {
	if c.store != nil {
		c.store.Close()
	}
	for _, list := range [][members]*process{c.hosts, c.nodes} {
		for _, p := range list {
			if p != nil {
				p.signal(syscall.SIGCONT)
				p.kill()
			}
		}
	}
	for i, n := range c.nets {
		if n != nil {
			n.remove()
		}
		if c.fault.disks {
			unmount(c.disk(i))
		}
	}
	_ = os.RemoveAll(c.dir) // in the folder for temporary files
}

// urls returns the addresses of servers on this machine.
func urls(port, count int) []string { return node.URLs("127.0.0.1", port, count) }
