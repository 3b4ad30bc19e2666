package quarry_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"hash/crc32"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
)

// recordCalls makes the calls of data in a world that is recorded after the first ones, and returns it and the log.
func recordCalls(t testing.TB, seed uint64, before, after int) (*quarry.World, []byte, []string) {
	t.Helper()
	c := newCaller(randomBytes(seed, 60*(before+after)))
	var log bytes.Buffer
	for n := range before + after {
		if n == before {
			c.world.SetCustomFilter(nil)
			c.world.SetPreSolve(nil)
			c.world.Record(&log, 1)
		}
		if err := c.one(); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.world.StopRecording(); err != nil {
		t.Fatal(err)
	}
	return c.world, log.Bytes(), c.log
}

// TestReplayEqualsWorld makes random calls of all methods: a replay of their log ends in the same snapshot, which
// has more than the hash, and goes on with the same bits.
func TestReplayEqualsWorld(t *testing.T) {
	skipped["Record"], skipped["StopRecording"], skipped["Replay"] = "the test does", "the test does", "the test does"
	defer func() {
		for _, name := range []string{"Record", "StopRecording", "Replay"} {
			delete(skipped, name)
		}
	}()
	for seed := range uint64(60) {
		w, log, made := recordCalls(t, seed, int(seed%3)*20, 150)
		again := quarry.NewWorld(quarry.Config{Workers: 1})
		if err := again.Replay(bytes.NewReader(log)); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, strings.Join(made, "\n"))
		}
		if !bytes.Equal(w.AppendSnapshot(nil), again.AppendSnapshot(nil)) {
			t.Errorf("seed %d: the hashes are equal, and the snapshots differ\n%s", seed, strings.Join(made, "\n"))
		}
		for range 5 {
			w.Step(1.0 / 60)
			again.Step(1.0 / 60)
		}
		if w.Hash() != again.Hash() {
			t.Errorf("seed %d: the worlds go on differently", seed)
		}
	}
}

// TestEveryChangeIsRecorded parses the package: an exported method that begins like one that changes a world has a
// hook, as has every one that calls mustNotStep or change, or it has a reason.
func TestEveryChangeIsRecorded(t *testing.T) {
	without := map[string]string{
		"Record": "begins the log", "StopRecording": "ends it", "Replay": "makes recorded calls",
		"AppendSnapshot": "changes nothing", "Capture": "changes nothing",
		"Rewind": "is recorded as a Restore", "RestoreWithTiles": "is recorded as a Restore",
		"Explode": "is recorded as impulses", "Dig": "is a Subtract", "Build": "is a Unite",
		"SetCustomFilter": "is recorded as askAnew", "SetPreSolve": "is recorded as askAnew",
		"Place": "is recorded by its cells", "Unite": "is recorded by its cells",
		"Subtract": "is recorded by its cells",
	}
	views := []string{"World", "Body", "Shape", "Ground", "Chain", "Joint"}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	hooks := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil || !f.Name.IsExported() {
				continue
			}
			of := f.Recv.List[0].Type
			if p, ok := of.(*ast.StarExpr); ok {
				of = p.X
			}
			id, ok := of.(*ast.Ident)
			if !ok || !slices.Contains(views, id.Name) {
				continue
			}
			changes, hooked, method := false, false, id.Name+"."+f.Name.Name
			for _, begin := range []string{"Add", "Remove", "Set", "Apply", "Clear", "Fill", "Move", "Wake", "Sleep"} {
				rest, ok := strings.CutPrefix(f.Name.Name, begin)
				changes = changes || ok && (rest == "" || rest[0] < 'a')
			}
			ast.Inspect(f.Body, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					changes = changes || slices.Contains([]string{"mustNotStep", "recorder", "change", "beginEdit"},
						s.Sel.Name)
				}
				if c, ok := n.(*ast.CallExpr); ok {
					if s, ok := c.Fun.(*ast.SelectorExpr); ok && strings.HasPrefix(s.Sel.Name, "Call") &&
						len(c.Args) > 1 {
						if name, ok := c.Args[1].(*ast.BasicLit); ok && name.Value != strconv.Quote(method) {
							t.Errorf("%s is recorded as %s", method, name.Value)
						}
						hooked = true
					}
				}
				return true
			})
			if changes && !hooked && without[f.Name.Name] == "" {
				t.Errorf("%s: %s changes a world and is not recorded", name, f.Name.Name)
			}
			if hooked {
				hooks++
				if !slices.Contains(quarry.RecordedNames(), method) {
					t.Errorf("%s is recorded, and cannot be replayed: it is not in recordedCalls", method)
				}
			}
		}
	}
	if n := len(quarry.RecordedNames()); hooks+3 != n { // askAnew, paste and register
		t.Errorf("%d methods are recorded, and %d can be replayed", hooks+3, n)
	}
}

