package tilemap

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// ldtkProject is a project of the given layout and levels.
func ldtkProject(layout string, levels ...string) string {
	return `{"__header__": {"app": "LDtk"}, "jsonVersion": "1.5.3", "worldLayout": "` + layout + `",
"defs": {"layers": [], "tilesets": [{"customData": [{"tileId": 3, "data": "} ] \\ \""}]}]},
"levels": [` + strings.Join(levels, ",\n") + `], "worlds": []}`
}

// ldtkLevel is a level of w x h cells of 8 pixels, at (x, y) in pixels, with layers of cells of 8 pixels from the top
// down.
func ldtkLevel(name string, x, y, w, h int, layers ...string) string {
	return fmt.Sprintf(
		`{"identifier": %q, "worldX": %d, "worldY": %d, "worldDepth": 0, "pxWid": %d, "pxHei": %d, "externalRelPath": null,
"layerInstances": [%s]}`, name, x, y, 8*w, 8*h, strings.Join(layers, ",\n"))
}

func ldtkLayer(name string, w, h int, values string) string {
	return fmt.Sprintf(
		`{"__identifier": %q, "__type": "IntGrid", "__cWid": %d, "__cHei": %d, "__gridSize": 8, "__pxTotalOffsetX": 0,
"__pxTotalOffsetY": 0, "visible": true, "intGridCsv": [%s], "autoLayerTiles": [{"px": [0, 0], "src": [8, 0], "f": 0, "t": 1, "d": [1, 2], "a": 1}]}`,
		name, w, h, values)
}

