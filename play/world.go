package play

import (
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/scene"
)

// Player names who gives a command. A drag and a stroke belong to a player.
type Player uint64

// player is what a player holds in a world.
type player struct {
	grabbed quarry.JointID // the joint of the drag; 0: none
	strokes bool           // a stroke goes on
	ride    *ride          // nil: the player drives nothing
}

// World is the world of a scene, changed by commands and steps alone: two worlds of one scene with equal commands
// between equal steps are equal, with equal errors. It is not safe for concurrent use. Make one with New.
type World struct {
	scene  scene.Scene
	in     *scene.Instance
	own    int // dynamic bodies at step 0
	bodies int // in the world
	steps  int
	floor  float64 // the lowest height of the scene, see removeFallen
	// stopped is why the world has stopped; "" if it has not.
	stopped string
	change  uint64 // grows with each step, and with each command that may change the world

	grounds  []*Ground               // by number
	numberOf map[quarry.GroundID]int // of each ground
	free     []uint32                // numbers of removed grounds
	serials  uint64                  // number of grounds so far
	players  map[Player]*player      // those who hold something
	breaks   bool                    // a static or kinematic ground may break
	strokes  int                     // number of players whose stroke goes on
	palette  palette
	budget   budget
	history  history
	riders   []Player                 // those who drive something, in order
	by       Player                   // who gives the command being executed
	fuses    []fuse                   // of bombs, in the order in which they were lit
	blasts   []Blast                  // since the last step began
	exploded uint64                   // number of explosions so far
	redrawn  map[quarry.BodyID]uint64 // by how often their shapes were changed; not kept
	groups   int32                    // number of filter groups that stamps have used
	most     int                      // bodies at which additions are refused

	// Scratch.
	segs     []gridseg.Segment
	near     []quarry.ShapeID
	contacts []quarry.Contact
	met      []quarry.Target
	alongs   []cellChange
}

// New returns the world of a scene at step 0. At maxBodies bodies, of any type, additions are refused; the scene itself
// may have more. If the scene cannot be built, New returns an error and an empty world that has stopped.
func New(sc scene.Scene, maxBodies int) (w *World, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("scene: %.60s cannot be built: %s", sc.Name, PanicText(p))
			w = of(sc, &scene.Instance{World: quarry.NewWorld(quarry.Config{}), DT: 1.0 / 60}, maxBodies)
			w.Stop(err.Error())
		}
	}()
	return of(sc, sc.New(), maxBodies), nil
}

// NewOf returns a world that is no scene's: it is an engine's world, such as a map file's, which then belongs to it.
// Scene returns its name and view, without Build.
func NewOf(name string, q *quarry.World, view geom.AABB, maxBodies int) *World {
	return of(ownScene(name, view), &scene.Instance{World: q, DT: ownDT}, maxBodies)
}

// ownDT is the time of a step of a world that is no scene's.
const ownDT = 1.0 / 60

func ownScene(name string, view geom.AABB) scene.Scene {
	return scene.Scene{Name: name, Doc: "A world of your own.", View: view}
}

// of returns the world of an instance of a scene.
func of(sc scene.Scene, in *scene.Instance, maxBodies int) *World {
	w := &World{
		scene: sc, in: in, floor: sc.View.Min.Y, most: maxBodies, change: 1,
		numberOf: map[quarry.GroundID]int{}, players: map[Player]*player{},
	}
	for b := range in.World.Bodies() {
		w.bodies++
		if b.Type() == quarry.Dynamic {
			w.own++
		}
	}
	for g := range in.World.Grounds() {
		w.breaks = w.breaks || g.Def().Breaks
	}
	w.palette.open(in.World)
	w.numberGrounds()
	w.budget.tiles, w.budget.segments, w.budget.chunks = w.groundSize()
	return w
}

// Engine returns the world of the engine, to read. Whoever changes it ends the equality of worlds.
func (w *World) Engine() *quarry.World { return w.in.World }

// Scene returns the scene.
func (w *World) Scene() scene.Scene { return w.scene }

// Own returns the number of dynamic bodies of the scene at step 0.
func (w *World) Own() int { return w.own }

// MaxBodies returns the number of bodies at which additions are refused.
func (w *World) MaxBodies() int { return w.most }

// SetMaxBodies sets the number of bodies at which additions are refused. Equal worlds have the same.
func (w *World) SetMaxBodies(n int) { w.most = n }

// Steps returns the number of steps made.
func (w *World) Steps() int { return w.steps }

// Change returns a number that grows with each step and with each command that may change the world.
func (w *World) Change() uint64 { return w.change }

// Breaks reports whether parts of standing grounds that nothing holds fall.
func (w *World) Breaks() bool { return w.breaks }

// Stopped returns why the world has stopped, or "". A world stops for good when a call panics in it: it may be
// inconsistent, so it is neither stepped, edited nor read.
func (w *World) Stopped() string { return w.stopped }

// Stop stops the world. The first reason counts.
func (w *World) Stop(why string) {
	if w.stopped == "" {
		w.stopped = why
		w.change++
	}
}

