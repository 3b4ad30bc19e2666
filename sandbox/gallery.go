//go:build !js

package sandbox

import (
	"net/http"
	"strings"
	"sync"

	"github.com/quarry2d/quarry/play"
	"github.com/quarry2d/quarry/scene"
)

const (
	// pictureSteps is the step of a scene's picture, or crowdSteps for one of more than crowd dynamic bodies.
	pictureSteps = 90
	crowdSteps   = 10
	crowd        = 1000
)

// Picture returns a PNG of a scene for a gallery, 320 x 180 pixels, some steps after its start.
func Picture(sc scene.Scene) ([]byte, error) {
	w, err := play.New(sc, defaultMaxBodies)
	if err != nil {
		return nil, err
	}
	n := pictureSteps
	if w.Own() > crowd {
		n = crowdSteps
	}
	for range n {
		if err := w.Step(); err != nil {
			return nil, err
		}
	}
	return picture(w, sc.View)
}

// pictures has the pictures of the scenes that were asked for.
type pictures struct {
	mu   sync.Mutex // held while one is made, so that one processor is used at most
	made map[string][]byte
}

// serveScene serves the picture of a scene of the gallery.
func (s *Server) serveScene(w http.ResponseWriter, r *http.Request) {
	name, ok := strings.CutSuffix(r.PathValue("picture"), ".png")
	sc, known := find(s.config.Scenes, name)
	if !ok || !known {
		http.NotFound(w, r)
		return
	}
	b, err := s.pictures.get(sc)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", "max-age=3600")
	_, _ = w.Write(b) // the connection may have ended
}

func (p *pictures) get(sc scene.Scene) ([]byte, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if b := p.made[sc.Name]; b != nil {
		return b, nil
	}
	b, err := Picture(sc)
	if err != nil {
		return nil, err
	}
	if p.made == nil {
		p.made = map[string][]byte{}
	}
	p.made[sc.Name] = b
	return b, nil
}