// loadLDtk loads a project and returns its cells, as "x,y:value" in their order.
func loadLDtk(t *testing.T, project string, opt Options, files ...string) (string, *Map) {
	t.Helper()
	fsys := fstest.MapFS{"maps/world.ldtk": {Data: []byte(project)}}
	for i := 0; i < len(files); i += 2 {
		fsys[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	m, err := Load(fsys, "maps/world.ldtk", opt)
	if err != nil {
		t.Fatal(err)
	}
	var cells []string
	for _, c := range m.Cells {
		if c.Shape != 0 || c.Turn != 0 || c.Material != 0 || !m.Shapes[0].IsFull() {
			t.Errorf("a cell that is no full block: %+v", c)
		}
		cells = append(cells, fmt.Sprintf("%d,%d:%d", c.X, c.Y, c.User))
	}
	return strings.Join(cells, " "), m
}

// TestLDtk: levels lie at their places in the world, y up, and the values become the users of full blocks.
func TestLDtk(t *testing.T) {
	entities := `{"__identifier": "Things", "__type": "Entities", "__cWid": 2, "__cHei": 2, "__gridSize": 8, "entityInstances": [{"a": [{}]}]}`
	walls := ldtkLayer("Walls", 2, 2, "1,0,\n0,2")
	for _, c := range []struct {
		name, project string
		layers        []string
		want          string
		warnings      int
	}{
		{"a level", ldtkProject("Free", ldtkLevel("A", 0, 0, 2, 2, entities, walls)), nil, "1,-2:2 0,-1:1", 0},
		{
			"a level elsewhere", ldtkProject("GridVania", ldtkLevel("A", -80, 16, 2, 2, walls)), nil,
			"-9,-4:2 -10,-3:1",
			0,
		},
		{
			"two levels", ldtkProject("Free", ldtkLevel("A", 0, 0, 2, 2, walls), ldtkLevel("B", 16, -16, 2, 2, walls)),
			nil, "1,-2:2 0,-1:1 3,0:2 2,1:1", 0,
		},
		{
			"one of two", ldtkProject("Free", ldtkLevel("A", 0, 0, 2, 2, walls), ldtkLevel("B", 16, -16, 2, 2, walls)),
			[]string{"B/Walls"},
			"3,0:2 2,1:1", 0,
		},
		{"a row", ldtkProject("LinearHorizontal", ldtkLevel("A", -1, -1, 2, 2, walls), ldtkLevel("B", -1, -1, 2, 2,
			walls)), nil, "1,-2:2 3,-2:2 0,-1:1 2,-1:1", 0},
		{"a column", ldtkProject("LinearVertical", ldtkLevel("A", -1, -1, 2, 2, walls), ldtkLevel("B", -1, -1, 2, 2,
			walls)), nil, "1,-4:2 0,-3:1 1,-2:2 0,-1:1", 0},
		{"the lower layer wins", ldtkProject("Free", ldtkLevel("A", 0, 0, 1, 1, ldtkLayer("Top", 1, 1, "7"),
			ldtkLayer("Low", 1, 1, "8"))), nil, "0,-1:8", 1},
		{"a layer by name", ldtkProject("Free", ldtkLevel("A", 0, 0, 1, 1, ldtkLayer("Top", 1, 1, "7"),
			ldtkLayer("Low", 1, 1, "8"))), []string{"Top"}, "0,-1:7", 0},
		{"hidden", ldtkProject("Free", strings.Replace(ldtkLevel("A", 0, 0, 2, 2, walls), `"visible": true`,
			`"visible": false`, 1)), nil, "", 1},
		{"at another depth", ldtkProject("Free", strings.Replace(ldtkLevel("A", 0, 0, 2, 2, walls), `Depth": 0`,
			`Depth": -1`, 1)), nil, "", 1},
		{"named all the same", ldtkProject("Free", strings.Replace(ldtkLevel("A", 0, 0, 2, 2, walls), `Depth": 0`,
			`Depth": -1`, 1)), []string{"Walls"}, "1,-2:2 0,-1:1", 0},
		{"with an offset", ldtkProject("Free", strings.Replace(ldtkLevel("A", 0, 0, 2, 2, walls), `OffsetX": 0`,
			`OffsetX": -8`, 1)), nil, "0,-2:2 -1,-1:1", 0},
		{"other cells unread", ldtkProject("Free", ldtkLevel("A", 0, 0, 2, 2, walls,
			strings.Replace(ldtkLayer("Fine", 4, 4, ""), `Size": 8`, `Size": 4`, 1))), []string{
			"Walls",
		}, "1,-2:2 0,-1:1", 0},
		{
			"a world of its own",
			`{"jsonVersion": "1.5.3", "levels": [], "worlds": [{"worldLayout": "Free", "levels": []}, {"worldLayout": "Free", "levels": [` + ldtkLevel("A", 0, 0, 2, 2, walls) + `]}]}`,
			nil, "1,-2:2 0,-1:1", 0,
		},
		{"no level", ldtkProject("Free"), nil, "", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, m := loadLDtk(t, c.project, Options{Layers: c.layers})
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			if len(m.Warnings) != c.warnings {
				t.Errorf("warnings %q, want %d", m.Warnings, c.warnings)
			}
		})
	}
}

// TestLDtkFiles: a project with a file for each level gives the same map as a whole one.
func TestLDtkFiles(t *testing.T) {
	a, b := ldtkLevel("A", 0, 0, 2, 2, ldtkLayer("Walls", 2, 2, "1,0,0,2")), ldtkLevel("B", 16, 0, 2, 2,
		ldtkLayer("Walls", 2, 2, "3,3,0,3"))
	stub := func(level, file string) string {
		head, _, _ := strings.Cut(level, `"layerInstances"`)
		return strings.Replace(head, `"externalRelPath": null`, `"externalRelPath": "`+file+`"`, 1) +
			`"layerInstances": null}`
	}
	want, whole := loadLDtk(t, ldtkProject("Free", a, b), Options{})
	got, split := loadLDtk(t, ldtkProject("Free", stub(a, "world/A.ldtkl"), stub(b, "world/B.ldtkl")), Options{},
		"maps/world/A.ldtkl", a, "maps/world/B.ldtkl", b)
	if d := cmp.Diff(whole, split); got != want || d != "" {
		t.Errorf("%q, want %q: %s", got, want, d)
	}
}

// TestLDtkSkips: tiles of the picture, of which a project may have more than maxJSONNodes values, are left out.
func TestLDtkSkips(t *testing.T) {
	tile := `{"px": [0, 0], "src": [8, 0], "f": 0, "t": 1, "d": [1, 2], "a": 1}`
	many := strings.Replace(ldtkLayer("Walls", 2, 2, "1,0,0,2"), tile, tile+strings.Repeat(", "+tile, maxJSONNodes/6),
		1)
	if got, _ := loadLDtk(t, ldtkProject("Free", ldtkLevel("A", 0, 0, 2, 2, many)), Options{}); got != "1,-2:2 0,-1:1" {
		t.Error(got)
	}
}

// TestLDtkSnaps: a level, or a layer with its offset, that begins between cells is moved to the nearest ones, with a
// warning that says by how much.
func TestLDtkSnaps(t *testing.T) {
	for _, c := range []struct {
		x, y, offX, offY int64
		want, warning    string
	}{
		{0, 0, 0, 0, "0,-1:1", ""},
		{16, -8, 0, 0, "2,0:1", ""},
		{20, 0, 0, 0, "3,-1:1", "moved by (4, 0) pixels"},
		{19, 0, 0, 0, "2,-1:1", "moved by (-3, 0) pixels"},
		{16, 0, -4, 0, "2,-1:1", "moved by (4, 0) pixels"},
		{0, -3, 0, -2, "0,0:1", "moved by (0, -3) pixels"},
		{-5, 3, 1, 0, "0,-1:1", "moved by (4, -3) pixels"},
		{-(1 << 29), 0, -1, 0, "-67108864,-1:1", "moved by (1, 0) pixels"},
	} {
		layer := strings.NewReplacer(`X": 0`, fmt.Sprintf(`X": %d`, c.offX), `Y": 0`,
			fmt.Sprintf(`Y": %d`, c.offY)).Replace(ldtkLayer("L", 1, 1, "1"))
		got, m := loadLDtk(t, ldtkProject("Free", ldtkLevel("A", int(c.x), int(c.y), 1, 1, layer)), Options{})
		warned := strings.Join(m.Warnings, ";")
		if got != c.want || !strings.HasSuffix(warned, c.warning) || (warned == "") != (c.warning == "") {
			t.Errorf("%+v: cells %s, warnings %q", c, got, warned)
		}
	}
}

// TestLDtkWorlds: a world of a project with several is chosen by its name.
func TestLDtkWorlds(t *testing.T) {
	world := func(name, value string) string {
		return fmt.Sprintf(`{"identifier": %q, "worldLayout": "Free", "levels": [%s]}`, name, ldtkLevel("A", 0, 0, 1, 1,
			ldtkLayer("L", 1, 1, value)))
	}
	project := `{"jsonVersion": "1.5.3", "levels": [], "worlds": [` + world("Over", "1") + `,` + world("Under", "2") +
		`, {"identifier": "None", "levels": []}]}`
	for name, want := range map[string]string{"Over": "0,-1:1", "Under": "0,-1:2"} {
		if got, m := loadLDtk(t, project, Options{World: name}); got != want || len(m.Warnings) > 0 {
			t.Errorf("%s: %s %q", name, got, m.Warnings)
		}
	}
	for _, c := range []struct{ project, world, want string }{
		{project, "", `2 worlds of the project have levels, and a map is of one: name it ("Over", "Under", "None")`},
		{project, "Sky", `no world is named "Sky"; the worlds are "Over", "Under", "None"`},
		{strings.Replace(project, "Under", "Over", 1), "Over", "2 worlds"},
		{ldtkProject("Free"), "Over", "the project has no named worlds"},
	} {
		m, err := Load(tree("w.ldtk", c.project), "w.ldtk", Options{World: c.world})
		checkError(t, m, err, "w.ldtk|"+c.want)
	}
	m, err := Load(tree("m.tmx", tileMap("")), "m.tmx", Options{World: "Over"})
	checkError(t, m, err, `m.tmx|world "Over" was requested, but only an LDtk project has worlds`)
}

// TestLDtkLeavesOut: values are left out by number, in all layers, or by name, in the layers that have the name.
func TestLDtkLeavesOut(t *testing.T) {
	defs := `"defs": {"layers": [
{"identifier": "Walls", "intGridValues": [{"value": 1, "identifier": "stone"}, {"value": 2, "identifier": "water"}, {"value": 3, "identifier": null}]},
{"identifier": "Other", "intGridValues": [{"value": 1, "identifier": "water"}, {"value": 2, "identifier": "ladder"}]},
{"identifier": "Things", "intGridValues": []}],`
	level := func(name string, x int, layer string) string {
		return ldtkLevel(name, x, 0, 3, 1, ldtkLayer(layer, 3, 1, "1,2,3"))
	}
	project := strings.Replace(ldtkProject("Free", level("A", 0, "Walls"), level("B", 24, "Other")),
		`"defs": {"layers": [],`, defs, 1)
	for _, c := range []struct {
		leave []string
		want  string
	}{
		{nil, "0,-1:1 1,-1:2 2,-1:3 3,-1:1 4,-1:2 5,-1:3"},
		{[]string{"3"}, "0,-1:1 1,-1:2 3,-1:1 4,-1:2"},
		{[]string{"water"}, "0,-1:1 2,-1:3 4,-1:2 5,-1:3"},
		{[]string{"water", "ladder", "3"}, "0,-1:1"},
		{[]string{"1", "2", "3"}, ""},
		{[]string{"9"}, "0,-1:1 1,-1:2 2,-1:3 3,-1:1 4,-1:2 5,-1:3"},
	} {
		if got, m := loadLDtk(t, project, Options{LeaveOut: c.leave}); got != c.want || len(m.Warnings) > 0 {
			t.Errorf("without %v: %s %q", c.leave, got, m.Warnings)
		}
	}
	for leave, want := range map[string]string{
		"lava": `no value of an IntGrid layer is named "lava"`, "0": `value "0" to leave out`,
		"65536": `value "65536" to leave out`, "": `value "" to leave out`,
	} {
		m, err := Load(tree("w.ldtk", project), "w.ldtk", Options{LeaveOut: []string{leave}})
		checkError(t, m, err, "w.ldtk|"+want)
	}
	m, err := Load(tree("m.tmx", tileMap("")), "m.tmx", Options{LeaveOut: []string{"water"}})
	checkError(t, m, err, `m.tmx|value "water" is to be left out, but only an LDtk project has values`)
}