// Do executes a command that Check has accepted. Some commands change a part of what they should and return an error; a
// command that panics stops the world.
func (w *World) Do(by Player, c Command) error {
	d := descriptions[c.Do]
	if d == nil {
		return fmt.Errorf("unknown command %.40q", c.Do)
	}
	if w.stopped != "" {
		if c.Do == "release" || c.Do == "leave" {
			return nil
		}
		return errors.New(w.stopped)
	}
	if d.traits.ChangesGround && w.Full() {
		return fmt.Errorf("%s: the ground beside %d bodies was changed since the last step, which is the limit; "+
			"make a step first",
			c.Do, maxTouched)
	}
	w.change++
	return w.try("the command "+c.Do, func() error {
		p := w.players[by]
		if p == nil {
			p = &player{}
			w.players[by] = p
		}
		hold := c.Hold && d.fields&fieldHold != 0
		if hold {
			w.hold(p)
		}
		if w.by = by; d.edits {
			w.history.begin(by, hold)
		}
		err := d.do(w, p, c)
		w.history.end()
		if *p == (player{}) {
			delete(w.players, by)
		}
		w.look()
		return err
	})
}

// Leave ends the drag, the stroke and the drive of a player.
func (w *World) Leave(by Player) {
	if w.players[by] != nil {
		_ = w.Do(by, Command{Do: "release"})
	}
	if w.players[by] != nil {
		_ = w.Do(by, Command{Do: "leave"})
	}
}

// LeaveAll ends the drags and strokes of all players.
func (w *World) LeaveAll() {
	for _, by := range slices.Sorted(maps.Keys(w.players)) {
		w.Leave(by)
	}
}

// Step makes the scene's edits and a step. It returns an error if the world has stopped.
func (w *World) Step() error {
	if w.stopped != "" {
		return errors.New(w.stopped)
	}
	w.change++
	return w.try(fmt.Sprintf("step %d", w.steps+1), func() error {
		w.step()
		return nil
	})
}

func (w *World) step() {
	q := w.in.World
	w.blasts = w.blasts[:0]
	if w.in.BeforeStep != nil {
		w.in.BeforeStep(int(q.StepCount()))
		w.lookAtEdits() // Step empties the list of edits
	}
	w.ride()
	q.Step(w.in.DT)
	w.lookAtEdits()
	w.dropFragments()
	st := q.Stats()
	w.bodies = st.Bodies
	w.budget.stepped(st.Contacts)
	w.steps++
	w.burn()
	if w.steps%60 == 0 {
		w.removeFallen()
	}
	w.look()
}

// look brings the numbers of grounds and the palette up to date with the world.
func (w *World) look() {
	w.numberGrounds()
	if w.palette.look(w.in.World) {
		for _, g := range w.grounds {
			g.markAll()
		}
	}
}

// try calls f. If it panics, the world stops, and try returns the reason; doing says in it what f does.
func (w *World) try(doing string, f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			w.Stop(fmt.Sprintf("%s failed: %s", doing, PanicText(p)))
			err = errors.New(w.stopped)
		}
	}()
	return f()
}

// PanicText describes the panic p in a deferred function: its value, and the place of the panic.
func PanicText(p any) string {
	text := fmt.Sprint(p)
	var calls [32]uintptr
	frames := runtime.CallersFrames(calls[:runtime.Callers(2, calls[:])])
	for inside := false; ; {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, "runtime.") {
			inside = inside || f.Function == "runtime.gopanic"
		} else if inside {
			return fmt.Sprintf("%.200s (%s:%d)", text, f.File[strings.LastIndexByte(f.File, '/')+1:], f.Line)
		}
		if !more {
			return fmt.Sprintf("%.200s", text)
		}
	}
}

// dropFragments removes parts of grounds that came off in this step beyond the limits of grounds and of bodies.
func (w *World) dropFragments() {
	q := w.in.World
	parts := q.Breaks()
	if len(parts) == 0 {
		return
	}
	st := q.Stats()
	grounds := 0
	for range q.Grounds() {
		grounds++
	}
	for i := len(parts) - 1; i >= 0 && (grounds > maxGrounds || st.Bodies > w.most); i-- {
		if q.RemoveBody(parts[i].Body) {
			grounds--
			st.Bodies--
		}
	}
}

// fallDepth is the depth below floor, in cells, at which a falling body is removed.
const fallDepth = 1000

// removeFallen removes dynamic bodies that fell out of the scene, which would fill the world.
func (w *World) removeFallen() {
	q := w.in.World
	for c := range q.Chains() {
		w.lower(c.Bounds().Min.Y)
	}
	var doomed []quarry.BodyID
	for b := range q.Bodies() {
		if b.Type() == quarry.Dynamic && b.Position().Y < w.floor-fallDepth {
			doomed = append(doomed, b.ID())
		}
	}
	for _, id := range doomed {
		q.RemoveBody(id)
		w.bodies--
	}
}

// lower lowers the floor to y.
func (w *World) lower(y float64) { w.floor = min(w.floor, y) }

// bodyAt returns a body with a shape or solid ground at p that is not static. Of several it returns the body with the
// largest id, which is the newest, unless slots have been reused.
func (w *World) bodyAt(p geom.Vec) (quarry.Body, bool) {
	q := w.in.World
	found := quarry.BodyID(0)
	for _, id := range q.AppendShapesAt(nil, p) {
		if sh, ok := q.Shape(id); ok && sh.Body().Type() != quarry.Static {
			found = max(found, sh.Body().ID())
		}
	}
	for _, t := range w.grounds {
		if g, ok := q.Ground(t.id); ok && g.Body().Type() != quarry.Static && g.Solid(p) {
			found = max(found, g.Body().ID())
		}
	}
	return q.Body(found)
}
