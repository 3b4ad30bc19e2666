//go:build !js

package natslog

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/quarry2d/quarry/host"
)

// Config configures a Store.
type Config struct {
	// URLs are addresses of servers, such as nats://127.0.0.1:4222, at least one.
	URLs []string
	// Creds is the file with the credentials; "": none.
	Creds string
	// Insecure allows connections without TLS to other machines.
	Insecure bool
	// Name is told to the servers.
	Name string
	// Lease is the length of the hosts' leases; 0 means 2 s. A server that does not answer for a part of it is
	// left for another one.
	Lease time.Duration
	// Logs is the number of streams of records that are made if there are none; 0 means 8, the greatest is 64. The
	// worlds are shared out among them.
	Logs int
	// Replicas is the number of servers that keep each stream, if it is made: 1, 3 or 5; 0 means 3.
	Replicas int
}

// The greatest number of logs.
const maxLogs = 64

// Store is the connection to the servers: a host.Log, and by Leases and Bus the others. Its methods may be called from
// several goroutines.
type Store struct {
	nc      *nats.Conn
	js      jetstream.JetStream
	logs    int
	streams map[string]jetstream.Stream // by name; asking for one again costs a request
	leases  *Leases
}

// Connect connects to the servers, and makes what is missing. It returns an error if none answers until ctx ends, or if
// a connection to another machine would not be encrypted.
func Connect(ctx context.Context, c Config) (*Store, error) {
	if c.Logs == 0 {
		c.Logs = 8
	}
	if c.Replicas == 0 {
		c.Replicas = 3
	}
	if c.Lease == 0 {
		c.Lease = 2 * time.Second
	}
	if c.Lease < host.MinLease || c.Lease > host.MaxLease {
		return nil, fmt.Errorf("natslog: the lease %v is out of range: it must be %v to %v", c.Lease, host.MinLease,
			host.MaxLease)
	}
	if c.Logs < 1 || c.Logs > maxLogs || c.Replicas < 1 || c.Replicas > 5 || c.Replicas%2 == 0 {
		return nil,
			fmt.Errorf("natslog: %d logs and %d replicas are out of range: logs are 1 to %d, replicas 1, 3 or 5",
				c.Logs, c.Replicas, maxLogs)
	}
	if err := checkURLs(c.URLs, c.Insecure); err != nil {
		return nil, err
	}
	nc, err := nats.Connect(strings.Join(c.URLs, ","), options(c)...)
	if err != nil {
		return nil, fmt.Errorf("natslog: %w", err)
	}
	s := &Store{nc: nc, streams: map[string]jetstream.Stream{}}
	if s.js, err = jetstream.New(nc); err == nil {
		err = s.prepare(ctx, c)
	}
	if err != nil {
		nc.Close()
		return nil, fmt.Errorf("natslog: %w", err)
	}
	return s, nil
}

// options returns the options of the connection. It is never given up, and keeps nothing to send while it is lost: what
// comes late is of no use.
func options(c Config) []nats.Option {
	list := []nats.Option{
		nats.Name(c.Name), nats.MaxReconnects(-1), nats.ReconnectWait(100 * time.Millisecond),
		nats.ReconnectJitter(50*time.Millisecond, 50*time.Millisecond), nats.ReconnectBufSize(-1),
		nats.PingInterval(c.Lease / 5), nats.MaxPingsOutstanding(1), nats.Timeout(2 * time.Second),
		nats.SyncQueueLen(2 * batch), // Store.read awaits a batch and its end; the usual 64 Ki places are 512 KB
	}
	if c.Creds != "" {
		list = append(list, nats.UserCredentials(c.Creds))
	}
	return list
}

// checkURLs returns an error if a URL is none, or names another machine without TLS.
func checkURLs(list []string, insecure bool) error {
	if len(list) == 0 {
		return errors.New("natslog: no address of a server")
	}
	for _, text := range list {
		u, err := url.Parse(text)
		if err != nil || u.Host == "" || u.Scheme != "nats" && u.Scheme != "tls" && u.Scheme != "ws" &&
			u.Scheme != "wss" {
			return fmt.Errorf("natslog: %q is no address of a server, such as nats://127.0.0.1:4222", text)
		}
		ip := net.ParseIP(u.Hostname())
		here := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
		if !here && !insecure && u.Scheme != "tls" && u.Scheme != "wss" {
			return fmt.Errorf("natslog: %s is another machine, and the connection is not encrypted; use tls://", u.Host)
		}
	}
	return nil
}

