package sandbox

import (
	"errors"

	"github.com/quarry2d/quarry"
)

// fromStore returns an error: a page without a server has no files.
func fromStore([]byte) (*quarry.World, error) {
	return nil, errors.New("a .db file needs the sandbox of a server: quarry; here drop a .world file")
}
