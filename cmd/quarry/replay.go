package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/scene"
)

// replayCommand makes the calls of a recording again.
type replayCommand struct {
	File    string `arg:"" name:"file" help:"A recording, of quarry run --record or World.Record."`
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
	if err := w.Replay(file); err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	_, err = fmt.Fprintf(s.out, "%s: %d steps, each hash is the recorded one\n  hash      %016x\n", c.File, w.StepCount(), w.Hash())
	return err
}

// recording is the flag that records a run.
type recording struct {
	Record string `help:"Record the run to FILE, with a hash after each step (which the times include); see replay. Not of scenes that set functions, such as pre_solve." placeholder:"FILE"`
	file   *outFile
	log    bytes.Buffer
}

// begin starts to record in, if the flag is set. out is the file of the picture.
func (r *recording) begin(in *scene.Instance, out string) (err error) {
	if r.Record == "" {
		return nil
	}
	if filepath.Clean(r.Record) == filepath.Clean(out) {
		return fmt.Errorf("--record and --out are one file: %s", out)
	}
	if r.file, err = newOutFile("--record", r.Record); err != nil {
		return err
	}
	in.World.Record(&r.log, 1)
	return nil
}

// finish writes the recording.
func (r *recording) finish(in *scene.Instance) error {
	if r.file == nil {
		return nil
	}
	if err := in.World.StopRecording(); err != nil {
		return fmt.Errorf("--record: %w", err)
	}
	return r.file.write(func(out io.Writer) error {
		_, err := r.log.WriteTo(out)
		return err
	})
}
