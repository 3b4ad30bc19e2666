package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/quarry2d/quarry/host"
	"github.com/quarry2d/quarry/host/natslog"
	"github.com/quarry2d/quarry/host/natslog/e2e/internal/node"
)

// free returns a port that nobody uses.
func free(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// connect starts a server and connects to it, several times.
func connect(t *testing.T, times int) []*natslog.Store { return connectIn(t, t.TempDir(), times) }

// connectIn does so with the data in a folder.
func connectIn(t *testing.T, dir string, times int) (list []*natslog.Store) {
	t.Helper()
	port := free(t)
	s, err := node.Node{Count: 1, Port: port, Dir: dir}.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Shutdown()
		s.WaitForShutdown()
	})
	for range times {
		c, err := natslog.Connect(t.Context(), natslog.Config{URLs: urls(port, 1), Replicas: 1, Logs: 2})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Close)
		list = append(list, c)
	}
	return list
}

func records(t *testing.T, l host.Log, world string, after uint64) (list []string, numbers []uint64) {
	t.Helper()
	err := l.Read(t.Context(), world, after, func(n uint64, b []byte) error {
		list, numbers = append(list, string(b)), append(numbers, n)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list, numbers
}

// An append after another record than the last one is refused, and many records are read in order.
func TestLog(t *testing.T) {
	l := connect(t, 1)[0]
	last := map[string]uint64{}
	for i := range 1200 { // more than a batch
		world := fmt.Sprint("w", i%2)
		n, err := l.Append(t.Context(), world, last[world], fmt.Append(nil, i))
		if err != nil || n <= last[world] {
			t.Fatal(n, err)
		}
		last[world] = n
	}
	for _, after := range []uint64{0, last["w0"] - 2, last["w0"] + 1} {
		if _, err := l.Append(t.Context(), "w0", after, []byte("x")); !errors.Is(err, host.ErrRefused) {
			t.Errorf("after %d: %v", after, err)
		}
	}
	list, numbers := records(t, l, "w1", 0)
	if len(list) != 600 || list[0] != "1" || list[599] != "1199" || numbers[599] != last["w1"] ||
		!slices.IsSorted(numbers) {
		t.Errorf("%d records", len(list))
	}
	if list, _ := records(t, l, "w1", numbers[597]); !slices.Equal(list, []string{"1197", "1199"}) {
		t.Errorf("the last records: %q", list)
	}
	if list, _ := records(t, l, "none", 0); len(list) != 0 {
		t.Errorf("records of no world: %q", list)
	}
	if _, err := l.Append(t.Context(), "a.b", 0, nil); err == nil {
		t.Error("a name with a dot")
	}
	stop := errors.New("stop")
	if err := l.Read(t.Context(), "w0", 0, func(uint64, []byte) error { return stop }); !errors.Is(err, stop) {
		t.Error(err)
	}
}

// A reading of a log allocates little more than the records that it returns.
func TestReadIsSmall(t *testing.T) {
	l := connect(t, 1)[0]
	if _, err := l.Append(t.Context(), "w", 0, []byte("a")); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	const times = 20
	for range times {
		records(t, l, "w", 0)
	}
	runtime.ReadMemStats(&after)
	if n := (after.TotalAlloc - before.TotalAlloc) / times; n > 100<<10 { // of the server in this process, too
		t.Errorf("%d bytes for a record", n)
	}
}

// Snapshots of any length come back, the first one of each number, until they are dropped.
func TestSnapshots(t *testing.T) {
	l := connect(t, 1)[0]
	if _, _, err := l.Kept(t.Context(), "w", 1<<60); !errors.Is(err, host.ErrNone) {
		t.Fatal(err)
	}
	noise := make([]byte, 3<<20)
	last := uint64(0)
	r := rand.NewChaCha8([32]byte{})
	_, _ = r.Read(noise)
	for range 4 {
		if _, err := l.Append(t.Context(), "w", last, []byte("a record")); err != nil {
			t.Fatal(err)
		}
		last++
	}
	for n, b := range [][]byte{noise, []byte("small"), noise[:2<<20], noise[1:]} {
		if err := l.Keep(t.Context(), "w", uint64(n+1), b); err != nil {
			t.Fatal(err)
		}
		number, got, err := l.Kept(t.Context(), "w", 1<<60)
		if err != nil || number != uint64(n+1) || !bytes.Equal(got, b) {
			t.Fatalf("snapshot %d of %d bytes: %d, %d bytes, %v", n+1, len(b), number, len(got), err)
		}
	}
	if n, got, err := l.Kept(t.Context(), "w", 3); n != 3 || !bytes.Equal(got, noise[:2<<20]) || err != nil {
		t.Errorf("snapshot 3: %d, %v", n, err)
	}
	if err := l.Keep(t.Context(), "w", 3, []byte("late")); err != nil {
		t.Error(err)
	}
	if n, got, err := l.Kept(t.Context(), "w", 3); n != 3 || len(got) != 2<<20 || err != nil {
		t.Errorf("snapshot 3 after a late one: %d, %d bytes, %v", n, len(got), err)
	}
	if err := l.Trim(t.Context(), "w", 3, true); err != nil {
		t.Fatal(err)
	}
	// The one of the first record stays.
	if n, got, err := l.Kept(t.Context(), "w", 2); n != 1 || !bytes.Equal(got, noise) || err != nil {
		t.Errorf("snapshot %d, %v", n, err)
	}
	if err := l.Trim(t.Context(), "w", 2, true); !errors.Is(err, host.ErrNone) {
		t.Errorf("trimmed to a snapshot that was dropped: %v", err)
	}
	if err := l.Trim(t.Context(), "w", 3, false); err != nil {
		t.Fatal(err)
	}
	if _, _, err := l.Kept(t.Context(), "w", 2); !errors.Is(err, host.ErrNone) {
		t.Error(err)
	}
}

// What is trimmed leaves the disk, whatever other worlds have in the same stream.
func TestTrim(t *testing.T) {
	dir := t.TempDir()
	l := connectIn(t, dir, 1)[0]
	last := map[string]uint64{}
	record := bytes.Repeat([]byte("x"), 2000)
	add := func(world string) {
		n, err := l.Append(t.Context(), world, last[world], record)
		if err != nil {
			t.Fatal(err)
		}
		last[world] = n
	}
	other := 0
	for round := range 30 {
		before := last["w"]
		for i := range 400 {
			add("w")
			if i%200 == 0 {
				add("v")
				other++
			}
		}
		if err := l.Keep(t.Context(), "w", last["w"], record); err != nil {
			t.Fatal(err)
		}
		if round == 0 {
			continue
		}
		if err := l.Trim(t.Context(), "w", before, false); err != nil {
			t.Fatal(err)
		}
		if list, _ := records(t, l, "w", before); len(list) != 400 {
			t.Fatalf("%d records", len(list))
		}
		if list, _ := records(t, l, "w", 0); len(list) != 401 {
			t.Fatalf("%d records from the first on", len(list))
		}
		err := l.Read(t.Context(), "w", before-1, func(uint64, []byte) error { return nil })
		if !errors.Is(err, host.ErrTrimmed) {
			t.Fatalf("a reading of what was trimmed: %v", err)
		}
	}
	if list, _ := records(t, l, "v", 0); len(list) != other {
		t.Errorf("%d records of the other world, want %d", len(list), other)
	}
	size := int64(0)
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if i, bad := d.Info(); err == nil && bad == nil && !d.IsDir() {
			size += i.Size()
		}
		return nil
	})
	if size > 15<<20 { // 24 MB were appended, 1 MB is left, and blocks have 8 MB
		t.Errorf("%d bytes on the disk", size)
	}
	t.Logf("%d bytes on the disk", size)
}

