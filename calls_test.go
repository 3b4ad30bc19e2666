package quarry_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// caller makes calls of the exported methods of a world and of its views, with arguments that it
// takes from data: so a new method is covered without a change here. With the build tag invariants,
// each step also checks the world's records (invariants_test.go).
type caller struct {
	data  []byte
	world *quarry.World
	ids   map[reflect.Type][]uint64 // given so far, by type of id, the latest last
	log   []string

	places [][]byte          // that Unload took out of grounds
	hits   []quarry.HitEvent // of the last step; a snapshot has no events
}

// newCaller returns a caller of a new world.
func newCaller(data []byte) *caller {
	return &caller{
		data: data, ids: map[reflect.Type][]uint64{},
		world: quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), Workers: 1}),
	}
}

// midway returns a caller that has made some random calls, of a world without functions: these are in no snapshot.
func midway(t *testing.T, seed uint64) *caller {
	c := newCaller(randomBytes(seed, 4000))
	for range 20 + seed%100 {
		if err := c.one(); err != nil {
			t.Fatal(err)
		}
	}
	if log := strings.Join(c.log, " "); strings.Contains(log, "SetCustomFilter") ||
		strings.Contains(log, "SetPreSolve") {
		c.world.SetCustomFilter(nil)
		c.world.SetPreSolve(nil)
	}
	return c
}

// idTypes are the types of the world's ids, with the method of World that gives the view.
var idTypes = map[reflect.Type]string{
	reflect.TypeFor[quarry.BodyID]():   "Body",
	reflect.TypeFor[quarry.ShapeID]():  "Shape",
	reflect.TypeFor[quarry.GroundID](): "Ground",
	reflect.TypeFor[quarry.ChainID]():  "Chain",
	reflect.TypeFor[quarry.JointID]():  "Joint",
}

// concrete lists the types that are drawn for a parameter of an interface type.
var concrete = map[reflect.Type][]reflect.Type{
	reflect.TypeFor[geom.Shape](): {
		reflect.TypeFor[geom.Circle](), reflect.TypeFor[geom.Capsule](),
		reflect.TypeFor[geom.Segment](), reflect.TypeFor[geom.Polygon](),
	},
	reflect.TypeFor[quarry.JointDef](): {
		reflect.TypeFor[quarry.RevoluteJoint](), reflect.TypeFor[quarry.PrismaticJoint](),
		reflect.TypeFor[quarry.DistanceJoint](), reflect.TypeFor[quarry.WeldJoint](),
		reflect.TypeFor[quarry.WheelJoint](),
		reflect.TypeFor[quarry.MotorJoint](), reflect.TypeFor[quarry.MouseJoint](),
		reflect.TypeFor[quarry.FilterJoint](),
		reflect.TypeFor[quarry.GearJoint](), reflect.TypeFor[quarry.RatchetJoint](),
	},
}

// frequent are the calls that build a world: half of all calls are drawn from them.
var frequent = []string{
	"AddBody", "AddShape", "AddShape", "AddGround", "AddChain", "AddJoint", "AddJoint", "Step",
	"Step", "Step",
}

// byte takes the next byte of the data, 0 at its end.
func (c *caller) byte() int {
	if len(c.data) == 0 {
		return 0
	}
	b := c.data[0]
	c.data = c.data[1:]
	return int(b)
}

// wild are the numbers that one float in sixteen is drawn from.
var wild = []float64{
	math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e300, 1e-300, 1e15, -1e15, 5e-324, 1e7, 401,
	math.Copysign(0, -1),
}

// float draws a number, mostly a multiple of 1/16 from -8 to 8.
func (c *caller) float() float64 {
	k := c.byte()
	if k < 4 {
		return wild[c.byte()%len(wild)]
	}
	return float64(k-130) / 16
}

// field draws the value of a field, in most cases one that is not refused.
func (c *caller) field(f reflect.StructField, depth int) reflect.Value {
	switch v := c.value(f.Type, depth); {
	case f.Type == reflect.TypeFor[quarry.BodyType]() && c.byte() < 250:
		return reflect.ValueOf([]quarry.BodyType{
			quarry.Static, quarry.Kinematic, quarry.Dynamic,
			quarry.Dynamic,
		}[v.Uint()%4])
	case f.Type.Kind() == reflect.Uint64 && len(c.ids[f.Type]) == 0 && c.byte() < 200: // a filter
		return reflect.Zero(f.Type)
	case v.CanFloat() && c.byte() < 230:
		return reflect.ValueOf(math.Abs(v.Float())).Convert(f.Type)
	default:
		return v
	}
}

