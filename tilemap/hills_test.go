package tilemap

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"
)

// The tiles of testdata/hills.tsx, by local id.
const (
	dirt = iota
	grass
	ramp      // 1:1, up to the right
	slopeLow  // 1:2, its first half
	slopeHigh // and its second
	slab      // the lower half
	boulder
	tuft // no ground
	hillTiles
)

// hillsTSX is the tileset of hills.tmx: every way to mark ground.
const hillsTSX = `<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.10.2" name="hills" tilewidth="16" tileheight="16" tilecount="8" columns="8">
 <image source="hills-tiles.png" width="128" height="16"/>
 <tile id="0">
  <properties>
   <property name="material" type="int" value="1"/>
   <property name="solid" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="1">
  <properties>
   <property name="material" type="int" value="2"/>
   <property name="solid" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="2">
  <properties>
   <property name="material" type="int" value="2"/>
  </properties>
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="16">
    <polygon points="0,0 16,-16 16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="3">
  <properties>
   <property name="material" type="int" value="2"/>
  </properties>
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="16">
    <polygon points="0,0 16,-8 16,0"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="4">
  <properties>
   <property name="material" type="int" value="2"/>
  </properties>
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="8">
    <polygon points="0,0 16,-8 16,8 0,8"/>
   </object>
  </objectgroup>
 </tile>
 <tile id="5">
  <properties>
   <property name="material" type="int" value="3"/>
  </properties>
  <objectgroup draworder="index" id="2">
   <object id="1" x="0" y="8" width="16" height="8"/>
  </objectgroup>
 </tile>
 <tile id="6">
  <properties>
   <property name="material" type="int" value="1"/>
  </properties>
  <objectgroup draworder="index" id="2">
   <object id="1" x="1" y="4" width="14" height="12">
    <ellipse/>
   </object>
  </objectgroup>
 </tile>
</tileset>
`

// The size of the hills, in cells.
const (
	hillsW = 64
	hillsH = 28
)

// hillsGround draws the ground from left to right, from a height of 10 on:
// - flat, / and \ slopes of 1:1, ab and yz slopes of 1:2 up and down, two columns
// each. The valley is in the middle.
const hillsGround = `----ab-ab--/--\\--yz-\yzyz\---------/abab/-ab--//-/----\-yzyz---`

// field is a layer that is being drawn: gids by row, from the top.
type field [hillsH][hillsW]uint32

func (f *field) put(x, y int, tile uint32) { f[hillsH-1-y][x] = tile + 1 }

