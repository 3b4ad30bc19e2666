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
)

// notSaved are the fields of records that a snapshot leaves out, with the reason. A new field is in visit.go, or here.
var notSaved = map[string]string{
	"body.solverIndex":         "of a step",
	"body.moverIndex":          "of a step",
	"body.nearMoverAt":         "of a step",
	"body.held":                "counted by checkContact",
	"bodyRare.room":            "0 makes the next step look at the boxes",
	"shape.proxied.proxy":      "told by the broad phase, which is visited",
	"shape.extent":             "of the geometry",
	"shape.core":               "of the geometry",
	"shape.hull":               "of the geometry",
	"shape._":                  "padding",
	"contactState.points":      "of the manifold",
	"surfaceContact.updatedAt": "of a step",
	"ground.proxied.proxy":     "told by the broad phase, which is visited",
	"chain.proxied.proxy":      "told by the broad phase, which is visited",
	"chain.box":                "of the points",
	"chain.sum":                "of the other fields",
	"chain.Chain.corners":      "of the points",
	"chain.Chain.starts":       "of the points",
	"ground.tiles.ways":        "of the materials",
	"ground.tiles.byNumber":    "of the materials",
	"ground.tiles.rest":        "of the materials",
	"ground.tiles.waysSince":   "counts changes, for a cache",
	"Config.Workers":           "of the machine",
	"Config.Profile":           "of the machine",
	"surfaceContact.Memory.OneWay.plainCells": "a cache",
	"surfaceContact.Memory.OneWay.plainAt":    "a cache",
}

// savedBy says how a snapshot has each field of a world's state. state.copy has each of them, too (TestCopyOfState).
var savedBy = map[string]string{
	"config": "visit", "names": "with the bodies", "locked": "counted", "joints": "visit", "steps": "visit", "time": "visit", "worldBody": "visit", "held": "counted", "moving": "visit",
	"active": "visit", "bodies": "visit", "bodiesRare": "visit", "shapes": "visit", "rowShapes": "derived", "grounds": "visit", "torn": "with the grounds",
	"chains": "visit", "contacts": "visit", "manifolds": "visit", "bases": "visit", "contactEnds": "visit",
	"chosenAt": "of a step", "surfaceContacts": "with the contacts", "materials": "visit", "surfaces": "derived",
	"bullets": "counted", "oneWays": "derived", "strengths": "derived", "broad": "visit",
}

// TestSnapshotHasEveryField changes each field of each record, and expects another snapshot.
func TestSnapshotHasEveryField(t *testing.T) {
	var names []string
	for f := range reflect.TypeFor[state]().Fields() {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	if known := slices.Sorted(maps.Keys(savedBy)); !slices.Equal(names, known) {
		t.Errorf("the state has the fields %v\nknown are %v", names, known)
	}

	w := NewWorld(Config{Gravity: geom.V(0, -10)})
	w.AddMaterial(Material{Friction: 1, OneWay: OneWayUp})
	grid := gridseg.New(nil)
	if err := grid.Fill(gridseg.Rect{MinX: -3, MinY: -1, MaxX: 3, MaxY: -1}, gridseg.Tile{Shape: gridseg.Full, Material: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.AddGround(0, GroundDef{Grid: grid, Materials: []MaterialID{0, 1}}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.AddChain(0, ChainDef{Points: []geom.Vec{{X: 9}, {X: 8}, {X: 7}}, Materials: []MaterialID{1, 0}}); err != nil {
		t.Fatal(err)
	}
	for k := range 2 {
		b := w.AddBody(BodyDef{Type: Dynamic, Position: geom.V(0, 0.5+float64(k))})
		w.AddShape(b, geom.NewBox(0.5, 0.5), ShapeDef{})
	}
	w.AddJoint(RevoluteJoint{JointBase: JointBase{A: w.bodyAt(1).ID(), B: w.bodyAt(2).ID(), CollideConnected: true}})
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
	for _, j := range w.joints.All() {
		look(j)
	}
	look(&w.config)
	look(&w.materials[1])
	for i, b := range w.bodies.All() {
		look(b)
		look(w.rare(i))
	}
	for _, s := range w.shapes.All() {
		look(s)
	}
	for _, s := range w.grounds.All() {
		look(s)
	}
	for _, s := range w.chains.All() {
		look(s)
	}
	for i, s := range w.contacts.All() {
		look(s)
		if s.ofShapes() {
			look(&w.manifolds[i])
		} else {
			look(w.surfaceOf(s))
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
