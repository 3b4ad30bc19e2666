// Command quarry-nats runs the NATS servers of a cluster in one process, for development: they listen on this machine
// alone, without passwords. It prints the command that starts a member of the cluster.
//
//	go run ./cmd/quarry-nats                three servers; their data are removed at the end
//	go run ./cmd/quarry-nats -dir nats      and kept in a folder
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/quarry2d/quarry/host/natslog"
	"github.com/quarry2d/quarry/host/natslog/e2e/internal/node"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "quarry-nats:", err)
		os.Exit(1)
	}
}

// run runs the servers until ctx ends.
func run(ctx context.Context, args []string, out io.Writer) error {
	n := node.Node{}
	f := flag.NewFlagSet("quarry-nats", flag.ContinueOnError)
	f.IntVar(&n.Count, "servers", 3, "number of servers: 1, 3 or 5")
	f.IntVar(&n.Port, "port", 4222, "port of the first server; the others follow; they talk on ports 100 above")
	f.StringVar(&n.Dir, "dir", "", "folder of the data; without it they are removed at the end")
	f.BoolVar(&n.Sync, "sync", false, "flush each write to the disk before it is acknowledged")
	if err := f.Parse(args); err != nil {
		return err
	}
	if n.Count < 1 || n.Count > 5 || n.Count%2 == 0 || n.Port < 1 || n.Port > 65_000 || f.NArg() > 0 {
		return errors.New("-servers must be 1, 3 or 5, -port 1 to 65000, and there are no other arguments")
	}
	if n.Dir == "" {
		dir, err := os.MkdirTemp("", "quarry-nats")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		n.Dir = dir
	}
	servers, err := start(n)
	defer end(servers)
	if err != nil {
		return err
	}
	urls := node.URLs("127.0.0.1", n.Port, n.Count)
	if err := await(ctx, urls, n.Count); err != nil {
		return err
	}
	fmt.Fprintf(out, "ready; start members, each with its own --name and --addr:\n"+
		"  quarry serve --nats %s --replicas %d --name a --addr 127.0.0.1:8080\n", strings.Join(urls, ","), n.Count)
	<-ctx.Done()
	return nil
}

// start starts the servers, which wait for each other. It returns those that it has started.
func start(n node.Node) (list []*server.Server, err error) {
	for i := range n.Count {
		n.Index = i
		s, err := n.Start()
		if err != nil {
			return list, err
		}
		list = append(list, s)
	}
	return list, nil
}

// await waits until the servers accept streams, and creates the streams of the worlds.
func await(ctx context.Context, urls []string, replicas int) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		one, stop := context.WithTimeout(ctx, 10*time.Second)
		s, err := natslog.Connect(one, natslog.Config{URLs: urls, Name: "quarry-nats", Replicas: replicas})
		stop()
		if err == nil {
			s.Close()
			return nil
		}
		if ctx.Err() != nil {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func end(list []*server.Server) {
	for _, s := range list {
		s.Shutdown()
	}
	for _, s := range list {
		s.WaitForShutdown()
	}
}
