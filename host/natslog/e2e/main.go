package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/quarry2d/quarry/host"
	"github.com/quarry2d/quarry/host/natslog"
	"github.com/quarry2d/quarry/host/natslog/e2e/internal/node"
)

// The command starts three servers, three hosts and players of many worlds as processes of this machine, lets a fault
// happen, and compares all that players saw with an undisturbed replay of the logs:
//
//	go run . -runs 20                 all faults, 20 times each, as a table
//	go run . -faults kill-host -v     one of them, with the events of the hosts
//	go run . node ...                 one server of a cluster, for development
func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) > 0 {
		switch args[0] {
		case "node":
			return runNode(args[1:])
		case "host":
			return runHost(args[1:])
		}
	}
	s := settings{}
	f := flag.NewFlagSet("e2e", flag.ContinueOnError)
	f.IntVar(&s.runs, "runs", 1, "runs of each fault")
	f.IntVar(&s.worlds, "worlds", 50, "number of worlds")
	f.IntVar(&s.bodies, "bodies", 100, "bodies of a world")
	f.Float64Var(&s.rate, "rate", 3, "inputs a second and world")
	f.DurationVar(&s.lease, "lease", 2*time.Second, "lease of a host")
	f.DurationVar(&s.snapshot, "snapshot", 5*time.Second, "time between snapshots")
	f.DurationVar(&s.before, "before", 8*time.Second, "time of a run before the fault")
	f.DurationVar(&s.after, "after", 12*time.Second, "time of a run after the fault")
	list := f.String("faults", strings.Join(names(), ","), "faults, separated by commas")
	f.IntVar(&s.port, "port", 14220, "first port of the servers")
	f.BoolVar(&s.verbose, "v", false, "print the events of the hosts")
	if err := f.Parse(args); err != nil {
		return err
	}
	return s.table(strings.Split(*list, ","))
}

// untilSignal returns a context that ends at a SIGTERM or an interrupt.
func untilSignal() (context.Context, context.CancelFunc) {
	return signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
}

// runNode runs a server until it is told to end.
func runNode(args []string) error {
	n := node.Node{}
	f := flag.NewFlagSet("node", flag.ContinueOnError)
	f.IntVar(&n.Index, "index", 0, "number of the server, from 0")
	f.IntVar(&n.Count, "count", 3, "number of servers")
	f.IntVar(&n.Port, "port", 14220, "port of the first server")
	f.StringVar(&n.Host, "host", "127.0.0.1", "address to listen on")
	f.StringVar(&n.Dir, "dir", "nats", "folder of the data")
	if err := f.Parse(args); err != nil {
		return err
	}
	s, err := n.Start()
	if err != nil {
		return err
	}
	fmt.Println("ready", s.ClientURL())
	ctx, stop := untilSignal()
	defer stop()
	<-ctx.Done()
	s.Shutdown()
	s.WaitForShutdown()
	return nil
}

// runHost runs a host until it is told to end.
func runHost(args []string) error {
	f := flag.NewFlagSet("host", flag.ContinueOnError)
	name := f.String("name", "a", "name of the host")
	servers := f.String("nats", "", "addresses of the servers, separated by commas")
	lease := f.Duration("lease", 2*time.Second, "lease")
	snapshot := f.Duration("snapshot", 5*time.Second, "time between snapshots")
	bodies := f.Int("bodies", 100, "bodies of a world")
	if err := f.Parse(args); err != nil {
		return err
	}
	ctx, stop := untilSignal()
	defer stop()
	s, err := natslog.Connect(ctx, natslog.Config{
		URLs: strings.Split(*servers, ","), Name: *name, Lease: *lease, Insecure: true,
	})
	if err != nil {
		return err
	}
	defer s.Close()
	h, err := host.New(host.Config{
		Name: *name, Log: s, Leases: s.Leases(), Bus: s.Bus(), Lease: *lease, Snapshot: *snapshot,
		Whole:  true, // the judge reads them all
		Scenes: finder(*bodies), Logger: slog.New(slog.NewTextHandler(os.Stdout, nil)).With("host", *name),
	})
	if err != nil {
		return err
	}
	fmt.Println("ready")
	return h.Run(ctx)
}

// names returns the names of all faults, sorted as in the table.
func names() (list []string) {
	for _, f := range faults {
		list = append(list, f.name)
	}
	return list
}

const head = `| fault | runs | moved | without frames p50 / max | ack p50 / p99 / max | acked | lost | twice | hashes |
|---|---|---|---|---|---|---|---|---|
`

// table runs faults, and prints a line for each.
func (s *settings) table(list []string) error {
	fmt.Printf("%d worlds of %d bodies, %.1f inputs/s each, lease %v, snapshots each %v\n", s.worlds, s.bodies, s.rate,
		s.lease, s.snapshot)
	fmt.Print(head)
	bad := 0
	for _, name := range list {
		i := slices.IndexFunc(faults, func(f fault) bool { return f.name == name })
		if i < 0 {
			return fmt.Errorf("there is no fault %q; the faults are %s", name, strings.Join(names(), ", "))
		}
		if err := faults[i].can(); err != nil {
			fmt.Printf("| %s | 0 | skipped: %v |\n", name, err)
			continue
		}
		sum := outcome{}
		for range s.runs {
			o, err := s.once(faults[i])
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			sum.add(o)
		}
		fmt.Println(sum.row(name, s.runs))
		for _, text := range sum.wrong {
			fmt.Println("  wrong:", text)
		}
		bad += len(sum.wrong) + sum.lost + sum.twice
	}
	if bad > 0 {
		return fmt.Errorf("%d inputs or hashes are wrong", bad)
	}
	return nil
}
