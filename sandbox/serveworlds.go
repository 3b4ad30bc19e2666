//go:build !js

package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// exportEvery is the shortest time between two snapshots for downloads.
const exportEvery = time.Second

// exports has the last snapshot for downloads.
type exports struct {
	mu     sync.Mutex
	bytes  []byte
	name   string
	epoch  uint64
	change uint64
	next   time.Time
}

// serveWorlds adds the handlers of worlds as files:
//
//	GET  /worlds             the worlds that are kept, as JSON
//	GET  /worlds/NAME.png    the picture of one
//	GET  /scenes/NAME.png    the picture of a scene
//	GET  /world              the present world, as a file
//	POST /world              files that become the present world
func (s *Server) serveWorlds(mux *http.ServeMux) {
	mux.HandleFunc("GET /worlds", s.serveList)
	mux.HandleFunc("GET /worlds/{picture}", s.servePicture)
	mux.HandleFunc("GET /scenes/{picture}", s.serveScene)
	mux.HandleFunc("GET /world", s.serveExport)
	mux.Handle("POST /world", http.NewCrossOriginProtection().Handler(http.HandlerFunc(s.serveImport)))
}

func (s *Server) serveList(w http.ResponseWriter, r *http.Request) {
	if _, ok := s.roleOf(w, r); !ok {
		return
	}
	list := []kept{}
	if l := s.library.Load(); l != nil {
		var err error
		if list, err = l.list(); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	_ = json.NewEncoder(w).Encode(list) // the connection may have ended
}

func (s *Server) servePicture(w http.ResponseWriter, r *http.Request) {
	if _, ok := s.roleOf(w, r); !ok {
		return
	}
	name, ok := strings.CutSuffix(r.PathValue("picture"), pictureExtension)
	c, l := Command{Name: name}, s.library.Load()
	if !ok || l == nil || checkWorld(&c) != nil {
		http.NotFound(w, r)
		return
	}
	b, err := l.file(name, pictureExtension)
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(b) // the connection may have ended
}

// call runs f on the loop, between two ticks. It returns an error if the request or the loop ends before, or if f
// panics; see sim.try.
func (s *Server) call(ctx context.Context, f func(*sim)) (err error) {
	done := make(chan struct{})
	select {
	case s.calls <- func(w *sim) {
		defer close(done)
		if !w.try("a request", func() { f(w) }) {
			err = errors.New("the world has stopped")
		}
	}:
	case <-ctx.Done():
		return ctx.Err()
	case <-s.done:
		return errors.New("the sandbox has ended")
	}
	<-done
	return err
}

// serveExport sends the present world as a file. A snapshot takes milliseconds of the loop, so there is one a second at
// most, which all requests share.
func (s *Server) serveExport(w http.ResponseWriter, r *http.Request) {
	if _, ok := s.roleOf(w, r); !ok {
		return
	}
	b, name, err := s.exports.get(r.Context(), s)
	if err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Disposition", `attachment; filename="`+fileName(name)+worldExtension+`"`)
	h.Set("Cache-Control", "no-store")
	_, _ = w.Write(b) // the connection may have ended
}

func (e *exports) get(ctx context.Context, s *Server) (b []byte, name string, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	pause(ctx.Done(), time.Until(e.next))
	e.next = time.Now().Add(exportEvery)
	bad := s.call(ctx, func(w *sim) {
		if e.bytes != nil && e.epoch == w.epoch && e.change == w.Change() {
			return
		}
		e.name, e.epoch, e.change = w.Scene().Name, w.epoch, w.Change()
		e.bytes, err = w.AppendSnapshot(nil)
	})
	return e.bytes, e.name, errors.Join(bad, err)
}

// fileName returns the letters, digits, - and _ of a name.
func fileName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		case r == ' ', r == '.':
			return '_'
		}
		return -1
	}, name)
	if name == "" {
		return "quarry"
	}
	return name
}

// serveImport makes the files of a form the present world. Only owners may do that.
func (s *Server) serveImport(w http.ResponseWriter, r *http.Request) {
	role, ok := s.roleOf(w, r)
	if !ok {
		return
	}
	if role != Own {
		http.Error(w, "only an owner of this world may replace it", http.StatusForbidden)
		return
	}
	if !s.imports.TryLock() {
		http.Error(w, "other files are being read; try again", http.StatusTooManyRequests)
		return
	}
	defer s.imports.Unlock()
	list, err := readFiles(w, r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	world, warnings, err := list.world(s.config.Scenes, s.config.MaxBodies)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	origin, err := world.AppendSnapshot(nil)
	if err == nil {
		var refused error
		err = s.call(r.Context(), func(l *sim) { refused = l.replace(world, origin) })
		err = errors.Join(err, refused)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(warnings[:min(len(warnings), 4)]) // the connection may have ended
}

// readFiles reads the files of a form.
func readFiles(w http.ResponseWriter, r *http.Request) (files, error) {
	r.Body = http.MaxBytesReader(w, r.Body, maxFileBytes)
	form, err := r.MultipartReader()
	if err != nil {
		return nil, fmt.Errorf("the files must come as a form: %w", err)
	}
	list := files{}
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		if part.FileName() == "" {
			continue
		}
		if len(list) >= maxFiles {
			return nil, fmt.Errorf("more than %d files", maxFiles)
		}
		if list[part.FileName()], err = io.ReadAll(part); err != nil {
			return nil, err
		}
	}
}
