package quarry

import (
	"bytes"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/state"
)

// notSaved are the fields of records that a snapshot leaves out, with the reason. A new field is in the Visit of its
// record, or here.
var notSaved = map[string]string{
	"Body.SolverIndex":                        "of a step",
	"Body.MotionIndex":                        "of a step",
	"Body.NearMovingAt":                       "of a step",
	"Body.Held":                               "counted by checkContact",
	"BodyRare.Room":                           "0 makes the next step look at the boxes",
	"Shape.Proxied.Proxy":                     "told by the broad phase, which is visited",
	"Shape.Extent":                            "of the geometry",
	"Shape.Filter.SensesGround":               "of the flags",
	"Chain.Filter.SensesGround":               "of sensors only",
	"Ground.Filter.SensesGround":              "of sensors only",
	"Shape.InnerRadius":                       "of the geometry",
	"Shape.Hull":                              "of the geometry",
	"Shape._":                                 "padding",
	"SurfaceContact.kinds":                    "of the manifolds",
	"SurfaceContact.UpdatedAt":                "of a step",
	"Ground.Proxied.Proxy":                    "told by the broad phase, which is visited",
	"Chain.Proxied.Proxy":                     "told by the broad phase, which is visited",
	"Ground.Proxied.Material":                 "of shapes",
	"Ground.Proxied.Sensor":                   "of shapes",
	"Chain.Proxied.Material":                  "of shapes",
	"Chain.Proxied.Sensor":                    "of shapes",
	"Chain.Proxied.Flags":                     "of shapes and grounds",
	"Chain.Box":                               "of the points",
	"Chain.Digest":                            "of the other fields",
	"Chain.Chain.corners":                     "of the points",
	"Chain.Chain.starts":                      "of the points",
	"Ground.Tiles.ways":                       "of the materials",
	"Ground.Tiles.byNumber":                   "of the materials",
	"Ground.Tiles.rest":                       "of the materials",
	"Ground.Tiles.waysSince":                  "counts changes, for a cache",
	"Config.Workers":                          "of the machine",
	"Config.Profile":                          "of the machine",
	"SurfaceContact.Memory.OneWay.plainCells": "a cache",
	"SurfaceContact.Memory.OneWay.plainAt":    "a cache",
	"SurfaceContact.Memory.Searched.edition":  "a cache",
	"SurfaceContact.Memory.Searched.cell":     "a cache",
	"SurfaceContact.Memory.Searched.radius":   "a cache",
	"SurfaceContact.Memory.Searched.empty":    "a cache",
}

// savedBy says how a snapshot has each field of a world's state. state.Saved has each of them, too (TestCopyOfState).
var savedBy = map[string]string{
	"Config": "visit", "Names": "with the bodies", "Locked": "counted", "Joints": "visit", "Steps": "visit",
	"Time": "visit", "Length": "visit", "WorldBody": "visit", "Held": "counted", "Moving": "visit",
	"Bodies": "visit", "Rares": "visit", "Shapes": "visit", "RowShapes": "derived", "Grounds": "visit",
	"Torn":   "with the grounds",
	"Chains": "visit", "Contacts": "visit", "Materials": "visit", "Surfaces": "derived", "Islands": "visit",
	"Bullets": "counted", "OneWays": "derived", "Strengths": "derived", "Broad": "visit",
	"Game": "of the program", "Stepping": "of a step", "DT": "of a step", "Pace": "of a step", "materials": "of a call",
	"Woken": "of a step", "Moments": "of a call", "stack": "of a call", "masses": "of a call", "Measures": "for tests",
	"weights": "made anew", "unmeasured": "of calls; a snapshot measures", "boxes": "of a call", "faces": "of a step",
	"packing": "of a call", "savedShapes": "of a call",
}

