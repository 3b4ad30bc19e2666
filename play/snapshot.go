package play

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/scene"
)

// A snapshot is snapshotMagic, the length of head as four bytes, head as JSON, and the snapshot of the engine.
const (
	snapshotMagic = "QPLAY\x00\x00\x01" // the last byte is the version
	maxHead       = 64 << 20            // bytes of head
)

// head is the part of a World that the engine's snapshot does not have.
type head struct {
	Scene    string            `json:"scene"`
	Name     string            `json:"name,omitempty"` // of a world that is no scene's, with its view
	View     geom.AABB         `json:"view,omitzero"`
	Own      int               `json:"own"`
	Steps    int               `json:"steps"`
	Floor    float64           `json:"floor"`
	Change   uint64            `json:"change"`
	Most     int               `json:"most"`
	Breaks   bool              `json:"breaks,omitempty"`
	Held     []quarry.GroundID `json:"held,omitempty"` // of an older program: grounds that a stroke kept from breaking
	Grounds  []savedGround     `json:"grounds,omitempty"`
	Free     []uint32          `json:"free,omitempty"`
	Serials  uint64            `json:"serials"`
	Players  []savedPlayer     `json:"players,omitempty"`
	Swatches []savedSwatch     `json:"swatches"`
	Palette  uint64            `json:"palette"`
	Budget   savedBudget       `json:"budget"`
	History  []savedEdit       `json:"history,omitempty"`
	Fuses    []fuse            `json:"fuses,omitempty"`
	Exploded uint64            `json:"exploded,omitempty"`
	Groups   int32             `json:"groups,omitempty"`
}

// savedGround is a Ground. All its chunks have its revision after Restore, since nobody has seen them.
type savedGround struct {
	ID     quarry.GroundID `json:"id,omitempty"` // 0: it is gone
	Serial uint64          `json:"serial"`
	Rev    uint64          `json:"rev,omitempty"`
	Chunks []int32         `json:"chunks,omitempty"` // their coordinates, x, y, x, y, ...
}

type savedPlayer struct {
	Player  Player         `json:"player"`
	Grabbed quarry.JointID `json:"grabbed,omitempty"`
	Strokes bool           `json:"strokes,omitempty"`
	Ride    *savedRide     `json:"ride,omitempty"`
}

type savedSwatch struct {
	Index uint16            `json:"index"`
	ID    quarry.MaterialID `json:"id"`
	Name  string            `json:"name,omitempty"`
}

type savedBudget struct {
	Tiles    int  `json:"tiles"`
	Segments int  `json:"segments"`
	Chunks   int  `json:"chunks"`
	Contacts int  `json:"contacts"`
	Added    bool `json:"added,omitempty"`
	Fresh    int  `json:"fresh,omitempty"`
	Touched  int  `json:"touched,omitempty"`
	Last     int  `json:"last"`
}

