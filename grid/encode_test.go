package grid

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/quarry2d/quarry/geom"
	"pgregory.net/rapid"
)

// TestReloadInAnyOrder: chunks that are unloaded, written, read and loaded in any order give a grid with the same ids,
// boxes and results, of each kind, also when objects come and go in between without taking a free id.
func TestReloadInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		for k, g := range newGrids(1, geom.Box(geom.V(-70, -70), geom.V(70, 70))) {
			still := newGrids(1, geom.Box(geom.V(-70, -70), geom.V(70, 70)))[k]
			n := rapid.IntRange(0, 700).Draw(t, "n")
			for i := range n {
				x, y := float64(i*37%131)-65, float64(i*59%127)-63
				b := geom.Box(geom.V(x, y), geom.V(x+float64(i%7)/3, y+float64(i%5)/2))
				for _, g := range []*Grid{g, still} {
					id, err := g.Add(b, uint64(i))
					if err != nil {
						t.Fatal(err)
					}
					if i%3 == 0 {
						g.SetCategory(id, uint64(i%4))
					}
					if i%17 == 0 {
						g.Exclude(id)
					}
				}
			}
			var places [][]byte
			for range rapid.IntRange(1, 30).Draw(t, "calls") {
				if len(places) > 0 && rapid.Bool().Draw(t, "load") {
					i := rapid.IntRange(0, len(places)-1).Draw(t, "which")
					loadBytes(t, g, places[i])
					places = slices.Delete(places, i, i+1)
					continue
				}
				x, y := rapid.Int64Range(-5, 4).Draw(t, "x"), rapid.Int64Range(-5, 4).Draw(t, "y")
				if objects := g.Unload(nil, x, y); len(objects) > 0 {
					places = append(places, AppendObjects(nil, objects))
				}
				if rapid.IntRange(0, 9).Draw(t, "compact") == 0 {
					g.Compact()
				}
			}
			for _, data := range rapid.Permutation(places).Draw(t, "order") {
				loadBytes(t, g, data)
			}
			a, b := allOf(g), allOf(still)
			if !slices.Equal(a, b) {
				t.Fatalf("%v: objects %v, want %v", g.Kind(), a, b)
			}
			all := geom.Box(geom.V(-200, -200), geom.V(200, 200))
			if p, q := g.AppendPairs(nil), still.AppendPairs(nil); !slices.Equal(p, q) {
				t.Fatalf("%v: pairs %v, want %v", g.Kind(), p, q)
			}
			if p, q := g.AppendOverlaps(nil, all, 1), still.AppendOverlaps(nil, all, 1); !slices.Equal(p, q) {
				t.Fatalf("%v: overlaps %v, want %v", g.Kind(), p, q)
			}
		}
	})
}

// loadBytes loads objects from bytes, and checks that they have the ids in them.
func loadBytes(t rapid.TB, g *Grid, data []byte) {
	t.Helper()
	objects, err := ReadObjects(nil, data)
	if err != nil {
		t.Fatal(err)
	}
	want := slices.Clone(objects)
	if err := g.Load(objects); err != nil || !slices.Equal(objects, want) {
		t.Fatalf("%v: %d objects have other ids or data", err, len(want))
	}
}

// allOf returns the objects of g.
func allOf(g *Grid) (list []Object) {
	for id := range ID(g.idLimit()) {
		if g.Has(id) {
			list = append(list, Object{id, g.Box(id), g.Data(id), g.Category(id), g.Excluded(id)})
		}
	}
	return list
}

// TestLoadOfTakenIDs: objects whose ids were given out meanwhile, were never given out, or come twice get others.
func TestLoadOfTakenIDs(t *testing.T) {
	g := NewChunked(1)
	b := geom.Box(geom.V(0, 0), geom.V(0.5, 0.5))
	for i := range 5 {
		_, _ = g.Add(b, uint64(i))
	}
	out := g.Unload(nil, 0, 0)
	far := geom.Box(geom.V(99, 0), geom.V(99, 1))
	taken, _ := g.Add(far, 9)
	out = append(out, Object{ID: 77, Box: b, Data: 5}, Object{ID: 3, Box: b, Data: 6}, Object{ID: -4, Box: b, Data: 7})
	if err := g.Load(out); err != nil {
		t.Fatal(err)
	}
	seen := map[ID]bool{taken: true}
	for i, o := range out {
		if seen[o.ID] || g.Data(o.ID) != uint64(i) {
			t.Errorf("object %d has the id %d", i, o.ID)
		}
		seen[o.ID] = true
		if i < 5 && ID(i) != taken && i != 3 && o.ID != ID(i) {
			t.Errorf("object %d has the id %d", i, o.ID)
		}
	}
	if g.Len() != 9 || g.idLimit() != 9 {
		t.Errorf("%d objects, ids below %d", g.Len(), g.idLimit())
	}
}

