package quarry

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"

	"github.com/quarry2d/quarry/internal/broad"
	"github.com/quarry2d/quarry/internal/contact"
	"github.com/quarry2d/quarry/internal/narrow"
	"github.com/quarry2d/quarry/internal/rows"
	"github.com/quarry2d/quarry/internal/solve"
	"github.com/quarry2d/quarry/internal/state"
	"github.com/quarry2d/quarry/internal/step"
)

// TestStatedSizes: bodies, shapes and contacts have as many bytes as docs/solver.md says, on a machine of 64 bits.
func TestStatedSizes(t *testing.T) {
	if unsafe.Sizeof(uintptr(0)) != 8 {
		t.Skip("pointers of 32 bits: the sizes are those on machines of 64 bits")
	}
	text, err := os.ReadFile("docs/solver.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, size := range map[string]uintptr{
		"state.Body": unsafe.Sizeof(state.Body{}), "state.BodyRare": unsafe.Sizeof(state.BodyRare{}),
		"solve.Motion": unsafe.Sizeof(solve.Motion{}),
		"state.Shape":  unsafe.Sizeof(state.Shape{}), "broad.Entry": unsafe.Sizeof(broad.Entry{}),
		"state.Contact":    unsafe.Sizeof(state.Contact{}),
		"contact.Manifold": unsafe.Sizeof(contact.Manifold{}), "narrow.Base": unsafe.Sizeof(narrow.Base{}),
		"state.SurfaceContact":    unsafe.Sizeof(state.SurfaceContact{}),
		"contact.SurfaceManifold": unsafe.Sizeof(contact.SurfaceManifold{}), "solve.Link": unsafe.Sizeof(solve.Link{}),
		"rows.Ref": unsafe.Sizeof(rows.Ref{}),
	} {
		if row := fmt.Sprintf("| `%s` | %d |", name, size); !strings.Contains(string(text), row) {
			t.Errorf("docs/solver.md has no row %q", row)
		}
	}
	body, contact := step.Bytes()
	if said := fmt.Sprintf("takes %d bytes", body); !strings.Contains(string(text), said) {
		t.Errorf("docs/solver.md does not say that a body %s", said)
	}
	if said := fmt.Sprintf("of two shapes %d with", contact); !strings.Contains(string(text), said) {
		t.Errorf("docs/solver.md does not say that a contact %s", said)
	}
}
