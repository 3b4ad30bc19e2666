package render

import (
	"bytes"
	"testing"

	"github.com/quarry2d/quarry/grid"
)

func TestGridPictureRefuses(t *testing.T) {
	var out bytes.Buffer
	if err := WriteGridPNG(&out, grid.NewHashed(1), Broad{}, Options{Width: -1}); err == nil || out.Len() > 0 {
		t.Errorf("error %v, %d bytes", err, out.Len())
	}
	if err := WriteGridSVG(&out, grid.NewHashed(1), Broad{}, Options{}); err != nil {
		t.Errorf("an empty grid: %v", err)
	}
}