// prepare makes the streams and the bucket that are missing, and begins to watch the leases.
func (s *Store) prepare(ctx context.Context, c Config) error {
	kv, err := s.js.KeyValue(ctx, bucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		kv, err = s.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{
			Bucket: bucket, Replicas: c.Replicas, Storage: jetstream.FileStorage,
		})
	}
	if err != nil {
		return fmt.Errorf("the bucket of the leases: %w", err)
	}
	if s.logs, err = layout(ctx, kv, c.Logs); err != nil {
		return err
	}
	for k := range s.logs {
		if err := s.stream(ctx, logStream(k), fmt.Sprintf("q.log.%d.*", k), 0, c); err != nil {
			return err
		}
	}
	if err := s.stream(ctx, "QSNAP", "q.snap.*.*", 1, c); err != nil {
		return err
	}
	if err := s.stream(ctx, "QKEPT", "q.kept.*.*", 1, c); err != nil {
		return err
	}
	if err := s.stream(ctx, "QPART", "q.part.*.*.*", 1, c); err != nil {
		return err
	}
	s.leases = newLeases(s.js, kv)
	return nil
}

// stream makes a stream if it is missing. most bounds the messages of a subject; 0 is no bound.
func (s *Store) stream(ctx context.Context, name, subjects string, most int64, c Config) error {
	stream, err := s.js.Stream(ctx, name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		stream, err = s.js.CreateStream(ctx, jetstream.StreamConfig{
			Name: name, Subjects: []string{subjects}, Storage: jetstream.FileStorage, Replicas: c.Replicas,
			MaxMsgsPerSubject: most, AllowDirect: true, Discard: discard(most),
		})
		if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) { // another host made it
			stream, err = s.js.Stream(ctx, name)
		}
	}
	if err != nil {
		return fmt.Errorf("the stream %s: %w", name, err)
	}
	s.streams[name] = stream
	return nil
}

// discard returns what a full stream does: one of records refuses new ones.
func discard(most int64) jetstream.DiscardPolicy {
	if most == 0 {
		return jetstream.DiscardNew
	}
	return jetstream.DiscardOld
}

// layout returns the number of logs, which the first host decides.
func layout(ctx context.Context, kv jetstream.KeyValue, logs int) (int, error) {
	_, err := kv.Create(ctx, "layout", fmt.Appendf(nil, "logs %d", logs))
	if err != nil && !errors.Is(err, jetstream.ErrKeyExists) {
		return 0, fmt.Errorf("the layout: %w", err)
	}
	e, err := kv.Get(ctx, "layout")
	if err != nil {
		return 0, fmt.Errorf("the layout: %w", err)
	}
	n := 0
	if _, err := fmt.Sscanf(string(e.Value()), "logs %d", &n); err != nil || n < 1 || n > maxLogs {
		return 0, fmt.Errorf("the layout %.40q is of another version", e.Value())
	}
	return n, nil
}

func logStream(k int) string { return fmt.Sprintf("QLOG%d", k) }

// log returns the stream and the subject of the records of a world.
func (s *Store) log(world string) (stream, subject string, err error) {
	if err := host.CheckName(world); err != nil {
		return "", "", fmt.Errorf("natslog: %w", err)
	}
	h := fnv.New32a()
	h.Write([]byte(world))
	k := int(h.Sum32() % uint32(s.logs))
	return logStream(k), fmt.Sprintf("q.log.%d.%s", k, world), nil
}

// Leases returns the leases.
func (s *Store) Leases() *Leases { return s.leases }

// Bus returns the bus.
func (s *Store) Bus() host.Bus { return bus{s.nc} }

// Connected reports whether a server is connected now.
func (s *Store) Connected() bool { return s.nc.IsConnected() }

// Leader returns the name of the server that leads the leases.
func (s *Store) Leader(ctx context.Context) (string, error) {
	stream, err := s.js.Stream(ctx, "KV_"+bucket)
	if err != nil {
		return "", fmt.Errorf("natslog: %w", err)
	}
	if c := stream.CachedInfo().Cluster; c != nil {
		return c.Leader, nil
	}
	return "", nil
}

// Close closes the connection.
func (s *Store) Close() {
	s.leases.stop()
	s.nc.Close()
}
