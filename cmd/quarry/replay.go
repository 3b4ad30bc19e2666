package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/scene"
)

// replayCommand makes the calls of a recording again.
type replayCommand struct {
	File    string `arg:"" name:"file" help:"A recording, of quarry run --record or World.Record."`
	Scene   string `help:"The scene that was recorded, if it sets functions, such as pre_solve." placeholder:"NAME"`
	Workers int    `help:"Workers of a step, 0 to 64; 0 chooses by the number of bodies. They have no effect on the result." default:"0" placeholder:"N"`
}

// Run replays the file, and prints the number of steps and the hash; it fails at the first step that differs.
func (c replayCommand) Run(s streams) error {
	if c.Workers < 0 || c.Workers > 64 {
		return fmt.Errorf("--workers %d is out of range: it must be 0 to 64", c.Workers)
	}
	file, err := os.Open(c.File)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, reason(err))
	}
	defer file.Close()
	w := quarry.NewWorld(quarry.Config{Workers: c.Workers})
	if sc, ok := scene.Get(c.Scene); !ok && c.Scene != "" {
		return fmt.Errorf("--scene %s: there is no such scene; see quarry list", c.Scene)
	} else if sc.Functions != nil {
		sc.Functions(w)
	}
	if err := w.Replay(file); err != nil {
		if c.Scene == "" && w.StepCount() == 0 && strings.Contains(err.Error(), "pre-solve function") {
			err = fmt.Errorf("%w; --scene names the scene that sets them", err)
		}
		return fmt.Errorf("%s: %w", c.File, err)
	}
	_, err = fmt.Fprintf(s.out, "%s: %d steps, each hash is the recorded one\n  hash      %016x\n", c.File,
		w.StepCount(), w.Hash())
	return err
}

// recording is the flag that records a run.
type recording struct {
	Record string `help:"Record the run to FILE, with a hash after each step (which the times include); see replay." placeholder:"FILE"`
}

// target returns the file of the flag, nil if it is not set. out is the file of the picture.
func (r *recording) target(out string) (*outFile, error) {
	if r.Record == "" {
		return nil, nil
	}
	if filepath.Clean(r.Record) == filepath.Clean(out) {
		return nil, fmt.Errorf("--record and --out are one file: %s", out)
	}
	return newOutFile("--record", r.Record)
}

// record makes the steps, and records them to file while they are made. A nil file records nothing.
func record(file *outFile, in *scene.Instance, steps func(ended func() error) error) error {
	if file == nil {
		return steps(nil)
	}
	return file.write(func(out io.Writer) error {
		log := &endedWriter{out: out}
		in.World.Record(log, 1)
		err := steps(func() error { return log.err })
		stopped := in.World.StopRecording()
		if err == nil && stopped != nil {
			err = fmt.Errorf("--record: %w", stopped)
		}
		return err
	})
}

// endedWriter keeps the error of a writer, so that a run ends when its recording cannot go on.
type endedWriter struct {
	out io.Writer
	err error
}

func (w *endedWriter) Write(b []byte) (int, error) {
	n, err := w.out.Write(b)
	w.err = cmp.Or(w.err, err)
	return n, err
}