// spawn adds a dynamic body with a shape, as most games do in most calls.
func (c *caller) spawn() {
	id := c.world.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(float64(c.byte()-128)/32,
		float64(c.byte()-64)/32)})
	c.note([]reflect.Value{reflect.ValueOf(id)})
	var g geom.Shape = geom.Circle{Radius: 0.5}
	if c.byte() >= 128 {
		g = geom.NewBox(0.5, 0.25)
	}
	c.note([]reflect.Value{reflect.ValueOf(c.world.AddShape(id, g, quarry.ShapeDef{}))})
	c.log = append(c.log, "spawn")
}

// cut clears a column or a row of a ground, so that it may break.
func (c *caller) cut() {
	g, ok := c.world.Ground(quarry.GroundID(c.value(reflect.TypeFor[quarry.GroundID](), 0).Uint()))
	if !ok {
		return
	}
	k := int32(c.byte())
	x, y := k%12-6, k/12%12-10
	r := gridseg.Rect{MinX: x, MinY: -10, MaxX: x, MaxY: 4}
	if k >= 192 {
		r = gridseg.Rect{MinX: -8, MinY: y, MaxX: x + 4, MaxY: y}
	}
	_ = g.Fill(r, gridseg.Tile{}) // a place may be unloaded
	c.log = append(c.log, fmt.Sprintf("cut %d %v", g.ID(), r))
}

// value draws a value of type t; depth bounds slices of slices.
func (c *caller) value(t reflect.Type, depth int) reflect.Value {
	v := reflect.New(t).Elem()
	if _, ok := idTypes[t]; ok {
		if k, given := c.byte(), c.ids[t]; k == 255 || len(given) == 0 {
			v.SetUint(uint64(k))
		} else {
			v.SetUint(given[max(0, len(given)-1-k%16)])
		}
		return v
	}
	if t == reflect.TypeFor[geom.Polygon]() {
		h := geom.V(float64(1+c.byte()%16)/8, float64(1+c.byte()%16)/8)
		v.Set(reflect.ValueOf(geom.NewBox(h.X, h.Y)))
		return v
	}
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(c.byte() >= 192)
	case reflect.Float64, reflect.Float32:
		v.SetFloat(c.float())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		k := int64(c.byte())
		if k == 255 {
			k = math.MaxInt64 >> (64 - t.Bits())
		} else {
			k = (k - 120) / 8
		}
		v.SetInt(k)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if k := uint64(c.byte()); k < 128 {
			v.SetUint(k % 8)
		} else if k == 255 {
			v.SetUint(math.MaxUint64 >> (64 - t.Bits()))
		}
	case reflect.Struct:
		for i := range t.NumField() {
			// One field in two keeps its zero value, which works.
			if t.Field(i).IsExported() && (t.NumField() <= 4 || c.byte()&1 == 1) {
				v.Field(i).Set(c.field(t.Field(i), depth))
			}
		}
	case reflect.Array:
		for i := range t.Len() {
			v.Index(i).Set(c.value(t.Elem(), depth+1))
		}
	case reflect.Slice:
		if depth < 3 {
			n := c.byte() % 6
			for range n {
				v.Set(reflect.Append(v, c.value(t.Elem(), depth+1)))
			}
		}
	case reflect.String:
		v.SetString([]string{"", "ice", "mud", "a\x00b"}[c.byte()%4])
	case reflect.Interface:
		if types := concrete[t]; len(types) > 0 {
			if k := c.byte(); k < 255 {
				v.Set(c.value(types[k%len(types)], depth))
			}
		}
	case reflect.Pointer:
		switch t.Elem() {
		case reflect.TypeFor[gridseg.Grid](): // AddGround is given one
		case reflect.TypeFor[gridseg.Stamp]():
			s, _ := gridseg.NewStamp(2, 2)
			v.Set(reflect.ValueOf(s))
		default:
			v.Set(reflect.New(t.Elem()))
			v.Elem().Set(c.value(t.Elem(), depth))
		}
	}
	return v
}

// note keeps the ids in the results of a call.
func (c *caller) note(out []reflect.Value) {
	for _, v := range out {
		if _, ok := idTypes[v.Type()]; ok && v.Uint() != 0 {
			c.ids[v.Type()] = append(c.ids[v.Type()], v.Uint())
		}
		if v.Kind() == reflect.Func && v.Type().CanSeq() && !v.IsNil() {
			for range v.Seq() {
			}
		}
	}
}

