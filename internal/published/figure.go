package published

import (
	"fmt"
	"path"
	"strings"
)

const (
	figuresBegin = "<!-- figures, written by go run ./internal/figures -->\n"
	figuresEnd   = "<!-- end of the figures -->\n"
)

// figure is a figure of the article, drawn from the maps of published and the segments of
// gridseg as they are. Draw reports if they contradict the text.
type figure struct {
	number, title string
	text          string
	wrong         string // errors and omissions of the article there
	draw          func(s *sheet) string
}

func (f *figure) file() string { return "figure-" + strings.ReplaceAll(f.number, ".", "-") + ".svg" }

var figures = []figure{
	{
		number: "1", title: "A cell with polygons in it",
		text: "Three polygons of 15 edges in the unit cell: one not convex, one that touches no border, one that " +
			"touches two. Edges along a border (orange, 4) go to the sweep; all others are interior (grey, 11), " +
			"even if they end on a border. " +
			"With nothing beside the cell both algorithms return all 15 as segments.",
		draw: drawCell,
	},
	{
		number: "2", title: "The maps before and after an edit",
		text: "A block lies in cell (0, 0). A ramp, (1, 0) (2, 0) (1, 1), is added to cell (1, 0) and removed " +
			"again; the numbers are counted on the maps. The ramp's lower edge goes to the border y = 0, its left " +
			"edge to the border x = 1, its slanted edge straight to the vertices. " +
			"The sweep of x = 1 has two opposite faces and leaves nothing; removing the ramp brings the block's " +
			"face back.",
		wrong: "Neither 4.1 nor the pseudocode of phase 1 marks the ends of the sweep's remaining segments as " +
			"dirty. Read literally, adding marks 2 vertices, not (1, 0): the block's lower face would keep the " +
			"ghost2 (1, 1) of a removed face, and a block alone would have no ghosts. `published` marks these ends, " +
			"which makes 3. " +
			"Section 4.1 has no boundary for the ramp's slanted edge ([difference 5](#slanted)).",
		draw: drawFlow,
	},
	{
		number: "3", title: "The faces on a border before the sweep",
		text: "3.1: the border y = 1 under cell (0, 1) holds two tops from below, which face up and run to smaller " +
			"x, and a foot from above, which faces down and runs to larger x. 3.2: the same turned, on the border x " +
			"= 1 at the left of cell (1, 0): right faces run up, the left face runs down. " +
			"`gridseg` keeps no such lists: it reads a border's faces from the forms of the two cells beside it.",
		draw: drawBorders,
	},
	{
		number: "4.1", title: "Two whole faces cancel",
		text: "Two blocks side by side: (1, 0) > (1, 1) faces right, (1, 1) > (1, 0) faces left, and no segment " +
			"remains on x = 1. The other 6 are linked across: a blue arc leads from a dot on a segment to the " +
			"segment of its ghost.",
		wrong: "The text has cells side by side, the caption cells one above the other (which also leave 6 " +
			"segments) and remaining parts, but there are none.",
		draw: drawFull,
	},
	{
		number: "4.2", title: "Half a face against a whole one",
		text: "The left cell has a right face from y = 0.5 to 1, the right cell a left face from 0 to 1. They " +
			"cancel where both are active.",
		wrong: "By the text segments give +1 at the start and -1 at the end. The pseudocode rightly does the " +
			"opposite for segments down the axis: the sweep goes up and meets their end first.",
		draw: drawPart,
	},
	{
		number: "5", title: "The radial match",
		text: "Case A: seg1 leaves (0, 0), seg2 and seg3 come in, and the first clockwise from seg1 gives its " +
			"ghost1. Case B: all three reversed, and the first counter-clockwise gives its ghost2. Short lines are " +
			"normals. " +
			"`RadialMatch` gives the same (`go doc ./internal/lattice RadialMatch`, its example).",
		wrong: "Three segments bound no area: in case A one leaves and two come in, so seg3.ghost2 is (0, 1) too, " +
			"the end of seg1, whose ghost1 is seg2. Polygons bring a fourth segment ([figure 6](#figure-6)), and " +
			"then prev and next are inverse. " +
			"The pseudocode skips a candidate at an angle of 0 as the segment itself. But no segment is its own " +
			"candidate; the skipped candidate runs straight back ([difference 13](#zero)) or nearly so ([difference " +
			"12](#hairline)).",
		draw: drawMatch,
	},
	{
		number: "6", title: "The two cases in a world of tiles",
		text: "Case A: a block in cell (0, -1) and a ramp hanging in cell (-1, 0). seg1 is the ramp's wall, seg2 " +
			"the block's top, seg3 the ramp's lower side; the fourth is the block's left side. To a ball that rolls " +
			"left over the block's top seg1 is a wall, and the ghosts say that the corner is concave. Case B: the " +
			"block in cell (0, 0) and a ramp down to it in cell (-1, 0). The fourth is the ramp's foot, collinear " +
			"with seg2. " +
			"To play with: the scene `radial_match` (`go run ./cmd/quarry`; \"Ghost vertices\" shows them, as " +
			"figure 6.2 of the article does).",
		draw: drawTiles,
	},
}

// drawFigures draws the figures of the article.
func drawFigures(t Reporter) {
	var page strings.Builder
	for i := range figures {
		f := &figures[i]
		s := &sheet{tb: t}
		t.Add(path.Join(pictures, f.file()), []byte(f.draw(s)))
		fmt.Fprintf(&page, "\n<a id=\"figure-%s\"></a>\n\n### Figure %s: %s\n\n%s\n\n![Figure %s](gridseg/%s)\n%s",
			strings.ReplaceAll(f.number, ".", "-"), f.number, f.title, f.text, f.number, f.file(), s.facts.String())
		if f.wrong != "" {
			fmt.Fprintf(&page, "\n*The article here:* %s\n", f.wrong)
		}
	}
	page.WriteString("\n")
	t.Part(document, figuresBegin, figuresEnd, page.String())
}