// AppendSnapshot appends a snapshot of w. A world that Restore makes of it goes on as w would, bit for bit, if the
// edits that the scene makes between steps depend on nothing but the world and the number of steps. AppendSnapshot
// returns an error if w has stopped.
func (w *World) AppendSnapshot(dst []byte) ([]byte, error) {
	if w.stopped != "" {
		return dst, errors.New("play: a world that has stopped has no snapshot: " + w.stopped)
	}
	b := &w.budget
	h := head{
		Scene: w.scene.Name, Own: w.own, Steps: w.steps, Floor: w.floor, Change: w.change, Most: w.most,
		Breaks: w.breaks, Free: w.free, Serials: w.serials, Palette: w.palette.rev,
		Budget:  savedBudget{b.tiles, b.segments, b.chunks, b.contacts, b.added, b.fresh, b.touched, b.last},
		History: w.history.save(), Fuses: w.fuses, Exploded: w.exploded, Groups: w.groups,
	}
	if w.scene.Build == nil {
		h.Scene, h.Name, h.View = "", w.scene.Name, w.scene.View
	}
	for _, t := range w.grounds {
		s := savedGround{Serial: t.serial}
		if !t.gone {
			s.ID, s.Rev = t.id, t.rev
			for _, c := range t.list {
				s.Chunks = append(s.Chunks, c.At.X, c.At.Y)
			}
		}
		h.Grounds = append(h.Grounds, s)
	}
	for _, id := range slices.Sorted(maps.Keys(w.players)) {
		p := w.players[id]
		h.Players = append(h.Players, savedPlayer{id, p.grabbed, p.strokes, p.ride.save()})
	}
	for i := range w.palette.list {
		h.Swatches = append(h.Swatches, savedSwatch{
			w.palette.list[i].Index, w.palette.known[i].id,
			w.palette.known[i].name,
		})
	}
	text, err := json.Marshal(h)
	if err != nil {
		return dst, fmt.Errorf("play: snapshot: %w", err)
	}
	dst = append(dst, snapshotMagic...)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(text)))
	dst = append(dst, text...)
	return w.in.World.AppendSnapshot(dst), nil
}

// Restore makes a world of a snapshot. find returns the scene of a name. On failure Restore returns an error and no
// world.
func Restore(b []byte, find func(name string) (scene.Scene, bool)) (w *World, err error) {
	if len(b) < len(snapshotMagic)+4 || string(b[:len(snapshotMagic)]) != snapshotMagic {
		return nil, errors.New("play: snapshot: it is none, or of another version")
	}
	b = b[len(snapshotMagic):]
	n := int64(binary.LittleEndian.Uint32(b))
	if b = b[4:]; n > maxHead || n > int64(len(b)) {
		return nil, fmt.Errorf("play: snapshot: it is cut off: its head has %d bytes", n)
	}
	var h head
	d := json.NewDecoder(bytes.NewReader(b[:n]))
	d.DisallowUnknownFields()
	if err := d.Decode(&h); err != nil {
		return nil, fmt.Errorf("play: snapshot: its head: %w", err)
	}
	sc, err := h.scene(find)
	if err != nil {
		return nil, fmt.Errorf("play: snapshot: %w", err)
	}
	defer func() {
		if p := recover(); p != nil {
			w, err = nil, fmt.Errorf("play: snapshot: scene %.60s cannot be built: %s", sc.Name, PanicText(p))
		}
	}()
	in := &scene.Instance{World: quarry.NewWorld(quarry.Config{}), DT: ownDT}
	if sc.Build != nil {
		in = sc.New() // its edits know bodies by id, and the snapshot has the same ids
	}
	q := in.World
	if err := q.Restore(b[n:]); err != nil {
		return nil, fmt.Errorf("play: snapshot: %w", err)
	}
	w = &World{
		scene: sc, in: in, own: h.Own, bodies: q.Stats().Bodies, steps: h.Steps, floor: h.Floor,
		change: h.Change, numberOf: map[quarry.GroundID]int{}, free: h.Free, serials: h.Serials,
		players: map[Player]*player{}, breaks: h.Breaks, most: h.Most,
		budget: budget{
			h.Budget.Tiles, h.Budget.Segments, h.Budget.Chunks, h.Budget.Contacts,
			h.Budget.Added, h.Budget.Fresh, h.Budget.Touched, h.Budget.Last,
		},
		fuses: h.Fuses, exploded: h.Exploded, groups: h.Groups,
	}
	if err := w.restore(&h); err != nil {
		return nil, fmt.Errorf("play: snapshot: %w", err)
	}
	return w, nil
}

// maxWorldName bounds the name of a world that is no scene's, in bytes.
const maxWorldName = 200

