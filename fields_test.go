package quarry

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/pool"
	"github.com/quarry2d/quarry/internal/replay"
	"github.com/quarry2d/quarry/internal/rows"
	"github.com/quarry2d/quarry/internal/solve"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/step"
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
	"Ground.Prev":                             "of Next",
	"Chain.Prev":                              "of Next",
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

// notHashed are the fields of bodies that a snapshot has and World.Hash leaves out, with the reason. A new property is
// in the hash, or here.
var notHashed = map[string]string{
	"Body.BoxChanges":     "follows from the calls made",
	"Body.DiscGate":       "of the shapes",
	"Body.DisplacedAt":    "follows from the calls made",
	"Body.Extent":         "of the shapes",
	"Body.FirstChain":     "an order",
	"Body.FirstContact":   "an order",
	"Body.FirstGround":    "an order",
	"Body.FirstShape":     "an order",
	"Body.Flags":          "told by the fields of BodyRare; the others are hashed",
	"Body.InvInertia":     "of the moment of inertia",
	"Body.InvMass":        "of the mass",
	"Body.Step":           "follows from the calls made",
	"BodyRare.User":       "for the game",
	"BodyRare.BornAt":     "follows from the calls made",
	"BodyRare.CrushedAt":  "follows from the calls made",
	"BodyRare.FirstJoint": "an order",
	"BodyRare.Gate":       "of the shapes",
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
	"Woken": "of a step", "Pinched": "of a step", "Moments": "of a call", "stack": "of a call", "masses": "of a call",
	"tileMasses": "of a call", "ownerContacts": "made anew",
	"materialContacts": "made anew", "Measures": "for tests",
	"weights": "made anew", "unmeasured": "of calls; a snapshot measures", "boxes": "of a call", "faces": "of a step",
	"packing": "of a call", "savedShapes": "of a call",
}

// TestSnapshotHasEveryField changes each field of each record, and expects another snapshot, and for a field of a body
// another hash.
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
	hash := w.Hash()
	seen, saved, hashed := map[string]bool{}, map[string]bool{}, map[string]bool{}
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
			hashed[path] = w.Hash() != hash || hashed[path]
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
	for path := range saved {
		record, _, _ := strings.Cut(path, ".")
		field, _, _ := strings.Cut(path[len(record)+1:], ".")
		if name := record + "." + field; strings.HasPrefix(record, "Body") && hashed[path] == (notHashed[name] != "") {
			t.Errorf("%s: in the hash %v, in notHashed %q", path, hashed[path], notHashed[name])
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

// notCopied are the fields of a state that a Snapshot does not have, and those whose memory it shares, with the reason.
var notCopied = map[string]string{
	"state.Stepping":                 "of a step",
	"state.Woken":                    "of a step",
	"state.Pinched":                  "of a step",
	"state.Moments":                  "of a call",
	"state.DT":                       "of a step",
	"state.Pace":                     "of a step",
	"state.materials":                "of a call",
	"state.stack":                    "of a call",
	"state.masses":                   "of a call",
	"state.tileMasses":               "of a call",
	"state.Measures":                 "for tests",
	"state.weights":                  "made anew",
	"state.ownerContacts":            "made anew",
	"state.materialContacts":         "made anew",
	"state.unmeasured":               "of calls; Capture measures",
	"state.boxes":                    "of a call",
	"state.faces":                    "of a step",
	"state.packing":                  "of a call",
	"state.RowShapes":                "follow from the hulls",
	"state.savedShapes":              "of a call",
	"state.Contacts.Order":           "made anew",
	"state.Contacts.loading":         "of a call",
	"state.Contacts.Ends.prev":       "follows from next (TestEdges), but not in these lists, which have loops",
	"state.Shapes.items.Hull":        "follows from the geometry, which is nil here: TestLoadedHulls",
	"state.Shapes.items.Extent":      "follows from the hull",
	"state.Shapes.items.InnerRadius": "follows from the hull",
	"state.Islands":                  "of a step, but for Jammed",
}

var sharedBySnapshots = map[string]string{
	"state.Broad":                          "Snapshot.broad has what changes",
	"state.Grounds.items.Tiles.Grid":       "Snapshot.tiles has what changes",
	"state.Grounds.items.Owner":            "of the grid; Ground.Restore follows it",
	"state.Grounds.items.Tiles.Materials":  "never changes",
	"state.Grounds.items.Tiles.ways":       "made anew by each change",
	"state.Grounds.items.Fracture.Anchors": "made anew by each change",
	"state.Strengths":                      "made anew by each change",
	"state.Grounds.items.Tiles.byNumber":   "made anew by each change",
	"state.Chains.items.Chain":             "points never change, SetMaterial writes a new list",
	"state.OneWays":                        "made anew by each change",
}

// fill sets all that v has, also unexported fields, to values that are not zero; lists have two elements.
func fill(v reflect.Value) {
	v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(1)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(1)
	case reflect.String:
		v.SetString("a")
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0))
		fill(v.Index(1))
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key)
		fill(value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case reflect.Interface:
		if v.Type() == reflect.TypeFor[state.Owner]() {
			v.Set(reflect.ValueOf(&struct{ state.Owner }{}))
		}
	}
}