// TestUnloadGivesMemoryBack: when all but one of many chunks are unloaded, hardly more is left than the boxes of that
// chunk and 4 bytes an id.
func TestUnloadGivesMemoryBack(t *testing.T) {
	for _, g := range []*Grid{NewHashed(1), NewChunked(1), NewHierarchical(1)} {
		const side = 240
		for y := range side {
			for x := range side {
				_, _ = g.Add(geom.Box(geom.V(float64(x), float64(y)), geom.V(float64(x)+0.5, float64(y)+0.5)), 0)
			}
		}
		full := g.Stats().Bytes
		var places [][]byte
		for y := range int64(side / 16) {
			for x := range int64(side / 16) {
				if x+y > 0 {
					places = append(places, AppendObjects(nil, g.Unload(nil, x, y)))
				}
			}
		}
		left := g.Stats().Bytes - 4*side*side
		if half := full / 3; left > half {
			t.Errorf("%v: %d of %d bytes are left", g.Kind(), left, full)
		}
		g.Compact()
		if left := g.Stats().Bytes - 4*side*side; left > 60_000 {
			t.Errorf("%v: %d bytes are left after Compact", g.Kind(), left)
		}
		for k := range places {
			loadBytes(t, g, places[(k*11)%len(places)])
		}
		if g.Len() != side*side {
			t.Errorf("%d objects", g.Len())
		}
	}
}

// someObjects returns objects of all kinds, as bytes.
func someObjects() []byte {
	g := NewChunked(1)
	for i := range 4 {
		id, _ := g.Add(geom.Box(geom.V(float64(i), 0.25), geom.V(float64(i)+3, 1e9)), uint64(i)<<60)
		g.SetCategory(id, uint64(i))
	}
	g.Exclude(2)
	return AppendObjects(nil, g.Unload(nil, 0, 0))
}

// TestDamagedObjects: any changed or missing byte is found, and no object is returned.
func TestDamagedObjects(t *testing.T) {
	data := someObjects()
	if got, err := ReadObjects(nil, data); err != nil || len(got) != 4 {
		t.Fatal(got, err)
	}
	for k := range data {
		bad := slices.Clone(data)
		bad[k] ^= 0x40
		if got, err := ReadObjects(nil, bad); err == nil || len(got) > 0 || !strings.Contains(err.Error(), "byte ") {
			t.Fatalf("byte %d: %v, %v", k, got, err)
		}
		if _, err := ReadObjects(nil, data[:k]); err == nil {
			t.Fatalf("%d bytes were read", k)
		}
	}
	defer func() {
		if r := fmt.Sprint(recover()); !strings.Contains(r, "object 1: its id 3") {
			t.Errorf("AppendObjects panics with %q", r)
		}
	}()
	b := geom.Box(geom.V(0, 0), geom.V(1, 1))
	AppendObjects(nil, []Object{{ID: 4, Box: b}, {ID: 3, Box: b}})
}

// FuzzReadObjects: ReadObjects refuses data, or returns objects that give the same data again.
func FuzzReadObjects(f *testing.F) {
	f.Add(someObjects())
	f.Add(AppendObjects(nil, nil))
	f.Add(AppendObjects(nil, []Object{{ID: math.MaxInt32}}))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) >= 4 { // the sum is right, so that mutations reach further
			data = appendSum(slices.Clone(data[:len(data)-4]), 0)
		}
		objects, err := ReadObjects(nil, data)
		if err != nil {
			if len(objects) > 0 {
				t.Fatalf("%d objects, and %v", len(objects), err)
			}
			return
		}
		if !bytes.Equal(AppendObjects(nil, objects), data) {
			t.Fatal("other bytes")
		}
		g := NewHierarchical(1)
		if err := g.Load(objects); err == nil && g.Len() != len(objects) {
			t.Fatalf("%d objects of %d", g.Len(), len(objects))
		}
	})
}

// BenchmarkStreamChunk unloads, writes, reads and loads a chunk of 256 objects of 100 chunks.
func BenchmarkStreamChunk(b *testing.B) {
	g := NewHierarchical(1)
	for i := range 25600 {
		x, y := float64(i%160), float64(i/160)
		_, _ = g.Add(geom.Box(geom.V(x, y), geom.V(x+0.5, y+0.5)), 0)
	}
	var objects []Object
	var data []byte
	b.ReportAllocs()
	for b.Loop() {
		objects = g.Unload(objects[:0], 5, 5)
		data = AppendObjects(data[:0], objects)
		var err error
		if objects, err = ReadObjects(objects[:0], data); err != nil {
			b.Fatal(err)
		}
		if err = g.Load(objects); err != nil {
			b.Fatal(err)
		}
	}
}
