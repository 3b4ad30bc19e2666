//go:build !js

package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/quarry2d/quarry/host"
	"github.com/quarry2d/quarry/host/filelog"
	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/scene"
)

const (
	// onlyWorld is the name of the world of a Server that has its own host.
	onlyWorld = "sandbox"
	// A kill costs the motion since the last record; where another version of the engine goes on, all since the last
	// snapshot.
	markEach     = time.Second
	snapshotEach = 5 * time.Second
	// replayTime is long, since nobody waits for another host to take over.
	replayTime = 2 * time.Second
	// drainTimeout is the time for which Run waits for the last snapshot. Without it, the records are replayed.
	drainTimeout = time.Second
	// oldFile ends the name of a world in one file, as earlier versions kept it, until it is in a log; then beforeFile
	// does, or badFile if it cannot be read.
	oldFile    = ".old"
	beforeFile = ".before"
	badFile    = ".bad"
)

// makeOwner makes the owner of the world, which run runs and shows until ctx ends: a host with no others beside it or,
// if the world is not kept, a host.Local.
func (s *Server) makeOwner() (run func(ctx context.Context) error, err error) {
	if !s.running.CompareAndSwap(false, true) {
		panic("quarry: sandbox.Server.Run called twice")
	}
	if s.config.Worlds != "" {
		s.library.Store(&library{shelf: filelog.Shelf(s.config.Worlds), scenes: s.config.Scenes, call: s.call})
	}
	if s.config.Keep == "" {
		birth := host.Record{Scene: s.start.Name, Paused: s.config.Paused, MaxBodies: s.config.MaxBodies}
		w, err := host.NewLocal(birth, s.find)
		return func(ctx context.Context) error {
			s.show(w, ctx.Done(), reelBytes, true)
			return nil
		}, err
	}
	folder, err := openFolder(s.config.Keep)
	if err != nil {
		return nil, err
	}
	leases := host.NewAlone(nil)
	h, err := host.New(host.Config{
		Name: "alone", Log: folder, Leases: leases, Quick: true, Mark: markEach, Snapshot: snapshotEach,
		Replay: replayTime, Engine: s.engine, Scenes: s.finds,
		Logger: slog.New(slog.NewTextHandler(&s.refused, &slog.HandlerOptions{Level: slog.LevelWarn})),
		Serve: func(w *host.World) {
			s.show(w, nil, reelBytes, true)
			s.clients.hangUp() // the page connects again
		},
	})
	if err == nil {
		var birth host.Record
		if birth, err = s.birth(h, folder); err == nil {
			err = host.CreateOf(context.Background(), folder, leases, onlyWorld, birth)
		}
	}
	if err != nil {
		return nil, errors.Join(err, folder.Close())
	}
	_ = os.Rename(s.config.Keep+oldFile, s.config.Keep+beforeFile) // mostly there is none
	return func(ctx context.Context) error { return errors.Join(h.Run(ctx), folder.Close()) }, nil
}

// find finds the scenes of the page.
func (s *Server) find(name string) (scene.Scene, bool) { return find(s.config.Scenes, name) }

// openFolder opens the folder of the log. A file of an earlier version is moved out of its way.
func openFolder(path string) (*filelog.Folder, error) {
	if i, err := os.Stat(path); err == nil && i.Mode().IsRegular() {
		if err := os.Rename(path, path+oldFile); err != nil {
			return nil, fmt.Errorf("sandbox: %w", err)
		}
	}
	folder, err := filelog.OpenLate(path)
	if err != nil {
		return nil, fmt.Errorf("the world cannot be kept: %w; --keep names another folder", err)
	}
	return folder, nil
}

// birth returns the record with which the world begins if it has no log, or one that cannot be replayed.
func (s *Server) birth(h *host.Host, folder *filelog.Folder) (r host.Record, err error) {
	r = host.Record{Scene: s.start.Name, Paused: s.config.Paused, MaxBodies: s.config.MaxBodies}
	if _, err := os.Stat(filepath.Join(s.config.Keep, onlyWorld)); err == nil {
		bad := h.Try(onlyWorld)
		if bad == nil || errors.As(bad, new(syscall.Errno)) && !errors.Is(bad, fs.ErrNotExist) {
			return r, bad // the disk
		}
		if before, err := s.rescue(folder, bad); err != nil || before.World != nil {
			return before, err
		}
	}
	if b, err := os.ReadFile(s.config.Keep + oldFile); err == nil {
		old, no := play.Restore(b, s.find)
		if no == nil {
			r.World, err = s.packed(old)
			return r, err
		}
		bad := s.config.Keep + badFile
		s.refused.tell("the world that was kept", "cannot be opened, and is "+bad+" now", no.Error())
		_ = os.Rename(s.config.Keep+oldFile, bad)
	}
	if _, ok := s.finds(s.start.Name); !ok {
		w, err := play.New(s.start, s.config.MaxBodies)
		if err == nil {
			r.World, err = s.packed(w)
		}
		return r, err
	}
	return r, nil
}

// rescue sets a log aside that cannot be replayed, and returns the record with which the world goes on; none if there
// is no snapshot to go on from.
func (s *Server) rescue(folder *filelog.Folder, bad error) (host.Record, error) {
	path, snapshots, err := folder.SetAside(onlyWorld)
	if err != nil {
		return host.Record{}, err
	}
	birth, made, err := host.Rescue(snapshots, s.finds)
	from := "its snapshot of " + made.Format(time.DateTime)
	if err != nil {
		from = "the start"
	}
	s.refused.tell("the world", "goes on from "+from+", and its log is "+path+" now", bad.Error())
	return birth, nil
}

// packed returns a world for a record. Of a scene that the host will not find, what is there is left.
func (s *Server) packed(w *play.World) ([]byte, error) {
	if _, ok := s.finds(w.Scene().Name); !ok {
		w = own(w)
	}
	b, err := w.AppendSnapshot(nil)
	if err != nil {
		return nil, err
	}
	return host.Pack(b)
}

// Run makes the steps of the world until ctx ends, each command in a log before it is executed if the world is kept.
// Then it closes every WebSocket. It does not wait for a step that takes long. Run returns an error if the world cannot
// be kept, and panics if it is called twice.
func (s *Server) Run(ctx context.Context) error {
	run, err := s.makeOwner()
	if err != nil {
		close(s.done)
		return err
	}
	return s.run(ctx, run)
}

// run is Run with what makeOwner has returned.
func (s *Server) run(ctx context.Context, run func(context.Context) error) error {
	ran := make(chan error, 1)
	go func() { ran <- run(ctx) }()
	<-ctx.Done()
	close(s.done)
	select {
	case err := <-ran:
		return err
	case <-time.After(drainTimeout):
		return nil
	}
}
