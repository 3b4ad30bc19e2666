//go:build !js

package tilemap

import (
	"fmt"
	"image"
	"image/color"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// costly are small files of large maps, each made when its test runs.
var costly = []struct {
	name, ext string
	want      string // parts of the child's output, with | between them
	short     bool   // also with -short
	make      func(t testing.TB) string
}{
	{"png, chequered", "png", `cell (4094, |segments, more than 4194304`, true, func(t testing.TB) string {
		return costlyPNG(t, 4096, 4096, func(x, y int) bool { return (x+y)%2 == 0 })
	}},
	{"png, solid", "png", `m.png: pixel (0, 2047): more than 8388608 pixels`, false, func(t testing.TB) string {
		return costlyPNG(t, 4096, 4096, func(int, int) bool { return true })
	}},
	{"png, one row", "png", `pixel (8388608, 0): more than 8388608 pixels`, false, func(t testing.TB) string {
		return costlyPNG(t, MaxCells, 1, func(int, int) bool { return true })
	}},
	{"png, one column", "png", `pixel (0, 8388607): more than 8388608 pixels`, false, func(t testing.TB) string {
		return costlyPNG(t, 1, MaxCells, func(int, int) bool { return true })
	}},
	{"png, noise", "png", `pixel (|more than 8388608 pixels`, false, func(t testing.TB) string {
		rng := rand.New(rand.NewPCG(1, 2))
		return costlyPNG(t, 4096, 4096, func(int, int) bool { return rng.IntN(8) != 0 })
	}},
	{"png, a pixel in 16 x 16", "png", `65536 tiles, 262144 segments, error: <nil>`, false, func(t testing.TB) string {
		return costlyPNG(t, 4096, 4096, func(x, y int) bool { return x%16 == 0 && y%16 == 0 })
	}},
	{"png, colours of 64 bits", "png", `8388608 tiles, |error: <nil>`, false, func(t testing.TB) string {
		img := image.NewNRGBA64(image.Rect(0, 0, 4096, 4096))
		for y := range 4096 {
			for x := range 4096 {
				img.SetNRGBA64(x, y, color.NRGBA64{uint16(x << 8), uint16(y << 8), uint16(x << 8), 0xffff})
			}
		}
		return encodePNG(t, img)
	}},
	{
		"tmx, solid", "tmx", `line 4, layer "l": column 0, row 2047: more than 8388608 tiles`,
		false, func(t testing.TB) string { return costlyTMX(t, set(""), 1, func(int) uint32 { return 1 }) },
	},
	{"tmx, four solid layers", "tmx", `column 0, row 2047: more than 8388608 tiles`, false, func(t testing.TB) string {
		return costlyTMX(t, set(""), 4, func(int) uint32 { return 1 })
	}},
	{"tmx, four layers of nothing", "tmx", `0 tiles, 0 segments, error: <nil>`, false, func(t testing.TB) string {
		return costlyTMX(t, set(""), 4, func(int) uint32 { return 0 })
	}},
	{
		"tmx, four layers of a quarter", "tmx", `line 6, layer "l": column 0, row 4095: more than 8388608 tiles`,
		false, func(t testing.TB) string {
			return costlyTMX(t, set(""), 4, func(i int) uint32 { return uint32(i/4096) % 4 / 3 })
		},
	},
	{"tmx, ramps", "tmx", `cell (|segments, more than 4194304`, false, func(t testing.TB) string {
		return costlyTMX(t, set(tilesXML), 1, func(i int) uint32 { return uint32(i) >> 23 * 2 })
	}},
	{"tmx, ellipses", "tmx", `cell (|segments, more than 4194304`, false, func(t testing.TB) string {
		return costlyTMX(t, set(tilesXML), 1, func(i int) uint32 { return uint32(i) >> 23 * 4 })
	}},
	{
		"tmx, combs", "tmx", `cell (2080, 0): the squared numbers of vertices|more than 134217728`,
		true, func(t testing.TB) string {
			return costlyTMX(t, set(combXML(0)), 1, func(i int) uint32 { return uint32(i) >> 23 })
		},
	},
	{
		"tmx, standing combs", "tmx", `cell (2080, 0): the squared numbers of vertices|more than 134217728`,
		false, func(t testing.TB) string {
			return costlyTMX(t, set(combXML(0)), 1, func(i int) uint32 {
				return uint32(i) >> 23 * (1 | uint32(i%2)*flipDiag)
			})
		},
	},
	{
		"tmx, every tile another", "tmx", `tileset "s": the map places more than 262144 different tiles`,
		false, func(t testing.TB) string {
			return costlyTMX(t, strings.Replace(set(""), ` tilecount="16"`, "", 1), 1, func(i int) uint32 {
				return uint32(i) + 1
			})
		},
	},
	{
		"tmx, chunks far apart", "tmx", `cell (53600, -13401): the ground lies in more than 65536 squares`,
		false, func(t testing.TB) string {
			var b strings.Builder
			b.WriteString(strings.Replace(strings.Replace(tmx(1, 1, set("")+`<layer name="l"><data encoding="csv">`),
				`infinite="0"`, `infinite="1"`, 1), "\n</map>\n", "", 1))
			for i := range 200_000 {
				fmt.Fprintf(&b, `<chunk x="%d" y="%d" width="1" height="1">1</chunk>`, i%1000*100, i/1000*100)
			}
			return b.String() + "</data></layer></map>"
		},
	},
	{"tmx, 4000 combs", "tmx", `tile 5|have more than 131072 vertices`, false, func(t testing.TB) string {
		var b strings.Builder
		for k := range 4000 {
			b.WriteString(combXML(k))
		}
		return tmx(4000, 1, `<tileset firstgid="1" name="s" tilewidth="16" tileheight="16">`+b.String()+
			`</tileset><layer name="l">`+
			packing{"base64", "zlib"}.xml(t, count(4000))+`</layer>`)
	}},
	{"tmx, elements", "tmx", `line 4: more than 2097152 elements`, false, func(t testing.TB) string {
		return tmx(3000, 3000, set("")+`<layer name="l"><data>`+strings.Repeat("<tile/>", 3000*3000)+`</data></layer>`)
	}},
	{"tmj, values", "tmj", `line 1: more than 1048576 values`, false, func(t testing.TB) string {
		return `{"a":[` + strings.Repeat("{},", 22_000_000) + `{}]}`
	}},
	{"tmj, numbers", "tmj", `more than 8388608 tiles`, false, func(t testing.TB) string {
		return tmj(4096, 4096,
			`"tilesets":[{"firstgid":1,"name":"s","tilewidth":16,"tileheight":16}],"layers":[{"type":"tilelayer","name":"l","data":[`+strings.Repeat("1,", 4096*4096-1)+`1]}]`)
	}},
	{"tmj, blanks", "tmj", `error: <nil>`, false, func(t testing.TB) string {
		return tmj(1, 1, strings.Repeat("\n", 60<<20)+`"layers":[]`)
	}},
	{"tmj, base64", "tmj", `error: <nil>`, false, func(t testing.TB) string {
		return tmj(3300, 3300,
			`"tilesets":[{"firstgid":1,"name":"s","tilewidth":16,"tileheight":16}],"layers":[{"type":"tilelayer","name":"l",`+packing{"base64", ""}.json(t, make([]uint32, 3300*3300))+`}]`)
	}},
	{"tmx, attributes", "tmx", `line 3: more than 2097152 elements and attributes`, false, func(t testing.TB) string {
		return tmx(1, 1,
			strings.Repeat(`<a a="" b="" c="" d="" e="" f="" g="" h="" i="" j="" k="" l="" m="" n="" o="" p=""/>`,
				700_000))
	}},
}

func count(n int) []uint32 {
	gids := make([]uint32, n)
	for i := range gids {
		gids[i] = uint32(i) + 1
	}
	return gids
}

func costlyPNG(t testing.TB, w, h int, solid func(x, y int) bool) string {
	img := image.NewPaletted(image.Rect(0, 0, w, h), color.Palette{color.White, color.Black})
	for y := range h {
		for x := range w {
			if solid(x, y) {
				img.Pix[y*w+x] = 1
			}
		}
	}
	return encodePNG(t, img)
}

func costlyTMX(t testing.TB, sets string, layers int, gid func(i int) uint32) string {
	gids := make([]uint32, 4096*4096)
	for i := range gids {
		gids[i] = gid(i)
	}
	l := `<layer name="l">` + packing{"base64", "zlib"}.xml(t, gids) + `</layer>`
	return tmx(4096, 4096, sets+strings.Repeat(l, layers))
}

// combXML is a comb-shaped tile of 255 vertices; each k gives another shape.
func combXML(k int) string {
	var b strings.Builder
	for i := range 126 {
		fmt.Fprintf(&b, "%g,%g %g,%g ", 16-float64(i)/8, 16-float64(k)/256, 16-float64(i)/8-1.0/16, 8.)
	}
	return fmt.Sprintf(
		`<tile id="%d"><objectgroup><object id="1" x="0" y="0"><polygon points="%s 0,0 16,0"/></object></objectgroup></tile>`, k, b.String())
}

// cost reads a file in a process of its own, and returns that process's report, its processor time, and its peak of
// memory in MB.
func cost(t *testing.T, name string) (told string, took time.Duration, mb int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestCostlyChild$", "-test.v")
	cmd.Env = append(os.Environ(), costlyFile+"="+name)
	out, err := cmd.CombinedOutput()
	_, told, ok := strings.Cut(string(out), "COST ")
	if err != nil || !ok {
		t.Fatalf("%v: %s", err, out[max(0, len(out)-3000):])
	}
	told, _, _ = strings.Cut(told, "\n")
	if _, err := fmt.Sscan(told, &mb); err != nil {
		t.Fatal(err)
	}
	took = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	t.Logf("%v, %s", took.Round(time.Millisecond), told)
	return told, took, mb
}

const costlyFile = "QUARRY_COSTLY_FILE"

// TestCostlyChild reads the file that TestCost gives to a process of its own.
func TestCostlyChild(t *testing.T) {
	name := os.Getenv(costlyFile)
	if name == "" {
		return // not started by TestCost
	}
	tiles, segments := 0, 0
	m, err := LoadFile(name, Options{})
	if err == nil {
		g, e := m.Grid()
		if err = e; err == nil {
			tiles, segments = g.Count()
		}
	}
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	fmt.Printf("COST %d MB, %d tiles, %d segments, error: %v\n", stats.Sys>>20, tiles, segments, err)
	runtime.KeepAlive(m)
}

// Reading a file and Map.Grid take at most 1 GB and 5 s of processor time (10 on a slow machine) for a map of any
// size, or fail with an error that names the limit and the place. (A chequered PNG of 9 KB
// used to take 5.7 GB, and combs of 9.7 KB 11 GB and three minutes.) Each file is read in a
// process of its own, which reports its peak of memory and its processor time; the wall clock
// would measure other load of the machine.
func TestCost(t *testing.T) {
	dir := t.TempDir()
	for _, c := range costly {
		if testing.Short() && !c.short {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			name := filepath.Join(dir, "m."+c.ext)
			text := c.make(t)
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			most := 10 * time.Second
			if raceDetector {
				most *= 20 // and its shadow memory is no part of Sys
			}
			// Again, if other load of the machine, which slows the processor, may be the reason.
			told, took, mb := cost(t, name)
			for try := 1; try < 3 && took > most; try++ {
				told, took, mb = cost(t, name)
			}
			if took > most || mb > 1000 {
				t.Errorf("%d KB took %v and %d MB, want at most %v and 1000 MB", len(text)>>10, took, mb, most)
			}
			for part := range strings.SplitSeq(c.want, "|") {
				_, after, ok := strings.Cut(told, part)
				if !ok {
					t.Fatalf("%q does not say %q", told, part)
				}
				told = after
			}
		})
	}
}
