package published

import (
	"math"

	"github.com/quarry2d/quarry/gridseg"
	reasons "github.com/quarry2d/quarry/internal/lattice"
)

const (
	union    = "law 1, union"
	links    = "law 2, links"
	layering = "law 3, layers"
	history  = "law 4, history does not matter"
	locality = "law 5, locality"
	refusal  = "law 6, all or nothing"
	lattice  = "integers without tolerance"
)

var laws = []string{union, links, layering, history, locality, refusal, lattice}

// Values that constants cannot have.
var (
	negativeZero = math.Copysign(0, -1)
	twoThirds    = 2. / 3
	otherThird   = 1 - twoThirds // next to 1/3
)

// differences is the table. A shape that is not in the list is one of gridseg's own.
var differences = []difference{
	{
		id: "seam", title: "Two polygons in one cell share a diagonal", law: union,
		why: "Published never cancels edges off the grid lines, so a wall stands in solid ground, linked to the " +
			"outlines of its polygons. The outer edges are linked correctly.",
		shapes: []outline{{"halves", [][][2]float64{{{0, 0}, {1, 0}, {1, 1}}, {{0, 0}, {1, 1}, {0, 1}}}}},
		rounds: [][]laid{{{shape: "halves"}}},
		published: []string{
			"0,1: 0,0 > 1,1 :0,1",
			"1,0: 1,1 > 0,0 :1,0",
		},
		view: view{x0: -.4, y0: -.4, x1: 1.4, y1: 1.4},
	},
	{
		id: "part-seam", title: "Two polygons in one cell share part of an edge", law: union,
		why: "Published does not cut edges within a cell either: the upper polygon's foot and the lower one's " +
			"top stay whole, and the inner corners have no link between them.",
		shapes: []outline{{"stack", [][][2]float64{{{0, 0}, {1, 0}, {1, .5}, {0, .5}}, {
			{.25, .5},
			{.75, .5},
			{.75, 1},
			{.25, 1},
		}}}},
		rounds: [][]laid{{{shape: "stack"}}},
		published: []string{
			"1,0.5: 0,0.5 > 0,0 :1,0",
			"0.25,1: 0.25,0.5 > 0.75,0.5 :0.75,1",
			"0.75,1: 0.25,1 > 0.25,0.5 :0.75,0.5",
			"0.25,0.5: 0.75,0.5 > 0.75,1 :0.25,1",
			"0,0: 1,0 > 1,0.5 :0,0.5",
			"1,0: 1,0.5 > 0,0.5 :0,0",
		},
		quarry: []string{
			"0.25,0.5: 0,0.5 > 0,0 :1,0",
			"0.25,1: 0.25,0.5 > 0,0.5 :0,0",
			"0.75,1: 0.25,1 > 0.25,0.5 :0,0.5",
			"1,0.5: 0.75,0.5 > 0.75,1 :0.25,1",
			"0,0: 1,0 > 1,0.5 :0.75,0.5",
			"1,0: 1,0.5 > 0.75,0.5 :0.75,1",
		},
		view: view{x0: -.4, y0: -.4, x1: 1.4, y1: 1.4},
	},
	{
		id: "tee-border", title: "A vertex touches a face on a border", law: union,
		why: "The sweep does not see the diamond's vertex, which has no edge on the border. The block's top " +
			"stays whole, the diamond's tip is linked to itself through the block, and no ghost vertex tells a body " +
			"on the top of the corner.",
		shapes: []outline{{"diamond", [][][2]float64{{{.5, 0}, {1, .5}, {.5, 1}, {0, .5}}}}},
		rounds: [][]laid{{{shape: "full"}, {y: 1, shape: "diamond"}}},
		published: []string{
			"1,1: 0,1 > 0,0 :1,0",
			"0.5,2: 0,1.5 > 0.5,1 :1,1.5",
			"0,1.5: 0.5,1 > 1,1.5 :0.5,2",
			"0,0: 1,0 > 1,1 :0,1",
			"1,0: 1,1 > 0,1 :0,0",
		},
		quarry: []string{
			"0.5,1: 0,1 > 0,0 :1,0",
			"0.5,2: 0,1.5 > 0.5,1 :0,1",
			"0,1.5: 0.5,1 > 0,1 :0,0",
			"1,1: 0.5,1 > 1,1.5 :0.5,2",
			"0,0: 1,0 > 1,1 :0.5,1",
			"1,0: 1,1 > 0.5,1 :1,1.5",
		},
		view: view{x0: -.4, y0: -.4, x1: 1.4, y1: 2.3},
	},
	{
		id: "tee-inside", title: "A vertex touches an edge within one cell", law: union,
		why: "The same without a border: the triangle's tip is linked to itself.",
		shapes: []outline{{"standing", [][][2]float64{{{0, 0}, {1, 0}, {1, .25}, {0, .25}}, {
			{.5, .25},
			{.75, .75},
			{.25, .75},
		}}}},
		rounds: [][]laid{{{shape: "standing"}}},
		published: []string{
			"1,0.25: 0,0.25 > 0,0 :1,0",
			"0.75,0.75: 0.25,0.75 > 0.5,0.25 :0.75,0.75",
			"0.25,0.75: 0.5,0.25 > 0.75,0.75 :0.25,0.75",
			"0,0: 1,0 > 1,0.25 :0,0.25",
			"1,0: 1,0.25 > 0,0.25 :0,0",
		},
		quarry: []string{
			"0.5,0.25: 0,0.25 > 0,0 :1,0",
			"0.75,0.75: 0.25,0.75 > 0.5,0.25 :0,0.25",
			"0.25,0.75: 0.5,0.25 > 0,0.25 :0,0",
			"1,0.25: 0.5,0.25 > 0.75,0.75 :0.25,0.75",
			"0,0: 1,0 > 1,0.25 :0.5,0.25",
			"1,0: 1,0.25 > 0.5,0.25 :0.75,0.75",
		},
		view: view{x0: -.4, y0: -.4, x1: 1.4, y1: 1.2},
	},
	{
		id: "slanted", title: "The long side of a ramp, to the letter of 4.1", law: union,
		why: "Section 4.1 sends an edge with both ends on the cell's boundary to a border, but has no border " +
			"for slanted edges. Read so (World.DropSlanted), the ramp loses its slope. All else here follows " +
			"section 5, where they are interior.",
		slanted: true,
		rounds:  [][]laid{{{shape: "ramp"}}},
		published: []string{
			"-: 0,0 > 1,0 :1,1",
			"0,0: 1,0 > 1,1 :-",
		},
		quarry: []string{
			"1,1: 0,0 > 1,0 :1,1",
			"0,0: 1,0 > 1,1 :0,0",
			"1,0: 1,1 > 0,0 :1,0",
		},
		view: view{x0: -.4, y0: -.4, x1: 1.4, y1: 1.4},
	},
	{
		id: "epsilon-faces", title: "Two faces that differ by less than the tolerance", law: lattice,
		why: `Two faces that end within 1/1000 of each other "exactly cancel": the step of 3/4096 between the two tops is lost, and the surface has a hole without ghosts on either side.`,
		shapes: []outline{
			{"low", [][][2]float64{{{0, 0}, {1, 0}, {1, .5}, {0, .5}}}},
			{"high", [][][2]float64{{{0, 0}, {1, 0}, {1, .5 + 3./4096}, {0, .5 + 3./4096}}}},
		},
		rounds: [][]laid{{{shape: "low"}, {x: 1, shape: "high"}}},
		published: []string{
			"-: 1,0.5 > 0,0.5 :0,0",
			"2,0: 2,0.500732 > 1,0.500732 :-",
		},
		quarry: []string{
			"1,0.500732: 1,0.5 > 0,0.5 :0,0",
			"2,0.500732: 1,0.500732 > 1,0.5 :0,0.5",
			"2,0: 2,0.500732 > 1,0.500732 :1,0.5",
		},
		view: view{x0: .996, y0: .498, x1: 1.004, y1: .502, stepX: .001, stepY: .001},
	},
	{
		id: "epsilon-edge", title: "An edge shorter than the tolerance", law: lattice,
		why: "Both ends of an edge shorter than the tolerance equal the vertex, so the edge is outgoing at both " +
			"and gets no ghost2.",
		shapes: []outline{{"worn", [][][2]float64{{{0, 0}, {1, 0}, {1, 1 - 4./4096}, {1 - 4./4096, 1}, {0, 1}}}}},
		rounds: [][]laid{{{shape: "worn"}}},
		published: []string{
			"1,0: 1,0.999023 > 0.999023,1 :-",
		},
		quarry: []string{
			"1,0: 1,0.999023 > 0.999023,1 :0,1",
		},
		view: view{x0: .997, y0: .997, x1: 1.001, y1: 1.001, stepX: .001, stepY: .001},
	},
	{
		id: "drift", title: "One third, computed in two ways", law: lattice,
		why: "1/3 and 1-2/3 differ in the last bit of a float64. The sweep compares exactly and makes a segment of " +
			"6e-17 cells between them, whose ends share one key and which has no direction. Quarry snaps both to " +
			"1365/4096 at registration.",
		shapes: []outline{
			{"below", [][][2]float64{{{0, 0}, {1, 0}, {1, 1}, {1. / 3, 1}, {0, 1}}}},
			{"above", [][][2]float64{{{otherThird, 0}, {1, 0}, {1, 1}, {otherThird, 1}}}},
		},
		rounds: [][]laid{{{shape: "below"}, {y: 1, shape: "above"}}},
		published: []string{
			"0.333252,2: 0.333252,1 > 0.333252,1 :-",
		},
		view: view{x0: -.4, y0: -.4, x1: 1.4, y1: 2.3},
	},
	{
		id: "negative-zero", title: "A zero with a sign", law: lattice,
		why: "A tile mirrored by multiplying with -1 has -0 for 0, with other bits and so another key: segments " +
			"that end at (0, 0) do not meet those that start at (-0, 0). The faces between the tiles cancel, but " +
			"the surfaces over the seam have no links.",
		shapes: []outline{{"mirrored", [][][2]float64{{{negativeZero, 0}, {1, 0}, {1, 1}, {negativeZero, 1}}}}},
		rounds: [][]laid{{{x: -1, shape: "full"}, {shape: "mirrored"}}},
		published: []string{
			"-1,1: -1,0 > 0,0 :-",
			"-: 0,0 > 1,0 :1,1",
			"-: 0,1 > -1,1 :-1,0",
			"1,0: 1,1 > 0,1 :-",
		},
		quarry: []string{
			"-1,1: -1,0 > 0,0 :1,0",
			"-1,0: 0,0 > 1,0 :1,1",
			"1,1: 0,1 > -1,1 :-1,0",
			"1,0: 1,1 > 0,1 :-1,1",
		},
		view: view{x0: -1.3, y0: -.4, x1: 1.3, y1: 1.4},
	},
	{
		id: "far", title: "A third of a cell, 32,768 cells from the origin", law: lattice,
		why: "From 2^15 on, the float32 nearest to 32768 + 1/3 is off by more than the tolerance. A vertex " +
			"restored from its key equals no segment's end, and gets no links.",
		shapes: []outline{{"peak", [][][2]float64{{{0, 0}, {1, 0}, {1. / 3, .5}}}}},
		rounds: [][]laid{{{x: 32768, shape: "peak"}}},
		published: []string{
			"-: 32768.333252,0.5 > 32768,0 :32769,0",
			"32768,0: 32769,0 > 32768.333252,0.5 :-",
		},
		quarry: []string{
			"32769,0: 32768.333252,0.5 > 32768,0 :32769,0",
			"32768,0: 32769,0 > 32768.333252,0.5 :32768,0",
		},
		view: view{x0: 32767.6, y0: -.4, x1: 32769.4, y1: .9},
	},
	{
		id: "farther", title: "A block 2^24 cells from the origin", law: lattice,
		why: "From 2^24 on, float32 skips every other integer. The block's left and right borders share one key, " +
			"where its two sides cancel each other, and its left corners share keys with its right ones.",
		rounds: [][]laid{{{x: 1 << 24, shape: "full"}}},
		published: []string{
			"-: 16777216,0 > 16777217,0 :-",
			"-: 16777217,1 > 16777216,1 :-",
		},
		quarry: []string{
			"16777216,1: 16777216,0 > 16777217,0 :16777217,1",
			"16777217,1: 16777216,1 > 16777216,0 :16777217,0",
			"16777216,0: 16777217,0 > 16777217,1 :16777216,1",
			"16777217,0: 16777217,1 > 16777216,1 :16777216,0",
		},
		view: view{x0: 1<<24 - .4, y0: -.4, x1: 1<<24 + 1.4, y1: 1.4},
	},
	{
		id: "hairline", title: "A wedge of air narrower than the tolerance", law: links,
		why: "The tile above rises by 4/4096 over the block's top. The turn between them is less than the " +
			"tolerance and skipped as zero: the block's top is linked down the block's side, the tile's lower edge " +
			"up the tile's side, both past the air between.",
		shapes: []outline{{"lifted", [][][2]float64{{{0, 0}, {1, 4. / 4096}, {1, 1}, {0, 1}}}}},
		rounds: [][]laid{{{shape: "full"}, {y: 1, shape: "lifted"}}},
		published: []string{
			"0,2: 0,1 > 1,1.000977 :1,2",
			"1,0: 1,1 > 0,1 :0,0",
		},
		quarry: []string{
			"1,1: 0,1 > 1,1.000977 :1,2",
			"1,0: 1,1 > 0,1 :1,1.000977",
		},
		view: view{x0: -.4, y0: .99, x1: 1.4, y1: 1.01, stepY: .005},
	},
	{
		id: "zero", title: "Only the reverse edge", law: links,
		why: "Where only a segment's own reverse meets it, published skips it and has no ghost. In Quarry a turn " +
			"of zero counts as a whole turn, taken when there is nothing better. (lattice.RadialMatch; a grid gets " +
			"there only with preserved layers.)",
		edges: [][2]Vec{{{0, 0}, {1, 0}}, {{1, 0}, {0, 0}}},
		published: []string{
			"-: 0,0 > 1,0 :-",
			"-: 1,0 > 0,0 :-",
		},
		quarry: []string{
			"1,0: 0,0 > 1,0 :0,0",
			"0,0: 1,0 > 0,0 :1,0",
		},
		view: view{x0: -.4, y0: -.5, x1: 1.4, y1: .5},
	},
	{
		id: "layers", title: "Blocks of preserved layers side by side", law: layering,
		why: "shouldPreserve keeps both faces, but the radial match ignores it and links the two tops over the " +
			"preserved seam. In Quarry no link joins preserved layers, so each block's outline is a loop of its own.",
		preserve: true,
		rounds:   [][]laid{{{shape: "full", layer: 1}, {x: 1, shape: "full", layer: 2}}},
		published: []string{
			"0,1: 0,0 > 1,0 :2,0",
			"0,0: 1,0 > 2,0 :2,1",
			"2,1: 1,1 > 0,1 :0,0",
			"2,0: 2,1 > 1,1 :0,1",
		},
		quarry: []string{
			"0,1: 0,0 > 1,0 :1,1",
			"1,1: 1,0 > 2,0 :2,1",
			"1,0: 1,1 > 0,1 :0,0",
			"2,0: 2,1 > 1,1 :1,0",
		},
		view: view{x0: -.3, y0: -.4, x1: 2.3, y1: 1.4},
	},
	{
		id: "stale", title: "A ghost of a segment that is gone", law: history,
		why: "First the left tile alone, whose slabs keep the seam between them; then the block. The right faces " +
			"go, but the seam keeps their ghosts (1, 0) and (1, 1): a segment without a match is passed over, not " +
			"cleared. Built at once, the seam has no ghosts there. (Quarry has no seam.)",
		shapes: []outline{{"two slabs", [][][2]float64{{{0, 0}, {1, 0}, {1, .5}, {0, .5}}, {
			{0, .5},
			{1, .5},
			{1, 1},
			{0, 1},
		}}}},
		rounds: [][]laid{{{shape: "two slabs"}}, {{x: 1, shape: "full"}}},
		published: []string{
			"0,1: 0,0.5 > 1,0.5 :1,1",
			"1,0: 1,0.5 > 0,0.5 :0,0",
		},
		view: view{x0: -.3, y0: -.4, x1: 2.3, y1: 1.4},
	},
	{
		id: "identity", title: "A piece of a border that an edit did not change", law: locality,
		why: "The right tile covers the lower of the left tile's two faces. Published drops all segments of the " +
			"border and makes the upper face anew, without identity, so a body on it loses its contact. In Quarry " +
			"the id stays and the delta omits it.",
		shapes: []outline{
			{"jaws", [][][2]float64{{{0, 0}, {1, 0}, {1, .25}, {.5, .5}, {1, .75}, {1, 1}, {0, 1}}}},
			{"sill", [][][2]float64{{{0, 0}, {1, 0}, {1, .25}, {0, .25}}}},
		},
		rounds: [][]laid{{{shape: "jaws"}}, {{x: 1, shape: "sill"}}},
		marked: "0.5,0.5: 1,0.75 > 1,1 :0,1",
		view:   view{x0: -.3, y0: -.4, x1: 2.3, y1: 1.4},
	},
	{
		id: "clockwise", title: "A clockwise polygon", law: refusal,
		why: "In published the block becomes a hole whose normals point inwards. Quarry refuses the shape at " +
			"registration, with an error that names polygon and vertex.",
		shapes:  []outline{{"hole", [][][2]float64{{{0, 0}, {0, 1}, {1, 1}, {1, 0}}}}},
		refused: reasons.ErrClockwise,
		rounds:  [][]laid{{{}}},
		published: []string{
			"1,0: 0,0 > 0,1 :1,1",
			"0,0: 0,1 > 1,1 :1,0",
			"1,1: 1,0 > 0,0 :0,1",
			"0,1: 1,1 > 1,0 :0,0",
		},
		view:    view{x0: -.4, y0: -.4, x1: 1.4, y1: 1.4},
		verdict: "refused: clockwise",
	},
	{
		id: "overlap", title: "Two polygons that overlap", law: refusal,
		why: "Published keeps both outlines whole, one inside the other. Quarry refuses the shape.",
		shapes: []outline{{"crossed", [][][2]float64{{{0, 0}, {1, 0}, {1, .625}, {0, .625}}, {
			{.25, .375},
			{.75, .375},
			{.75, .875},
			{.25, .875},
		}}}},
		refused: gridseg.ErrOverlap,
		rounds:  [][]laid{{{}}},
		published: []string{
			"0,0.625: 0,0 > 1,0 :1,0.625",
			"1,0.625: 0,0.625 > 0,0 :1,0",
			"0.25,0.875: 0.25,0.375 > 0.75,0.375 :0.75,0.875",
			"0.75,0.875: 0.25,0.875 > 0.25,0.375 :0.75,0.375",
			"0.25,0.375: 0.75,0.375 > 0.75,0.875 :0.25,0.875",
			"0.75,0.375: 0.75,0.875 > 0.25,0.875 :0.25,0.375",
			"0,0: 1,0 > 1,0.625 :0,0.625",
			"1,0: 1,0.625 > 0,0.625 :0,0",
		},
		view:    view{x0: -.4, y0: -.4, x1: 1.4, y1: 1.4},
		verdict: "refused: overlap",
	},
	{
		id: "twice", title: "The same tile added twice", law: refusal,
		why: "The sweep emits double faces once, but edges within the cell stay double, and one removal leaves a " +
			"ramp. In Quarry setting a tile again changes nothing.",
		twice:  true,
		rounds: [][]laid{{{shape: "ramp"}}},
		published: []string{
			"1,0: 1,1 > 0,0 :1,0",
		},
		view: view{x0: -.4, y0: -.4, x1: 1.4, y1: 1.4},
	},
}