// diggingLog records a few steps with a ball above a ground that is dug, and returns the log.
func diggingLog(t testing.TB, every int) []byte {
	t.Helper()
	var out bytes.Buffer
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10)})
	w.Record(&out, every)
	id, err := w.AddGround(0, quarry.GroundDef{})
	if err != nil {
		t.Fatal(err)
	}
	g, _ := w.Ground(id)
	if err := g.Fill(gridseg.Rect{MinX: -8, MinY: -8, MaxX: 7, MaxY: -1},
		gridseg.Tile{Shape: gridseg.Full}); err != nil {
		t.Fatal(err)
	}
	ball := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 1)})
	w.AddShape(ball, geom.Circle{Radius: 0.5}, quarry.ShapeDef{})
	for k := range 40 {
		if k%10 == 5 {
			bedrock := func(c gridseg.Cell, _ gridseg.Tile) bool { return c.Y < -4 }
			if err := g.Dig(geom.V(float64(k)/10-2, -1), geom.V(0, -6), 1, gridseg.Keep(bedrock)); err != nil {
				t.Fatal(err)
			}
		}
		if k == 20 {
			w.Explode(quarry.ExplosionDef{Radius: 9, ImpulsePerLength: 5})
		}
		w.Step(1.0 / 60)
	}
	var s quarry.Snapshot
	w.Capture(&s)
	w.Step(1.0 / 60)
	w.Rewind(&s)
	w.Step(1.0 / 30)
	if err := w.StopRecording(); err != nil {
		t.Fatal(err)
	}
	if err := w.StopRecording(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestReplayOfDigging replays brushes with a Keep function, an explosion and a Rewind.
func TestReplayOfDigging(t *testing.T) {
	for _, every := range []int{1, 7, 1000} {
		w := quarry.NewWorld(quarry.Config{})
		if err := w.Replay(bytes.NewReader(diggingLog(t, every))); err != nil || w.StepCount() != 41 {
			t.Errorf("every %d: %d steps, %v", every, w.StepCount(), err)
		}
	}
}

// TestReplayRefusesDamage changes bytes of a log, all of its ends and one in seven between, and cuts it there: none is
// replayed to its end.
func TestReplayRefusesDamage(t *testing.T) {
	log := diggingLog(t, 10)
	for i := range log {
		if i > 100 && i < len(log)-100 && i%7 != 0 {
			continue
		}
		log[i] ^= 1 << (i % 8)
		if err := quarry.NewWorld(quarry.Config{}).Replay(bytes.NewReader(log)); err == nil ||
			!strings.HasPrefix(err.Error(), "quarry: Replay: step ") {
			t.Fatalf("byte %d of %d changed: %v", i, len(log), err)
		}
		log[i] ^= 1 << (i % 8)
		if i%5 == 0 {
			if err := quarry.NewWorld(quarry.Config{}).Replay(bytes.NewReader(log[:i])); err == nil {
				t.Fatalf("cut at %d of %d: no error", i, len(log))
			}
		}
	}
}

// TestReplayTellsReadErrors: an error of the reader is neither "the log is not a recording" nor "the log ends early".
func TestReplayTellsReadErrors(t *testing.T) {
	log := diggingLog(t, 10)
	for n := range len(log) {
		if n > 300 && n%97 != 0 {
			continue
		}
		in := io.MultiReader(bytes.NewReader(log[:n]), iotest.ErrReader(errFull))
		if err := quarry.NewWorld(quarry.Config{}).Replay(in); !errors.Is(err, errFull) {
			t.Fatalf("after %d of %d bytes: %v", n, len(log), err)
		}
	}
}

// TestReplayNamesTheStep replays in a world that has a pre-solve function which differs from the recorded one from its
// 6th call on: the error names the first step with another hash.
func TestReplayNamesTheStep(t *testing.T) {
	make := func(from int) (*quarry.World, func()) {
		w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), Workers: 1})
		step := 0
		w.SetPreSolve(func(p *quarry.PreSolve) { p.Disabled = step >= from })
		return w, func() { step++; w.Step(1.0 / 60) }
	}
	w, step := make(1000)
	floor := w.AddBody(quarry.BodyDef{})
	w.AddShape(floor, geom.NewBox(5, 0.5), quarry.ShapeDef{})
	box := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(0, 1)})
	w.AddShape(box, geom.NewBox(0.5, 0.5), quarry.ShapeDef{Flags: quarry.AskPreSolve})
	var log bytes.Buffer
	w.Record(&log, 1)
	for range 20 {
		step()
	}
	if err := w.StopRecording(); err != nil {
		t.Fatal(err)
	}
	same, _ := make(1000)
	if err := same.Replay(bytes.NewReader(log.Bytes())); err != nil {
		t.Error(err)
	}
	other := quarry.NewWorld(quarry.Config{Workers: 1})
	other.SetPreSolve(func(p *quarry.PreSolve) { p.Disabled = other.StepCount() >= 5 })
	err := other.Replay(bytes.NewReader(log.Bytes()))
	if err == nil || !strings.Contains(err.Error(), "Replay: step 6: ") || !strings.Contains(err.Error(),
		"step 5 was the last with the same hash") {
		t.Error(err)
	}
	if err := quarry.NewWorld(quarry.Config{}).Replay(bytes.NewReader(log.Bytes())); err == nil ||
		!strings.Contains(err.Error(), "pre-solve") {
		t.Error("without the function:", err)
	}
}