// differences calls report for each field below path in which the copy to differs from the original from, or shares its
// memory.
func differences(path string, from, to reflect.Value, report func(path, what string)) {
	if notCopied[path] != "" {
		return
	}
	switch from.Kind() {
	case reflect.Struct:
		for i := range from.NumField() {
			if f := from.Type().Field(i); f.Name != "_" {
				at := path + "." + f.Name
				if f.Anonymous && f.Name == "Pool" {
					at = path
				}
				differences(at, from.Field(i), to.Field(i), report)
			}
		}
	case reflect.Array, reflect.Slice:
		if from.Len() != to.Len() {
			report(path, "is missing")
			return
		}
		if from.Kind() == reflect.Slice && from.Len() > 0 && from.Pointer() == to.Pointer() {
			report(path, "is shared")
			return
		}
		for i := range from.Len() {
			differences(path, from.Index(i), to.Index(i), report)
		}
	case reflect.Map:
		switch {
		case from.Len() != to.Len():
			report(path, "is missing")
		case from.Pointer() == to.Pointer():
			report(path, "is shared")
		}
	case reflect.Pointer, reflect.Interface:
		switch {
		case to.IsNil() != from.IsNil():
			report(path, "is missing")
		case !from.IsNil() && from.Kind() == reflect.Interface:
			differences(path, from.Elem(), to.Elem(), report)
		case !from.IsNil() && from.Pointer() == to.Pointer():
			report(path, "is shared")
		}
	case reflect.Func, reflect.Chan:
	default:
		if !from.Equal(to) {
			report(path, "is missing")
		}
	}
}

// TestCopyOfState: a Snapshot has each field of a state, also of its records, in memory of its own, or there is a
// reason. So a field that is added to a record cannot be forgotten in a Snapshot.
func TestCopyOfState(t *testing.T) {
	var from, to, none state.World
	fill(reflect.ValueOf(&from).Elem())
	var s state.Saved
	from.Save(&s)
	to.Load(&s)
	used := map[string]bool{}
	differences("state", reflect.ValueOf(&from).Elem(), reflect.ValueOf(&to).Elem(), func(path, what string) {
		for shared := range sharedBySnapshots {
			if what == "is shared" && (path == shared || strings.HasPrefix(path, shared+".")) {
				used[shared] = true
				return
			}
		}
		t.Errorf("%s %s: see state.Saved, and Snapshot", path, what)
	})
	for path := range sharedBySnapshots {
		if !used[path] {
			t.Errorf("%s is not shared", path)
		}
	}

	found := 0 // the comparison finds all that is missing
	differences("state", reflect.ValueOf(&from).Elem(), reflect.ValueOf(&none).Elem(), func(string, string) { found++ })
	if found < reflect.TypeFor[state.World]().NumField() {
		t.Errorf("an empty copy lacks %d fields", found)
	}
}

// eachLog calls do with the path of each pool.Log in e, and with its events of the step and of changes after it.
func eachLog(e *events, do func(path string, now, later reflect.Value)) {
	var visit func(path string, v reflect.Value)
	visit = func(path string, v reflect.Value) {
		for i := range v.NumField() {
			f, path := v.Type().Field(i), path+"."+v.Type().Field(i).Name
			switch {
			case strings.HasPrefix(f.Type.Name(), "touches["):
				visit(path, v.Field(i))
			case strings.HasPrefix(f.Type.Name(), "Log["):
				do(path, v.Field(i).FieldByName("Now"), v.Field(i).FieldByName("later"))
			}
		}
	}
	visit("events", reflect.ValueOf(e).Elem())
}

// sameLater fails if the events of changes after the step in to differ from the ones in from, or share their memory.
func sameLater(t *testing.T, from, to *events, why string) {
	t.Helper()
	var want []reflect.Value
	eachLog(from, func(_ string, _, later reflect.Value) { want = append(want, later) })
	if len(want) < 7 || reflect.TypeFor[pool.Log[Move]]().NumField() != 2 {
		t.Errorf("%d logs: does the test still find them?", len(want))
	}
	k := 0
	eachLog(to, func(path string, _, later reflect.Value) {
		differences(path+".later", want[k], later, func(path, what string) {
			t.Errorf("%s %s: see %s", path, what, why)
		})
		k++
	})
}

