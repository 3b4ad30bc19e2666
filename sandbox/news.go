package sandbox

import (
	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/play"
)

const (
	// maxNews bounds the impacts, edits and explosions of a NEWS, each.
	maxNews = 48
	// newsKept is the number of pieces of news that wait for clients.
	newsKept = 512
)

// newsItem is one thing that happened: an impact, an edit or an explosion. It has a serial number.
type newsItem struct {
	serial uint64
	hit    *hitNews
	edit   *editNews
	blast  *blastNews
}

// hitNews is an impact.
type hitNews struct {
	X       float64 `json:"x"`
	Y       float64 `json:"y"`
	Speed   float64 `json:"speed"`
	Impulse float64 `json:"impulse"`
	// Colors are the colours of the two surfaces, as 0xRRGGBB or 0, and Bounce and Hard how they sound: the larger
	// restitution, and whether one is of the ground.
	Colors [2]uint32 `json:"colors"`
	Bounce float64   `json:"bounce"`
	Ground bool      `json:"ground"`
}

// editNews is an edit of the cells from MinX, MinY to MaxX, MaxY of a ground. The segments of the cells around may have
// changed, too.
type editNews struct {
	Ground uint32   `json:"ground"`
	Cells  [4]int32 `json:"cells"`
}

type blastNews struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Radius float64 `json:"radius"`
}

// news is the JSON of NEWS.
type news struct {
	Hits   []*hitNews   `json:"hits,omitempty"`
	Edits  []*editNews  `json:"edits,omitempty"`
	Blasts []*blastNews `json:"blasts,omitempty"`
}

// reporter collects news for clients.
type reporter struct {
	items  []newsItem
	serial uint64
	blast  uint64                     // the last explosion reported
	edits  map[quarry.GroundID]uint64 // the last version reported of each ground that was edited
}

func setNews(s *sim, c *client, m Command) error {
	c.news = !m.Off
	s.report(false) // what has been before is no news
	c.heard = s.reporter.serial
	return nil
}

// wanted reports whether any client gets news.
func (s *sim) wanted() bool {
	for _, c := range s.clients {
		if c.news {
			return true
		}
	}
	return false
}

// report collects what has happened in the last step, and with commands since. Impacts are from the last step, so
// it is called once with hits after each step.
func (s *sim) report(hits bool) {
	if s.Stopped() != "" || !s.wanted() {
		return
	}
	s.try("reading the world", func() {
		if hits {
			s.reportHits()
		}
		s.reportEdits()
		for _, b := range s.Blasts() {
			if b.Serial > s.reporter.blast {
				s.reporter.blast = b.Serial
				s.reporter.add(newsItem{blast: &blastNews{b.At.X, b.At.Y, b.Radius}})
			}
		}
	})
}

// add adds a piece of news, and drops the oldest if there are too many.
func (r *reporter) add(n newsItem) {
	r.serial++
	n.serial = r.serial
	if len(r.items) >= newsKept {
		r.items = append(r.items[:0], r.items[newsKept/2:]...)
	}
	r.items = append(r.items, n)
}

func (s *sim) reportHits() {
	w := s.Engine()
	for i, h := range w.Hits() {
		if i == maxNews {
			break
		}
		n := &hitNews{
			X: h.Point.X, Y: h.Point.Y, Speed: finite(h.Speed), Impulse: finite(h.Impulse), Ground: h.Ground != 0,
		}
		if !within(h.Point.X, play.MaxCoordinate) || !within(h.Point.Y, play.MaxCoordinate) {
			continue
		}
		for k, id := range [...]quarry.ShapeID{h.ShapeA, h.ShapeB} {
			if sh, ok := w.Shape(id); ok {
				m := w.Material(sh.Material())
				n.Colors[k], n.Bounce = m.Color, max(n.Bounce, m.Restitution)
			}
		}
		if g, ok := w.Ground(h.Ground); ok {
			if cell, ok := g.CellAt(h.Point.MulAdd(-0.05, h.Normal)); ok {
				m := w.Material(g.Material(g.Tile(cell.X, cell.Y)))
				n.Colors[0], n.Bounce = m.Color, max(n.Bounce, m.Restitution)
			}
		}
		s.reporter.add(newsItem{hit: n})
	}
}

func (s *sim) reportEdits() {
	r := &s.reporter
	if r.edits == nil {
		r.edits = map[quarry.GroundID]uint64{}
	}
	for i, e := range s.Engine().GroundEdits() {
		if i == maxNews {
			break
		}
		if e.Version <= r.edits[e.Ground] {
			continue
		}
		r.edits[e.Ground] = e.Version
		for _, t := range s.Grounds() {
			if t.ID() == e.Ground && !t.Gone() {
				c := e.Cells
				r.add(newsItem{edit: &editNews{t.Number(), [4]int32{c.MinX, c.MinY, c.MaxX, c.MaxY}}})
			}
		}
	}
	if len(r.edits) > 4096 { // of grounds that are gone
		r.edits = nil
	}
}

// syncNews appends NEWS, if there is any that the client has not got.
func (c *client) syncNews(s *sim) {
	if !c.news || c.heard == s.reporter.serial {
		return
	}
	var n news
	for _, it := range s.reporter.items {
		if it.serial <= c.heard {
			continue
		}
		switch {
		case it.hit != nil && len(n.Hits) < maxNews:
			n.Hits = append(n.Hits, it.hit)
		case it.edit != nil && len(n.Edits) < maxNews:
			n.Edits = append(n.Edits, it.edit)
		case it.blast != nil && len(n.Blasts) < maxNews:
			n.Blasts = append(n.Blasts, it.blast)
		}
	}
	c.heard = s.reporter.serial
	c.batch.bytes = appendJSON(c.batch.bytes, msgNews, n)
	c.batch.cut()
}