// scene returns the scene of the snapshot's world.
func (h *head) scene(find func(name string) (scene.Scene, bool)) (scene.Scene, error) {
	if h.Scene != "" {
		sc, ok := find(h.Scene)
		if !ok {
			return sc, fmt.Errorf("there is no scene %.60q", h.Scene)
		}
		return sc, nil
	}
	v := h.View
	for _, x := range [...]float64{v.Min.X, v.Min.Y, v.Max.X, v.Max.Y} {
		if !within(x, MaxCoordinate) || !(v.Min.X < v.Max.X && v.Min.Y < v.Max.Y) {
			return scene.Scene{}, fmt.Errorf("its view %v is out of range", v)
		}
	}
	if len(h.Name) > maxWorldName {
		return scene.Scene{}, fmt.Errorf("its name has %d bytes, the limit is %d", len(h.Name), maxWorldName)
	}
	return ownScene(h.Name, v), nil
}

// restore restores the fields of w that refer to its world, and checks those that the snapshot sets.
func (w *World) restore(h *head) error {
	if math.IsNaN(h.Floor) || h.Steps < 0 || h.Most < 0 || h.Change == 0 {
		return errors.New("a number of its head is out of range")
	}
	for _, f := range h.Fuses {
		if !(f.Radius >= MinBrush && f.Radius <= MaxBrush) || len(h.Fuses) > maxFuses {
			return errors.New("its list of bombs is damaged")
		}
	}
	for i, s := range h.Grounds {
		t := &Ground{number: uint32(i), serial: s.Serial, gone: s.ID == 0, seen: h.Change}
		if w.grounds = append(w.grounds, t); t.gone {
			continue
		}
		g, ok := w.in.World.Ground(s.ID)
		if _, twice := w.numberOf[s.ID]; !ok || twice || len(s.Chunks)%2 != 0 || s.Rev == math.MaxUint64 {
			return fmt.Errorf("ground %d is none of its world, or damaged", i)
		}
		t.id, t.version, t.chunks, t.rev = s.ID, g.Version(), map[gridseg.Cell]int{}, s.Rev
		w.numberOf[s.ID] = i
		for k := 0; k < len(s.Chunks); k += 2 {
			t.at(gridseg.Cell{X: s.Chunks[k], Y: s.Chunks[k+1]})
		}
		if r, ok := g.Grid().Bounds(); ok {
			t.addChunks(g, r) // all are in the list, in what Append wrote
		}
		t.markAll()
	}
	gone := 0
	for _, n := range w.free {
		if int64(n) >= int64(len(w.grounds)) || !w.grounds[n].gone {
			return fmt.Errorf("the number %d is not free", n)
		}
	}
	for _, t := range w.grounds {
		if t.gone {
			gone++
		}
	}
	if sorted := slices.Sorted(slices.Values(w.free)); gone != len(w.free) || len(slices.Compact(sorted)) != gone {
		return errors.New("its list of free numbers is damaged")
	}
	for _, id := range h.Held {
		if g, ok := w.in.World.Ground(id); ok {
			d := g.Def()
			g.SetBreaks(true, d.Anchors, d.AnchorBits)
			g.SetWhole(true)
		}
	}
	for _, s := range h.Players {
		if w.players[s.Player] != nil {
			return fmt.Errorf("player %d is in it twice", s.Player)
		}
		ride, err := s.Ride.restored()
		if err != nil {
			return err
		}
		if w.players[s.Player] = (&player{s.Grabbed, s.Strokes, ride}); ride != nil {
			w.riders = append(w.riders, s.Player)
		}
		if s.Strokes {
			w.strokes++
		}
	}
	slices.Sort(w.riders)
	w.palette.rev = h.Palette
	for _, s := range h.Swatches {
		sw := swatch{id: s.ID, name: s.Name}
		for _, m := range ours {
			if m.name == s.Name && m.m.OneWay != quarry.NotOneWay {
				sw.asUsed = m.m
			}
		}
		w.palette.add(w.in.World, s.Index, sw)
	}
	w.numberGrounds()
	return w.restoreHistory(h.History)
}