// TestCopyOfEvents: a Snapshot has the events that the next step will report.
func TestCopyOfEvents(t *testing.T) {
	var from, to events
	fill(reflect.ValueOf(&from).Elem())
	to.copy(&from)
	sameLater(t, &from, &to, "events.copy")
}

// TestEventsInSnapshots: the bytes of a snapshot have the events that the next step will report.
func TestEventsInSnapshots(t *testing.T) {
	var from, to events
	fill(reflect.ValueOf(&from).Elem())
	eachLog(&from, func(_ string, _, later reflect.Value) { // no event has both a shape and a ground as side B
		for i := range later.Len() {
			if event := later.Index(i); event.Kind() == reflect.Struct {
				id := event.FieldByName("ShapeB")
				reflect.NewAt(id.Type(), unsafe.Pointer(id.UnsafeAddr())).Elem().SetZero()
			}
		}
	})
	c := pool.Writing(nil, snapshotVersion, false)
	from.visit(c)
	read, err := pool.Reading(c.Finish(), snapshotVersion, false)
	if err != nil {
		t.Fatal(err)
	}
	to.visit(read)
	if err := read.End(); err != nil {
		t.Fatal(err)
	}
	sameLater(t, &from, &to, "events.visit")
}

// TestStepClearsEvents: at the begin of a step the events of the last one go, and the events of changes since then are
// the first of the step.
func TestStepClearsEvents(t *testing.T) {
	var e events
	fill(reflect.ValueOf(&e).Elem())
	e.clear()
	eachLog(&e, func(path string, now, later reflect.Value) {
		if now.Len() != 2 || later.Len() != 0 {
			t.Errorf("%s has %d events of the step, %d later ones: see events.clear", path, now.Len(), later.Len())
		}
	})
	v := reflect.ValueOf(&e).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Slice && f.Len() > 0 {
			t.Errorf("events.%s has %d events: see events.clear", v.Type().Field(i).Name, f.Len())
		}
	}
}

// bytes returns the bytes of memory that s holds, besides s, the tiles, names and events: of all slices of its records,
// without those to which their elements point.
func (s *Snapshot) bytes() int {
	return heldBytes(reflect.ValueOf(&s.state).Elem()) + heldBytes(reflect.ValueOf(&s.broad).Elem())
}

