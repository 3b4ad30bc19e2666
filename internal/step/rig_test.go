package step

import (
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/joint"
	"github.com/quarry2d/quarry/internal/pool"
	"github.com/quarry2d/quarry/internal/rows"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/surface"
)

// rig is a world for tests of the stages, without the API, and the game that it reports to.
type rig struct {
	w state.World
	Stages
	touched, ended int      // begins and ends of contacts and sensors
	crossed        int      // pairs that passed each other
	crushed        []int32  // bodies
	refuses        bool     // the custom filter refuses all pairs that ask
	disables       bool     // the pre-solve function leaves out all manifolds
	friction       *float64 // that the pre-solve function sets
	mixed          int      // manifolds that the pre-solve function mixed
}

// stepTime is the time of a step in tests.
const stepTime = 1.0 / 64

func newRig(c state.Config, workers int) *rig {
	r := &rig{}
	c.Workers = workers
	r.w.Begin("newRig", c, state.Material{Surface: rows.Surface{Friction: 0.6}})
	r.w.Game = r
	r.SetWorkers(workers)
	return r
}

func (r *rig) body(t broad.BodyType, at geom.Vec) int32 {
	w := &r.w
	i, _, b := w.Bodies.Add()
	w.Moving.Add(i)
	*b = state.Body{
		Center: at, Rot: geom.Identity, FirstShape: -1, FirstContact: -1, FirstGround: -1,
		FirstChain: -1, Type: t, Awake: true,
	}
	pool.Clear(&w.Rares, &w.Bodies, i)
	w.Rare(i).FirstJoint = -1
	return i
}

func (r *rig) shape(body int32, g geom.Shape, sensor bool, flags state.Flags) int32 {
	w := &r.w
	si, _, s := w.Shapes.Add()
	pool.Clear(&w.RowShapes, &w.Shapes, si)
	*s = state.Shape{
		Proxied:  state.Proxied{Proxy: broad.None, Body: body, Next: -1, Sensor: sensor, Flags: flags},
		Filter:   broad.Filter{Category: 1, Mask: 1},
		Geometry: g, Hull: state.HullOf("shape", g), Density: 1, Prev: -1,
	}
	s.Measure()
	if err := w.AddProxy(broad.OwnerOf(broad.Shape, si), &s.Proxied, s.Filter,
		g.Bounds(w.Bodies.At(body).Transform()).Expand(s.Margin())); err != nil {
		panic(err)
	}
	w.Link(broad.OwnerOf(broad.Shape, si))
	w.UpdateMass(body)
	return si
}

// disc adds a body with a disc.
func (r *rig) disc(t broad.BodyType, at geom.Vec, radius float64) int32 {
	i := r.body(t, at)
	r.shape(i, geom.Circle{Radius: radius}, false, 0)
	return i
}

// contacts begins a step, and runs the stages before Apply.
func (r *rig) contacts() {
	r.w.MeasureAll()
	r.Begin(&r.w, stepTime)
	r.Pairs.Step(&r.w, r.Team)
	r.Narrow.Step(&r.w, r.Team, r)
}

// step runs all stages, and returns the bodies that fell asleep.
func (r *rig) step() (asleep []int32) {
	w := &r.w
	r.contacts()
	r.Apply.Step(w, r.Team, &r.Narrow)
	r.List.Step(w, r.Team, &r.Solver, &r.Narrow)
	r.Solve.Step(w, r.Team, &r.Solver, &r.List, r)
	r.Advance.Step(w, r.Team, &r.List.Awake, r.Solver.Motions, r)
	r.Sense.Step(w, r.Advance.Fast(), r.Advance.Kinematic(), len(r.List.Awake.Bodies))
	for _, k := range r.Sleep.Step(w, r.Team, r.List.Awake.Bodies, r.Solver.Motions) {
		asleep = append(asleep, r.List.Awake.Bodies[k])
	}
	r.end()
	return asleep
}

func (r *rig) end() {
	r.Team.End()
	r.End(&r.w, stepTime)
}