type failingWriter struct{ left int }

func (f *failingWriter) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

var errFull = errors.New("full")

// TestRecordFails has the reasons why a recording ends with an error; the world goes on.
func TestRecordFails(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	w.Record(&failingWriter{2000}, 1)
	for range 200 {
		w.Step(1.0 / 60)
	}
	if err := w.StopRecording(); !errors.Is(err, errFull) {
		t.Error("a full disk:", err)
	}
	w.Record(new(bytes.Buffer), 1)
	w.SetCustomFilter(func(a, b quarry.Side) bool { return true })
	if err := w.StopRecording(); err == nil || !strings.Contains(err.Error(), "SetCustomFilter") {
		t.Error("a custom filter:", err)
	}
}

// TestNotRecordedAllocatesNothing: hooks of a world that is not recorded allocate nothing.
func TestNotRecordedAllocatesNothing(t *testing.T) {
	w := quarry.NewWorld(quarry.Config{})
	b, _ := w.Body(w.AddBody(quarry.BodyDef{Type: quarry.Dynamic}))
	if n := testing.AllocsPerRun(100, func() {
		b.SetVelocity(geom.V(1, 2))
		b.ApplyForce(geom.V(1, 2), geom.V(0, 0))
		b.SetTransform(geom.V(0, 0), 1)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzReplay: any log is replayed or refused.
func FuzzReplay(f *testing.F) {
	f.Add(diggingLog(f, 10), uint16(0), byte(0))
	f.Add(diggingLog(f, 1), uint16(700), byte(3))
	f.Fuzz(func(t *testing.T, log []byte, at uint16, to byte) {
		if len(log) > 1<<14 {
			return
		}
		fixed := reseal(log, int(at), to)
		if bytes.Count(fixed, []byte("Step")) > 200 {
			return
		}
		_ = quarry.NewWorld(quarry.Config{Workers: 1}).Replay(bytes.NewReader(fixed))
	})
}

// reseal returns a copy of the log with the byte of its contents at the place at changed to to, and with right
// checksums, for tests of hostile logs. Bytes outside blocks stay as they are.
func reseal(log []byte, at int, to byte) []byte {
	log = slices.Clone(log)
	sum := uint32(0)
	for i := 16; i+8 <= len(log); {
		n := int64(binary.LittleEndian.Uint32(log[i:]))
		if i += 4; n > int64(len(log)-i-4) {
			break
		}
		content := log[i : i+int(n)]
		if at >= 0 && at < len(content) {
			content[at] = to
		}
		at -= len(content)
		sum = crc32.Update(sum, crc32.MakeTable(crc32.Castagnoli), content)
		i += len(content)
		binary.LittleEndian.PutUint32(log[i:], sum)
		i += 4
	}
	return log
}

// TestReplayOfRegistration registers tile shapes in the registry of a ground while the world is recorded, also in one
// that two grounds share, and lays tiles of them by a call and by a stamp.
func TestReplayOfRegistration(t *testing.T) {
	var log bytes.Buffer
	shapes := gridseg.NewShapes()
	w := quarry.NewWorld(quarry.Config{Gravity: geom.V(0, -10), Workers: 1})
	var grounds [2]quarry.Ground
	for k := range grounds {
		if k == 1 {
			w.Record(&log, 1)
		}
		id, err := w.AddGround(0, quarry.GroundDef{Grid: gridseg.New(shapes)})
		if err != nil {
			t.Fatal(err)
		}
		grounds[k], _ = w.Ground(id)
	}
	for k, h := range []float64{0.25, 0.75, 0.125, 0.5} {
		tile, err := shapes.Register(strconv.Itoa(k), [][2]float64{{0, 0}, {1, 0}, {1, h}, {0, h}})
		if err != nil {
			t.Fatal(err)
		}
		g, x := grounds[k/2], int32(k)
		if k%2 == 0 {
			err = g.Set(x, 0, gridseg.Tile{Shape: tile})
		} else {
			var s *gridseg.Stamp
			if s, err = gridseg.NewStamp(1, 1); err == nil {
				s.Set(0, 0, gridseg.Tile{Shape: tile})
				err = g.Place(x, 0, s)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		ball := w.AddBody(quarry.BodyDef{Type: quarry.Dynamic, Position: geom.V(float64(k)+0.5, 2)})
		w.AddShape(ball, geom.Circle{Radius: 0.3}, quarry.ShapeDef{})
		for range 40 {
			w.Step(1.0 / 60)
		}
	}
	if err := w.StopRecording(); err != nil {
		t.Fatal(err)
	}
	again := quarry.NewWorld(quarry.Config{Workers: 1})
	if err := again.Replay(&log); err != nil || again.Hash() != w.Hash() {
		t.Error(err)
	}
}