// heldBytes returns the bytes of the slices in v, which is a struct, and in the structs and arrays in it.
func heldBytes(v reflect.Value) (n int) {
	switch v.Kind() {
	case reflect.Slice:
		return v.Cap() * int(v.Type().Elem().Size())
	case reflect.Struct:
		for i := range v.NumField() {
			n += heldBytes(v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			n += heldBytes(v.Index(i))
		}
	}
	return n
}

// pileOf returns a world of n boxes that have fallen into a pit of tiles for some steps.
func pileOf(t testing.TB, n, steps int) *World {
	w := NewWorld(Config{Gravity: geom.V(0, -10), Workers: 1})
	grid := gridseg.New(nil)
	for _, r := range []gridseg.Rect{
		{MinX: -20, MinY: -20, MaxX: 60, MaxY: -1}, {MinX: -20, MaxX: -1, MaxY: 60}, {MinX: 30, MaxX: 60, MaxY: 60},
	} {
		if err := grid.Fill(r, gridseg.Tile{Shape: gridseg.Full}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.AddGround(0, GroundDef{Grid: grid}); err != nil {
		t.Fatal(err)
	}
	for k := range n {
		at := geom.V(0.5+0.63*float64(k%28), 0.6+0.63*float64(k/28))
		b := w.AddBody(BodyDef{Type: Dynamic, Position: at, Angle: float64(k % 7)})
		w.AddShape(b, geom.NewBox(0.3, 0.24), ShapeDef{})
	}
	for range steps {
		w.Step(1.0 / 60)
	}
	return w
}

// TestSnapshotBytes: a Snapshot of a pile of a thousand bodies on tiles holds as much memory as docs/snapshots.md says,
// and Rewind makes the world of it again, without allocations.
func TestSnapshotBytes(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Skip("pointers of 32 bits: the bytes are those on machines of 64 bits")
	}
	w := pileOf(t, 1022, 300)
	var s Snapshot
	w.Capture(&s)
	n, contacts := s.bytes(), w.state.Contacts.Len()
	text, err := os.ReadFile("docs/snapshots.md")
	if err != nil {
		t.Fatal(err)
	}
	touching := 0
	for _, c := range w.state.Contacts.All() {
		if c.Touching {
			touching++
		}
	}
	said := fmt.Sprintf("1,022 boxes with %d contacts, of which %d touch, takes %.2f MB", contacts, touching,
		float64(n)/1e6)
	if n > 1_000_000 || !strings.Contains(strings.ReplaceAll(string(text), "\n", " "), said) {
		t.Errorf("docs/snapshots.md does not say that a pile of %s; or that is more than 1 MB", said)
	}

	want := w.AppendSnapshot(nil)
	again := func() {
		w.Capture(&s)
		w.Step(1.0 / 60)
		w.Rewind(&s)
	}
	again() // the first Load and the step after it get their memory
	allocs := testing.AllocsPerRun(4, again)
	if allocs > 0 {
		t.Errorf("%v allocations", allocs)
	}
	if !bytes.Equal(w.AppendSnapshot(nil), want) {
		t.Error("another world after Rewind")
	}
}

// TestLoadedHulls: after Rewind each shape has the hull of its geometry, whatever happened to its slot.
func TestLoadedHulls(t *testing.T) {
	w := NewWorld(Config{})
	body := w.AddBody(BodyDef{Type: Dynamic})
	var ids []ShapeID
	for k := range 6 {
		ids = append(ids, w.AddShape(body, geom.NewBox(1, 1+float64(k)), ShapeDef{}))
	}
	w.RemoveShape(ids[5]) // a free slot at the time of Save
	var s Snapshot
	w.Capture(&s)
	at := func(id ShapeID) Shape { v, _ := w.Shape(id); return v }
	at(ids[0]).SetGeometry(geom.Circle{Radius: 3})
	at(ids[1]).SetGeometry(at(ids[1]).Geometry())
	w.RemoveShape(ids[2])
	w.RemoveShape(ids[3])
	for k := range 3 {
		w.AddShape(body, geom.Circle{Radius: 5 + float64(k)}, ShapeDef{})
	}
	w.Rewind(&s)
	for i := range w.state.Shapes.Slots() {
		got := *w.state.Shapes.At(i)
		if i == 5 {
			if w.state.Shapes.Used(i) || got.Geometry != nil || got.Hull != (collide.Hull{}) {
				t.Errorf("the free slot has %v", got)
			}
			continue
		}
		want := got
		if want.Hull = collide.NewHull(geom.NewBox(1, 1+float64(i))); got.Hull != want.Hull {
			t.Errorf("shape %d has the hull of %v", i, got.Geometry)
		}
		if want.Measure(); got.Extent != want.Extent || got.InnerRadius != want.InnerRadius {
			t.Errorf("shape %d has other sizes", i)
		}
	}
}

// TestStatedSizes: bodies, shapes and contacts have as many bytes as docs/solver.md says, on a machine of 64 bits.
func TestStatedSizes(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Skip("pointers of 32 bits: the sizes are those on machines of 64 bits")
	}
	text, err := os.ReadFile("docs/solver.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, size := range map[string]uintptr{
		"state.Body": unsafe.Sizeof(state.Body{}), "state.BodyRare": unsafe.Sizeof(state.BodyRare{}),
		"solve.Motion": unsafe.Sizeof(solve.Motion{}),
		"state.Shape":  unsafe.Sizeof(state.Shape{}), "broad.Entry": unsafe.Sizeof(broad.Entry{}),
		"state.Contact":    unsafe.Sizeof(state.Contact{}),
		"contact.Manifold": unsafe.Sizeof(contact.Manifold{}), "narrow.Base": unsafe.Sizeof(narrow.Base{}),
		"state.SurfaceContact":    unsafe.Sizeof(state.SurfaceContact{}),
		"contact.SurfaceManifold": unsafe.Sizeof(contact.SurfaceManifold{}), "solve.Link": unsafe.Sizeof(solve.Link{}),
		"rows.Ref": unsafe.Sizeof(rows.Ref{}),
	} {
		if row := fmt.Sprintf("| `%s` | %d |", name, size); !strings.Contains(string(text), row) {
			t.Errorf("docs/solver.md has no row %q", row)
		}
	}
	body, contact := step.Bytes()
	if said := fmt.Sprintf("takes %d bytes", body); !strings.Contains(string(text), said) {
		t.Errorf("docs/solver.md does not say that a body %s", said)
	}
	if said := fmt.Sprintf("of two shapes %d with", contact); !strings.Contains(string(text), said) {
		t.Errorf("docs/solver.md does not say that a contact %s", said)
	}
}

// RecordedNames returns the names of the methods that a log may name.
func RecordedNames() (names []string) {
	for _, f := range recordedCalls() {
		names = append(names, replay.NameOf(f))
	}
	return names
}
