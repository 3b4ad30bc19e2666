//go:build !js

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/quarry2d/quarry/host"
	"github.com/quarry2d/quarry/host/natslog"
	"github.com/quarry2d/quarry/play"
)

// loadCommand gives inputs to the worlds of a cluster.
type loadCommand struct {
	Nats         []string      `help:"Addresses of the NATS servers of the cluster." placeholder:"URL" required:""`
	NatsCreds    string        `help:"File with the credentials for the NATS servers." placeholder:"FILE"`
	NatsInsecure bool          `help:"Allow connections without TLS to NATS servers on other machines."`
	Worlds       int           `help:"Number of worlds, load0 and so on, which are made if they are missing (${default})." default:"20" placeholder:"N"`
	Clients      int           `help:"Number of clients, shared out among the worlds (${default})." default:"100" placeholder:"N"`
	Rate         float64       `help:"Inputs a second of each client (${default})." default:"1" placeholder:"N"`
	Time         time.Duration `help:"Time of the measurement (${default})." default:"30s" placeholder:"TIME"`
}

// The limits of a load.
const (
	maxLoadWorlds  = 100_000
	maxLoadClients = 100_000
	maxLoadRate    = 60
	// loadWait is the longest time for an answer.
	loadWait = time.Minute
)

// Run gives inputs, and prints how long their answers took. It fails if one had no answer.
func (c loadCommand) Run(s streams) error {
	if c.Worlds < 1 || c.Worlds > maxLoadWorlds || c.Clients < 1 || c.Clients > maxLoadClients ||
		!(c.Rate > 0 && c.Rate <= maxLoadRate) || c.Time <= 0 {
		return fmt.Errorf("--worlds %d, --clients %d, --rate %v or --time %v is out of range: they must be "+
			"1 to %d, 1 to %d, above 0 to %d, above 0", c.Worlds, c.Clients, c.Rate, c.Time,
			maxLoadWorlds, maxLoadClients, maxLoadRate)
	}
	ctx, cancel := context.WithTimeout(context.Background(), natsWait)
	defer cancel()
	store, err := natslog.Connect(ctx, natslog.Config{
		URLs: c.Nats, Creds: c.NatsCreds, Insecure: c.NatsInsecure, Name: "load",
	})
	if err != nil {
		return err
	}
	defer store.Close()
	for i := range c.Worlds {
		err := host.Create(context.Background(), store, store.Leases(), loadWorld(i), "tiles_flat", 20_000)
		if err != nil && !errors.Is(err, host.ErrRefused) {
			return err
		}
	}
	return c.measure(store.Bus()).print(c, s)
}

func loadWorld(i int) string { return fmt.Sprintf("load%d", i) }

// load is the sum of the measurements of all clients.
type load struct {
	mu     sync.Mutex
	took   []time.Duration // from each input to its answer
	failed int             // inputs without an answer
}

// measure lets all clients give inputs for a time.
func (c loadCommand) measure(bus host.Bus) *load {
	l := &load{}
	ctx, cancel := context.WithTimeout(context.Background(), c.Time)
	defer cancel()
	var clients sync.WaitGroup
	for i := range c.Clients {
		clients.Go(func() { l.client(ctx, host.NewSession(bus, loadWorld(i%c.Worlds)), c.Rate) })
	}
	clients.Wait()
	return l
}

// client gives inputs until ctx ends. Its first one, which joins the world, is not measured.
func (l *load) client(ctx context.Context, s *host.Session, rate float64) {
	for first := true; ; first = false {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Duration(rand.ExpFloat64() / rate * float64(time.Second))):
		}
		kind, x := "add", rand.Float64()*40-20
		if rand.IntN(2) == 0 {
			kind = "remove"
		}
		began := time.Now()
		within, cancel := context.WithTimeout(context.Background(), loadWait)
		_, err := s.Do(within, host.Input{Op: host.Do, Command: play.Command{
			Do: kind, Kind: "box", X: x, Y: 5,
			Size: 0.5,
		}})
		cancel()
		l.mu.Lock()
		if err != nil {
			l.failed++
		} else if !first {
			l.took = append(l.took, time.Since(began))
		}
		l.mu.Unlock()
	}
}

// print prints percentiles.
func (l *load) print(c loadCommand, s streams) error {
	slices.Sort(l.took)
	part := func(p float64) time.Duration {
		if len(l.took) == 0 {
			return 0
		}
		return l.took[min(len(l.took)-1, int(p*float64(len(l.took))))].Round(100 * time.Microsecond)
	}
	fmt.Fprintf(s.out,
		"%d worlds, %d clients, %v: %d inputs were answered, %d were not\n  answer    p50 %v, p90 %v, p99 %v, "+
			"longest %v\n", c.Worlds, c.Clients, c.Time, len(l.took), l.failed, part(0.5), part(0.9), part(0.99),
		part(1))
	if l.failed > 0 {
		return fmt.Errorf("%d inputs had no answer within %v", l.failed, loadWait)
	}
	return nil
}