// Entries are compared and set; what one sets the others see, and are told.
func TestLeases(t *testing.T) {
	both := connect(t, 2)
	a, b := both[0].Leases(), both[1].Leases()
	one, err := a.Set(t.Context(), "host/a", []byte("1"), 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Set(t.Context(), "host/a", []byte("2"), 0); !errors.Is(err, host.ErrRefused) {
		t.Error(err)
	}
	two, err := b.Set(t.Context(), "host/a", []byte("2"), one)
	if err != nil || two <= one {
		t.Fatal(two, err)
	}
	if _, err := a.Set(t.Context(), "host/a", []byte("3"), one); !errors.Is(err, host.ErrRefused) {
		t.Error(err)
	}
	if e, err := a.Get(t.Context(), "host/a"); string(e.Value) != "2" || e.Revision != two || err != nil {
		t.Error(e, err)
	}
	if _, err := a.Get(t.Context(), "host/b"); !errors.Is(err, host.ErrNone) {
		t.Error(err)
	}
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		list, err := a.Entries(t.Context())
		if err == nil && len(list) == 1 && list[0].Revision == two && string(list[0].Value) == "2" {
			break
		}
		if time.Now().After(end) {
			t.Fatal(list, err)
		}
	}
	select {
	case <-a.Changed():
	case <-time.After(5 * time.Second):
		t.Error("no hint")
	}
}

// Inputs come to the owner and answers back; frames come to all who watch.
func TestBus(t *testing.T) {
	both := connect(t, 2)
	a, b := both[0].Bus(), both[1].Bus()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if _, err := b.Request(ctx, "w", []byte("hello")); err == nil {
		t.Error("an answer of nobody")
	}
	stop, err := a.Serve("w", func(in []byte, answer func([]byte)) { answer(append(in, '!')) })
	if err != nil {
		t.Fatal(err)
	}
	frames := make(chan []byte, 10)
	if _, err := b.Watch("w", func(f []byte) { frames <- f }); err != nil {
		t.Fatal(err)
	}
	var got []byte
	for range 100 { // the server may not know of the service yet
		if got, err = b.Request(ctx, "w", []byte("hello")); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if string(got) != "hello!" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	a.Publish("w", []byte("frame"))
	select {
	case f := <-frames:
		if string(f) != "frame" {
			t.Errorf("frame %q", f)
		}
	case <-ctx.Done():
		t.Error("no frame")
	}
	stop()
}

// A connection to another machine is encrypted, unless that is waived, and flags out of range are refused.
func TestConnect(t *testing.T) {
	for _, c := range []natslog.Config{
		{},
		{URLs: []string{"192.0.2.1:4222"}},
		{URLs: []string{"nats://192.0.2.1:4222"}},
		{URLs: []string{"nats://127.0.0.1:1", "nats://example.com:4222"}},
		{URLs: []string{"nats://127.0.0.1:1"}, Replicas: 2},
		{URLs: []string{"nats://127.0.0.1:1"}, Logs: 100},
		{URLs: []string{"nats://127.0.0.1:1"}, Lease: 1},
	} {
		if _, err := natslog.Connect(t.Context(), c); err == nil {
			t.Errorf("%+v was accepted", c)
		}
	}
}
