package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

// errInterrupted is the error of a command that a signal ended.
var errInterrupted = errors.New("interrupted")

// outFile is a file that a command writes at its end, completely or not at all: it writes a
// temporary file in the same folder and renames it.
type outFile struct {
	path string
	old  fs.FileInfo // of the existing file, or nil
}

// newOutFile returns the file of the path that the flag gives, or an error with the reason why it cannot be
// written. It leaves the folder as it was.
func newOutFile(flag, path string) (*outFile, error) {
	refuse := func(format string, args ...any) (*outFile, error) {
		return nil, fmt.Errorf("%s %s: "+format, append([]any{flag, path}, args...)...)
	}
	dir := filepath.Dir(path)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return refuse("there is no folder %s", dir)
	}
	f := &outFile{path: path}
	old, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return refuse("%w", reason(err))
	case !old.Mode().IsRegular():
		return refuse("the path exists and is not a plain file")
	default:
		f.old = old
		there, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return refuse("the existing file cannot be written: %w", reason(err))
		}
		if err := there.Close(); err != nil {
			return refuse("%w", reason(err))
		}
	}
	// Create a file to check that the folder is writable.
	ctx, stop := interruptible()
	defer stop()
	probe, err := f.temporary()
	if err != nil {
		return refuse("no file can be created in the folder %s: %w", dir, reason(err))
	}
	if err := errors.Join(probe.Close(), os.Remove(probe.Name())); err != nil {
		return refuse("%w", err)
	}
	return f, context.Cause(ctx)
}

// interruptible returns a context. Until stop is called, Ctrl-C and SIGTERM cancel it with the
// cause errInterrupted and do not end the program.
func interruptible() (ctx context.Context, stop func()) {
	signals, stopSignals := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	ctx, cancel := context.WithCancelCause(context.Background())
	remove := context.AfterFunc(signals, func() { cancel(errInterrupted) })
	return ctx, func() {
		remove()
		stopSignals()
		cancel(nil)
	}
}

// temporary makes a new file in the folder of f, with the permissions that the umask leaves.
func (f *outFile) temporary() (*os.File, error) {
	name := filepath.Join(filepath.Dir(f.path), fmt.Sprintf(".quarry-%016x", rand.Uint64()))
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// write replaces the content of f by the output of the function write. After a failure, or a
// signal before the end, the old file is unchanged and no other file is left. A file that is
// replaced keeps its permissions.
func (f *outFile) write(write func(io.Writer) error) error {
	ctx, stop := interruptible()
	defer stop()
	tmp, err := f.temporary()
	if err != nil {
		return err
	}
	err = write(&interruptedWriter{ctx, tmp})
	if err == nil && f.old != nil {
		err = tmp.Chmod(f.old.Mode().Perm())
	}
	err = errors.Join(err, tmp.Close())
	if err == nil {
		err = context.Cause(ctx)
	}
	if err == nil {
		err = os.Rename(tmp.Name(), f.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}

// interruptedWriter writes until its context is cancelled.
type interruptedWriter struct {
	ctx context.Context
	out io.Writer
}

func (w *interruptedWriter) Write(p []byte) (int, error) {
	if err := context.Cause(w.ctx); err != nil {
		return 0, err
	}
	return w.out.Write(p)
}

// reason returns err without the operation and the path.
func reason(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
