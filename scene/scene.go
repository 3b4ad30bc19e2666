package scene

import (
	"slices"
	"strings"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// Scene is a named world, returned by Get, All and FromGrid. The zero value is not valid.
type Scene struct {
	Name string
	Doc  string // one sentence
	// Steps is the number of steps of a measured run; times exclude the first.
	Steps int
	// View is the part of the world to draw.
	View geom.AABB
	// Config is the configuration of its world.
	Config quarry.Config
	// Functions, if not nil, sets the custom filter and the pre-solve function of the world. Build calls it, and so
	// must a program that replays a recording of the scene.
	Functions func(w *quarry.World)
	// Build makes the scene in an empty world.
	Build func(w *quarry.World) *Instance
}

// New returns a new instance, at step 0.
func (s Scene) New() *Instance { return s.Build(quarry.NewWorld(s.Config)) }

// Instance is a world of a scene, with the scene's edits between steps.
type Instance struct {
	World *quarry.World
	// BeforeStep, if not nil, is called before each step with the number of steps made so
	// far. It makes the scene's edits. Others may change the world, too, as the visitors of a sandbox do: it leaves
	// out bodies and grounds that are gone, and edits that are refused.
	BeforeStep func(step int)
	// DT is the time of a step in seconds.
	DT float64
}

// Step calls BeforeStep and steps the world by DT.
func (in *Instance) Step() {
	if in.BeforeStep != nil {
		in.BeforeStep(int(in.World.StepCount()))
	}
	in.World.Step(in.DT)
}

// registry is every scene, sorted by name.
var registry = []Scene{
	arch, asteroid, blockIntoBody, bridge, car, cardHouse, chainDrive, chains, cliff, compounds, conveyor,
	craters, digUnderLoad, dominoes, farAway, felledTree, friction, groundGhost, islands, jointGrid,
	junctions, junkyard, largePyramid, layers, manyPyramids, multiPendulum, oneWay, outpost, parcours,
	peaks, pendulum, pistons, preSolve, pyramid, radialMatch, raft, ragdolls, rain, seamRun, ship, single,
	smash, softRing, spinner, stack, stairs, teeter, tilesBumpy, tilesFlat, tumbler, underminedTower,
	valley, walk, washer, wedges,
}

// All returns every scene, sorted by name.
func All() []Scene { return slices.Clone(registry) }

// Get returns the scene of that name, or false if there is none.
func Get(name string) (Scene, bool) {
	i, ok := slices.BinarySearchFunc(registry, name, func(s Scene, n string) int { return strings.Compare(s.Name, n) })
	if !ok {
		return Scene{}, false
	}
	return registry[i], true
}

// dt is the step of every scene.
const dt = 1.0 / 60

// The configurations of scenes with gravity: bodies fall asleep with falling, and not with awake.
var (
	falling = quarry.Config{Gravity: geom.V(0, -10)}
	awake   = quarry.Config{Gravity: geom.V(0, -10), NoSleep: true}
)

// put adds a dynamic body with one shape of density 1 at p.
func put(w *quarry.World, p geom.Vec, s geom.Shape, m quarry.MaterialID) quarry.BodyID {
	b := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: p})
	w.AddShape(b, s, quarry.ShapeDef{Material: m})
	return b
}

// ground adds an empty ground at the origin and returns a view of it.
func ground(w *quarry.World) quarry.Ground {
	id, err := w.AddGround(0, quarry.GroundDef{})
	if err != nil {
		panic("scene: " + err.Error()) // a new world's own body takes a ground
	}
	g, _ := w.Ground(id)
	return g
}

// has reports whether the ground g is still in w.
func has(w *quarry.World, g quarry.Ground) bool {
	_, ok := w.Ground(g.ID())
	return ok
}

// hasBody reports whether the body b is still in w.
func hasBody(w *quarry.World, b quarry.Body) bool {
	_, ok := w.Body(b.ID())
	return ok
}

// must panics if an edit that builds a scene is refused; the scene's test finds such an edit.
func must(err error) {
	if err != nil {
		panic("scene: " + err.Error())
	}
}