func (r *rig) at(i int32) *state.Body { return r.w.Bodies.At(i) }

// The rest implements state.Game and Game.

func (r *rig) Refuses(a, b broad.Owner) bool { return r.refuses }

func (r *rig) Touched(c *state.Contact, on bool, at *contact.Source) {
	if on {
		r.touched++
	} else {
		r.ended++
	}
}
func (r *rig) TouchedMaterial(*state.Contact, int, *contact.Source, bool) {}
func (r *rig) Crossed(broad.Owner, int32)                                 { r.crossed++ }
func (r *rig) Edited(int32, gridseg.Rect, uint64)                         {}
func (r *rig) Crushed(body int32)                                         { r.crushed = append(r.crushed, body) }
func (r *rig) Lost(int32)                                                 {}

func (r *rig) Keeps(int, *state.Contact, *contact.Manifold, *contact.SurfaceManifold) bool {
	return !r.disables
}

func (r *rig) Mix(_ int, _ *state.Contact, m *contact.Manifold, _ *contact.SurfaceManifold, mixed *[2]rows.Mixed) {
	r.mixed++
	for k := range m.N {
		mixed[k] = rows.Mixed{}
		if r.friction != nil {
			mixed[k].Friction = *r.friction
		}
	}
}
func (r *rig) KeepsArrival(int, *Arrival) bool { return !r.disables }

// tiles adds a ground with full blocks in the cells of r to a body.
func (r *rig) tiles(body int32, cells gridseg.Rect) int32 {
	w := &r.w
	grid := gridseg.New(nil)
	if err := grid.Fill(cells, gridseg.Tile{Shape: gridseg.Full}); err != nil {
		panic(err)
	}
	grid.Resolve()
	gi, _, g := w.Grounds.Add()
	*g = state.Ground{
		Proxied: state.Proxied{Proxy: broad.None, Body: body},
		Filter:  broad.Filter{Category: 1, Mask: 1},
		Tiles:   surface.Tiles{Grid: grid, Version: 1}, Box: geom.Empty,
	}
	g.Tiles.SetWays(&w.OneWays)
	w.Link(broad.OwnerOf(broad.Ground, gi))
	if err := w.GrowGround(gi, cells); err != nil {
		panic(err)
	}
	w.TilesChanged(gi)
	return gi
}

// joint adds a joint of a and b with both anchors at a point of the world.
func (r *rig) joint(kind joint.Kind, a, b int32, at geom.Vec) *state.Joint {
	w := &r.w
	i, _, j := w.Joints.Add()
	pool.Clear(&w.Joints.Ends, &w.Joints.Pool, i)
	*j = state.Joint{Joint: joint.Joint{
		Kind: kind, A: joint.FrameOn(r.at(a).Transform(), at, geom.V(1, 0)),
		B: joint.FrameOn(r.at(b).Transform(), at, geom.V(1, 0)),
	}, BodyA: a, BodyB: b}
	w.FitJoint(j)
	w.Joints.Ends.Link(i, &w.Rare(a).FirstJoint, &w.Rare(b).FirstJoint)
	w.CollideConnected(j, false)
	w.SwitchJoint(i)
	return j
}

// chain adds a chain of points to a body.
func (r *rig) chain(body int32, points ...geom.Vec) *state.Chain {
	w := &r.w
	ci, _, c := w.Chains.Add()
	*c = state.Chain{
		Proxied: state.Proxied{Proxy: broad.None, Body: body},
		Filter:  broad.Filter{Category: 1, Mask: 1},
	}
	c.Points = points
	c.Build()
	c.Box = c.Chain.Bounds()
	if err := w.AddProxy(broad.OwnerOf(broad.Chain, ci), &c.Proxied, c.Filter,
		c.Box.In(r.at(body).Transform()).Expand(state.AABBMargin)); err != nil {
		panic(err)
	}
	w.Link(broad.OwnerOf(broad.Chain, ci))
	return c
}