// call calls method m of v. A panic must be one of the documented ones.
func (c *caller) call(v reflect.Value, name string) (err error) {
	m := v.MethodByName(name)
	var args []reflect.Value
	for i := range m.Type().NumIn() {
		args = append(args, c.value(m.Type().In(i), 0))
	}
	if name == "Step" { // most steps are accepted
		if k := c.byte(); k >= 16 {
			args[0] = reflect.ValueOf(1.0 / 60)
		}
	}
	if name == "AddGround" { // a few tiles, so that bodies meet them
		g := gridseg.New(gridseg.NewShapes())
		y := int32(c.byte()%8) - 6
		_ = g.Fill(gridseg.Rect{MinX: -6, MinY: y - 2, MaxX: 6, MaxY: y}, gridseg.Tile{Shape: gridseg.Full})
		d := args[1].Interface().(quarry.GroundDef)
		d.Grid = g
		if k := c.byte(); k >= 64 { // most break, and hold by a rectangle or a bit, or nothing
			d.Breaks, d.Anchors, d.AnchorBits = true, [][]gridseg.Rect{
				nil,
				{{MinX: -6, MinY: y - 2, MaxX: int32(k%8) - 6, MaxY: y - 2}},
			}[k>>3&1], uint32(k>>4&1)
		}
		args[1] = reflect.ValueOf(d)
		if c.byte() >= 128 { // one that can be unloaded
			args[0] = reflect.ValueOf(quarry.BodyID(0))
		}
	}
	if name == "Crater" && len(c.hits) > 0 {
		args[0] = reflect.ValueOf(c.hits[c.byte()%len(c.hits)])
	}
	if name == "UnloadPlace" && c.byte() >= 16 { // most places are accepted
		r := args[0].Interface().(gridseg.Rect)
		r.MaxX, r.MaxY = r.MinX+int32(c.byte()%24), r.MinY+int32(c.byte()%24)
		args[0], args[1] = reflect.ValueOf(r), reflect.ValueOf(gridseg.Unloaded(c.byte()%2))
	}
	// a place of any ground
	if name == "LoadPlace" && len(c.places) > 0 && args[0].Type() == reflect.TypeFor[[]byte]() && c.byte() >= 16 {
		args[0] = reflect.ValueOf(c.places[c.byte()%len(c.places)])
	}
	line := fmt.Sprintf("%s.%s(", v.Type(), name)
	for i, a := range args {
		if i > 0 {
			line += ", "
		}
		if a.Kind() == reflect.Func || a.Kind() == reflect.Chan || a.Kind() == reflect.Pointer {
			line += a.Type().String()
		} else if line += fmt.Sprintf("%+v", a.Interface()); len(line) > 600 {
			line = line[:600]
		}
	}
	c.log = append(c.log, line+")")
	defer func() {
		if r := recover(); r != nil {
			if text, ok := r.(string); !ok || !strings.HasPrefix(text, "quarry: ") ||
				strings.HasPrefix(text, "quarry: invariant") {
				err = fmt.Errorf("%s panicked: %v\n%s", name, r, debug.Stack())
			}
		}
	}()
	if m.Type().IsVariadic() {
		c.note(m.CallSlice(args))
	} else {
		out := m.Call(args)
		if name == "Step" {
			c.hits = slices.Clone(c.world.Hits())
			for _, ev := range c.world.Breaks() {
				c.note([]reflect.Value{reflect.ValueOf(ev.Piece), reflect.ValueOf(ev.Body)})
			}
		}
		if n := len(out); n > 0 && out[n-1].Type() == reflect.TypeFor[error]() && out[n-1].IsNil() {
			c.log[len(c.log)-1] += " ok"
		}
		if c.note(out); name == "UnloadPlace" && out[1].IsNil() {
			c.places = append(c.places, out[0].Bytes())
		}
	}
	return nil
}

// skipped are the methods that calls leave out, with the reason.
var skipped = map[string]string{
	"String": "formats",
}

