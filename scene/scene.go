package scene

import (
	"slices"
	"strings"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
)

// Scene is a named world. The zero Scene is not one; Get and All return them.
type Scene struct {
	Name string
	Doc  string // one sentence
	// Steps is how many steps the scene is measured over, the first not
	// counted in times.
	Steps int
	// View is the part of the world worth showing.
	View geom.AABB
	// New makes the world anew.
	New func() *Instance
}

// Instance is a scene that runs.
type Instance struct {
	World *quarry.World
	// BeforeStep, if not nil, is called before each step with the number of
	// steps made: it is where a scene edits its world.
	BeforeStep func(step int)
	// DT is the time of a step in seconds.
	DT float64
}

// Step makes one step of the scene.
func (in *Instance) Step() {
	if in.BeforeStep != nil {
		in.BeforeStep(int(in.World.StepCount()))
	}
	in.World.Step(in.DT)
}

// registry is every scene, sorted by name.
var registry = func() []Scene {
	all := []Scene{blockIntoBody, chains, cliff, compounds, conveyor, craters, digUnderLoad, farAway, groundGhost, junctions, junkyard, largePyramid, layers, manyPyramids, oneWay, peaks, radialMatch, seamRun, smash, stairs, tilesBumpy, tilesFlat, valley, washer, wedges}
	slices.SortFunc(all, func(a, b Scene) int { return strings.Compare(a.Name, b.Name) })
	return all
}()

// All returns every scene, sorted by name.
func All() []Scene { return slices.Clone(registry) }

// Get returns the scene of that name, or false when there is none.
func Get(name string) (Scene, bool) {
	i, ok := slices.BinarySearchFunc(registry, name, func(s Scene, n string) int { return strings.Compare(s.Name, n) })
	if !ok {
		return Scene{}, false
	}
	return registry[i], true
}

// dt is the step of every scene.
const dt = 1.0 / 60

// newWorld returns a world with the gravity that scenes have.
func newWorld(noSleep bool) *quarry.World {
	return quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), NoSleep: noSleep})
}

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

// must stops on an edit that a scene got wrong, which its test would show.
func must(err error) {
	if err != nil {
		panic("scene: " + err.Error())
	}
}
