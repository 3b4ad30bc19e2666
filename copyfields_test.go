package quarry

import (
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/quarry2d/quarry/internal/pool"
	"github.com/quarry2d/quarry/internal/state"
)

// notCopied are the fields of a state that a Snapshot does not have, and those whose memory it shares, with the reason.
var notCopied = map[string]string{
	"state.Stepping":                 "of a step",
	"state.Woken":                    "of a step",
	"state.Moments":                  "of a call",
	"state.DT":                       "of a step",
	"state.Pace":                     "of a step",
	"state.materials":                "of a call",
	"state.stack":                    "of a call",
	"state.masses":                   "of a call",
	"state.Measures":                 "for tests",
	"state.weights":                  "made anew",
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
		if to.IsNil() != from.IsNil() {
			report(path, "is missing")
		} else if !from.IsNil() && from.Kind() == reflect.Pointer && from.Pointer() == to.Pointer() {
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

// TestCopyOfEvents: a Snapshot has the events that the next step will report.
func TestCopyOfEvents(t *testing.T) {
	var from, to events
	fill(reflect.ValueOf(&from).Elem())
	to.copy(&from)
	logs := 0
	var compare func(path string, a, b reflect.Value)
	compare = func(path string, a, b reflect.Value) {
		for i := range a.NumField() {
			f, path := a.Type().Field(i), path+"."+a.Type().Field(i).Name
			switch {
			case strings.HasPrefix(f.Type.Name(), "touches["):
				compare(path, a.Field(i), b.Field(i))
			case strings.HasPrefix(f.Type.Name(), "Log["):
				logs++
				differences(path+".later", a.Field(i).FieldByName("later"), b.Field(i).FieldByName("later"), func(path,
					what string,
				) {
					t.Errorf("%s %s: see events.copy", path, what)
				})
			}
		}
	}
	compare("events", reflect.ValueOf(from), reflect.ValueOf(to))
	if logs != 7 || reflect.TypeFor[pool.Log[Move]]().NumField() != 2 {
		t.Errorf("%d logs: does the test still find them?", logs)
	}
}