// TestSnapshotHasEveryField changes each field of each record, and expects another snapshot.
func TestSnapshotHasEveryField(t *testing.T) {
	var names []string
	for f := range reflect.TypeFor[state.World]().Fields() {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	if known := slices.Sorted(maps.Keys(savedBy)); !slices.Equal(names, known) {
		t.Errorf("the state has the fields %v\nknown are %v", names, known)
	}

	w := NewWorld(Config{Gravity: geom.V(0, -10)})
	w.AddMaterial(Material{Friction: 1, OneWay: OneWayUp})
	grid := gridseg.New(nil)
	if err := grid.Fill(gridseg.Rect{MinX: -3, MinY: -1, MaxX: 3, MaxY: -1},
		gridseg.Tile{Shape: gridseg.Full, Material: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.AddGround(0, GroundDef{Grid: grid, Materials: []MaterialID{0, 1}}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.AddChain(0, ChainDef{Points: []geom.Vec{{X: 9}, {X: 8}, {X: 7}}, Materials: []MaterialID{
		1,
		0,
	}}); err != nil {
		t.Fatal(err)
	}
	for k := range 2 {
		b := w.AddBody(BodyDef{Type: Dynamic, Position: geom.V(0, 0.5+float64(k))})
		w.AddShape(b, geom.NewBox(0.5, 0.5), ShapeDef{})
	}
	w.AddJoint(RevoluteJoint{JointBase: JointBase{A: w.bodyAt(1).ID(), B: w.bodyAt(2).ID(), CollideConnected: true}})
	w.AddJoint(RatchetJoint{
		JointBase: JointBase{A: w.bodyAt(1).ID(), B: w.bodyAt(2).ID(), CollideConnected: true},
		Tooth:     1,
	})
	for range 3 {
		w.Step(1.0 / 60)
	}
	want := w.AppendSnapshot(nil)
	seen, saved := map[string]bool{}, map[string]bool{}
	look := func(x any) {
		v := reflect.ValueOf(x).Elem()
		changeFields(v, v.Type().Name(), func(path string) {
			defer func() {
				if recover() != nil { // an index that is out of range now
					saved[path] = true
				}
			}()
			if seen[path] = true; !bytes.Equal(w.AppendSnapshot(nil), want) {
				saved[path] = true
			}
		})
	}
	for _, j := range w.state.Joints.All() {
		look(j)
	}
	look(&w.state.Config)
	look(&w.state.Materials[1])
	for i, b := range w.state.Bodies.All() {
		look(b)
		look(w.state.Rare(i))
	}
	for _, s := range w.state.Shapes.All() {
		look(s)
	}
	for _, s := range w.state.Grounds.All() {
		look(s)
	}
	for _, s := range w.state.Chains.All() {
		look(s)
	}
	for i, s := range w.state.Contacts.All() {
		look(s)
		if s.OfShapes() {
			look(&w.state.Contacts.Manifolds[i])
		} else {
			look(w.state.Contacts.SurfaceOf(s))
		}
	}
	used := map[string]bool{}
	for path := range seen {
		why := ""
		for p := path; p != "" && why == ""; p = p[:max(0, strings.LastIndexByte(p, '.'))] {
			why, used[p] = notSaved[p], true
		}
		if !saved[path] && why == "" {
			t.Errorf("a snapshot leaves %s out", path)
		} else if saved[path] && notSaved[path] != "" {
			t.Errorf("a snapshot has %s", path)
		}
	}
	for name := range notSaved {
		if !used[name] {
			t.Errorf("%s is not a field", name)
		}
	}
	if got := w.AppendSnapshot(nil); !bytes.Equal(got, want) {
		t.Fatal("the test has changed the world")
	}
}

// changeFields changes each number and flag in v, calls do with its path, and undoes the change. Slices are changed in
// their first element.
func changeFields(v reflect.Value, path string, do func(path string)) {
	v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	was := reflect.New(v.Type()).Elem()
	was.Set(v)
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			changeFields(v.Field(i), path+"."+v.Type().Field(i).Name, do)
		}
		return
	case reflect.Array:
		for i := range min(1, v.Len()) {
			changeFields(v.Index(i), path, do)
		}
		return
	case reflect.Slice:
		if v.Len() > 0 {
			changeFields(v.Index(0), path, do)
		}
		return
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Float32, reflect.Float64:
		v.SetFloat(v.Float() + 1)
		if v.Float() == was.Float() {
			v.SetFloat(1)
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(v.Int() ^ 1)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(v.Uint() ^ 1)
	default:
		return
	}
	do(path)
	v.Set(was)
}
