package tilemap

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// MaxFileBytes is the largest size of a map file, and of each file of a tileset or level, in bytes.
const MaxFileBytes = 64 << 20

// maxTotalBytes bounds the total size of the files of a map.
const maxTotalBytes = 4 * MaxFileBytes

// files reads a map file and the files of tilesets and levels that it names.
type files struct {
	fsys  fs.FS // nil means the disk
	total int64 // bytes read so far
}

// beside resolves a relative name in the file from. Names with ".." are allowed here; an fs.FS
// refuses those that leave it.
func (s *files) beside(from, name string) (string, error) {
	switch {
	case strings.ContainsRune(name, 0):
		return "", errors.New("a file name with a zero byte")
	case path.IsAbs(name) || filepath.IsAbs(filepath.FromSlash(name)) || strings.Contains(name, "://"):
		return "", errors.New("the file name is not relative to the map")
	}
	if s.fsys == nil {
		return filepath.Join(filepath.Dir(from), filepath.FromSlash(name)), nil
	}
	full := path.Join(path.Dir(from), name)
	if !fs.ValidPath(full) {
		return "", errors.New("the file name leaves the file system: " + quote(full))
	}
	return full, nil
}

// read returns the content of a file. It fails if the file is not a regular file or has more than
// MaxFileBytes. Its errors do not repeat the name.
func (s *files) read(name string) ([]byte, error) {
	data, err := s.readFile(name)
	var bare *fs.PathError
	if errors.As(err, &bare) {
		err = bare.Err
	}
	return data, err
}

func (s *files) readFile(name string) ([]byte, error) {
	// Check before opening, because opening a pipe can block.
	if s.fsys == nil {
		info, err := os.Stat(name)
		if err != nil {
			return nil, err
		}
		if err := checkInfo(info); err != nil {
			return nil, err
		}
	}
	var f fs.File
	var err error
	if s.fsys == nil {
		f, err = os.Open(name)
	} else {
		f, err = s.fsys.Open(name)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if err := checkInfo(info); err != nil {
		return nil, err
	}
	// The size from Stat may be wrong or out of date.
	data, err := io.ReadAll(io.LimitReader(f, MaxFileBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > MaxFileBytes {
		return nil, errTooLarge
	}
	if s.total += int64(len(data)); s.total > maxTotalBytes {
		return nil, errors.New("the files of the map are larger than 256 MiB together")
	}
	return data, nil
}

var errTooLarge = errors.New("the file is larger than 64 MiB")

func checkInfo(info fs.FileInfo) error {
	switch {
	case info.IsDir():
		return errors.New("is a directory")
	case !info.Mode().IsRegular():
		return errors.New("is not a plain file")
	case info.Size() > MaxFileBytes:
		return errTooLarge
	}
	return nil
}