// csv writes the field as Tiled does.
func (f *field) csv() string {
	var b strings.Builder
	for r, row := range f {
		for c, gid := range row {
			fmt.Fprint(&b, gid)
			if r < hillsH-1 || c < hillsW-1 {
				b.WriteByte(',')
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// hillsTMX draws the landscape.
func hillsTMX() string {
	var backdrop, ground, platforms field
	h := 10
	for x, step := range []byte(hillsGround) {
		if step == '\\' || step == 'y' {
			h--
		}
		for y := range h {
			ground.put(x, y, dirt)
		}
		switch step {
		case '-':
			ground.put(x, h-1, grass)
			if x*x%7 < 3 {
				backdrop.put(x, h, tuft)
			}
		case '/':
			ground.put(x, h, ramp)
		case '\\':
			ground.put(x, h, flipX|ramp)
		case 'a':
			ground.put(x, h, slopeLow)
		case 'b':
			ground.put(x, h, slopeHigh)
		case 'y':
			ground.put(x, h, flipX|slopeHigh)
		case 'z':
			ground.put(x, h, flipX|slopeLow)
		}
		if step == '/' || step == 'b' {
			h++
		}
	}
	for _, x := range []int{0, hillsW - 1} { // walls, so that nothing rolls out
		for y := range hillsH {
			if y >= 8 {
				ground.put(x, y, dirt)
			}
		}
	}

	// A bridge of planks over the valley, islands with bellies, stairs.
	for x := 25; x <= 37; x++ {
		platforms.put(x, 13, slab)
	}
	island := func(x0, x1, y int) {
		for x := x0; x <= x1; x++ {
			platforms.put(x, y, grass)
		}
		platforms.put(x0-1, y, flipX|flipY|ramp) // solid above, and inside
		platforms.put(x1+1, y, flipY|ramp)
		for x := x0 + 1; x < x1; x++ {
			platforms.put(x, y-1, dirt)
		}
		platforms.put(x0, y-1, flipX|flipY|ramp)
		platforms.put(x1, y-1, flipY|ramp)
	}
	island(9, 13, 21)
	island(28, 34, 19)
	island(50, 54, 22)
	for i := range 4 {
		platforms.put(16+2*i, 18-i/2, slab)
		platforms.put(17+2*i, 18-i/2, slab)
	}
	platforms.put(12, 22, boulder)
	platforms.put(31, 20, boulder)
	platforms.put(33, 20, flipX|ramp)

	var b strings.Builder
	fmt.Fprintf(&b, `<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" tiledversion="1.10.2" orientation="orthogonal" renderorder="right-down" width="%d" height="%d" tilewidth="16" tileheight="16" infinite="0" nextlayerid="5" nextobjectid="1">
 <tileset firstgid="1" source="hills.tsx"/>
`, hillsW, hillsH)
	data := func(indent string, id int, name, properties string, f *field) {
		fmt.Fprintf(&b, "%s<layer id=\"%d\" name=\"%s\" width=\"%d\" height=\"%d\">\n%s%s <data "+
			"encoding=\"csv\">\n%s</data>\n%s</layer>\n",
			indent, id, name, hillsW, hillsH, properties, indent, f.csv(), indent)
	}
	data(" ", 1, "backdrop", `  <properties>
   <property name="solid" type="bool" value="false"/>
  </properties>
`, &backdrop)
	b.WriteString(" <group id=\"2\" name=\"level\">\n")
	data("  ", 3, "ground", "", &ground)
	data("  ", 4, "platforms", "", &platforms)
	b.WriteString(" </group>\n</map>\n")
	return b.String()
}

// hillsPicture draws the tiles, for whoever opens the map in Tiled.
func hillsPicture() *image.NRGBA {
	earth := color.NRGBA{0x7a, 0x55, 0x3a, 0xff}
	green := color.NRGBA{0x5a, 0x9e, 0x3f, 0xff}
	wood := color.NRGBA{0xb0, 0x84, 0x4c, 0xff}
	stone := color.NRGBA{0x8a, 0x8c, 0x93, 0xff}
	img := image.NewNRGBA(image.Rect(0, 0, 16*hillTiles, 16))
	for x := range 16 {
		for y := range 16 { // top: how far the pixel lies below the surface
			up := 15 - y
			top := map[int]int{
				dirt: 99, grass: 15 - up, ramp: x - up, slopeLow: x/2 - up, slopeHigh: 8 + x/2 - up,
				slab: 7 - up, boulder: 99, tuft: (x*7%5+1)*(x%2) - up,
			}
			for tile, below := range top {
				c := earth
				switch {
				case tile == boulder:
					dx, dy := float64(2*x-15)/14, float64(2*y-19)/12
					if dx*dx+dy*dy > 1 {
						continue
					}
					c = stone
				case below < 0:
					continue
				case tile == slab:
					c = wood
				case tile != dirt && below < 4:
					c = green
				}
				img.SetNRGBA(16*tile+x, y, c)
			}
		}
	}
	return img
}

// hills returns the files of the map, by name.
func hills(t *testing.T) map[string][]byte {
	t.Helper()
	if n := len(hillsGround); n != hillsW {
		t.Fatalf("the ground is drawn over %d columns of %d", n, hillsW)
	}
	return map[string][]byte{
		"hills.tmx":       []byte(hillsTMX()),
		"hills.tsx":       bytes.Clone([]byte(hillsTSX)),
		"hills-tiles.png": []byte(encodePNG(t, hillsPicture())),
	}
}