// one makes one call, of the world or of a view.
func (c *caller) one() error {
	k := c.byte()
	if k < 16 {
		c.spawn()
		return nil
	}
	if k < 24 {
		c.cut()
		return nil
	}
	if k < 128 {
		return c.call(reflect.ValueOf(c.world), frequent[k%len(frequent)])
	}
	v := reflect.ValueOf(c.world)
	ground := k >= 248 // half of the calls of grounds are of these methods
	if k >= 160 {
		t := c.idType(k)
		if ground {
			t = reflect.TypeFor[quarry.GroundID]()
		}
		id := c.value(t, 0)
		out := v.MethodByName(idTypes[t]).Call([]reflect.Value{id})
		if !out[1].Bool() {
			return nil
		}
		v = out[0]
	}
	if ground {
		return c.call(v, []string{"UnloadPlace", "LoadPlace", "UnloadPlace", "LoadPlace", "Join"}[c.byte()%5])
	}
	m := v.Type().Method(c.byte() % v.NumMethod())
	if skipped[m.Name] != "" {
		return nil
	}
	return c.call(v, m.Name)
}

// idType draws a type of id, in an order that does not depend on the map's.
func (c *caller) idType(k int) reflect.Type {
	types := slices.SortedFunc(maps.Keys(idTypes), func(a, b reflect.Type) int {
		return strings.Compare(a.Name(), b.Name())
	})
	return types[k%len(types)]
}

// maxCalls bounds the calls that one input makes.
const maxCalls = 200

// runCalls makes the calls of data in a new world and ends with two steps. It returns the number of calls. If it is
// recorded, the recording is replayed.
func runCalls(data []byte, recorded bool) (n int, log []string, err error) {
	c := newCaller(data)
	var out bytes.Buffer
	if recorded {
		c.world.Record(&out, 8)
	}
	for ; n < maxCalls && len(c.data) > 0; n++ {
		if err := c.one(); err != nil {
			return n, c.log, err
		}
	}
	for range 2 {
		c.data = []byte{255}
		if err := c.call(reflect.ValueOf(c.world), "Step"); err != nil {
			return n, c.log, err
		}
	}
	for b := range c.world.Bodies() {
		if !b.Position().IsFinite() || !b.Velocity().IsFinite() || math.IsNaN(b.AngularVelocity()) ||
			math.IsNaN(b.Rotation().C) {
			return n, c.log, fmt.Errorf("body %d: position %v, velocity %v, spin %v, %v", b.ID(), b.Position(),
				b.Velocity(), b.AngularVelocity(), b.Rotation())
		}
	}
	if !recorded {
		return n, c.log, nil
	}
	if err := c.world.StopRecording(); err != nil { // unless a call has stopped it
		return n, c.log, err
	}
	return n, c.log, quarry.NewWorld(quarry.Config{Workers: 1}).Replay(&out)
}

// FuzzCalls: any sequence of calls of the exported API, with any arguments, ends in results, errors or
// panics that begin with "quarry: ", and in a world whose state is finite. With the build tag
// invariants, the records of the world are checked after each step, too.
func FuzzCalls(f *testing.F) {
	for seed := range 8 {
		f.Add(randomBytes(uint64(seed), 2000))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, log, err := runCalls(data, len(data)%2 == 1); err != nil {
			t.Fatalf("%v\n%s", err, strings.Join(log, "\n"))
		}
	})
}

// TestCalls makes 10,000 calls in random sequences, and 1,000,000 with QUARRY_SOAK=1; then all of them are recorded and
// replayed, else one in four.
func TestCalls(t *testing.T) {
	most, each := 10_000, uint64(4)
	if os.Getenv("QUARRY_SOAK") != "" {
		most, each = 1_000_000, 1
	}
	seldom := map[string]int{"quarry.Ground.UnloadPlace(": 0, "quarry.Ground.LoadPlace(": 0, "quarry.Ground.Join(": 0}
	for seed, n := uint64(0), 0; n < most; seed++ {
		made, log, err := runCalls(randomBytes(seed, 4000), seed%each == 0)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, strings.Join(log, "\n"))
		}
		n += made
		for _, line := range log {
			for name := range seldom {
				if strings.HasPrefix(line, name) && strings.HasSuffix(line, " ok") {
					seldom[name]++
				}
			}
		}
	}
	for name, n := range seldom {
		if n == 0 {
			t.Errorf("no call of %s...) succeeded", name)
		}
	}
}

// randomBytes returns n bytes that depend on seed alone.
func randomBytes(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 0))
	data := make([]byte, 0, n+8)
	for len(data) < n {
		data = binary.LittleEndian.AppendUint64(data, r.Uint64())
	}
	return data[:n]
}
