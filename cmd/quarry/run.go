package main

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/scene"
)

// runCommand runs a world headless.
type runCommand struct {
	What  string `arg:"" name:"file-or-scene" help:"A scene's name (see list), a map file: .tmx, .tmj, .json, .ldtk, .png, or a world file: .db."`
	Steps *int   `help:"Number of steps. Default: the scene's own, 600 for a file." placeholder:"N"`
	JSON  bool   `help:"Print the summary as one JSON object."`
	source
	picture
	recording
	saving
}

// summary is the output of a run.
type summary struct {
	Scene    string  `json:"scene"`
	Steps    int     `json:"steps"`
	Bodies   int     `json:"bodies"`
	Awake    int     `json:"awake"`
	Contacts int     `json:"contacts"` // touching pairs
	Points   int     `json:"points"`
	Segments int     `json:"segments"`
	Tiles    int     `json:"tiles"`
	Chains   int     `json:"chain_segments,omitempty"`
	MSStep   float64 `json:"ms_step"`               // mean of all steps but the first, or the time of a single step
	MSLeast  float64 `json:"ms_least"`              // shortest of these steps
	MSMax    float64 `json:"ms_max"`                // longest of these steps
	MSFirst  bool    `json:"ms_of_first,omitempty"` // the times are of the first step, which was the only one
	Hash     string  `json:"hash"`
	Picture  string  `json:"picture,omitempty"`
	Saved    string  `json:"saved,omitempty"`

	profile quarry.Profile // sums of the steps that are timed
}

// Run makes the steps, writes the picture and prints the summary.
func (c runCommand) Run(s streams) error {
	sc, err := c.open(c.What, s)
	if err != nil {
		return err
	}
	steps, err := stepCount(c.Steps, sc)
	if err != nil {
		return err
	}
	shot, err := c.picture.begin(sc, s)
	if err != nil {
		return err
	}
	in := sc.New()
	file, err := c.recording.target(c.Out)
	if err != nil {
		return err
	}
	if err := c.saving.begin(c.What, in.World); err != nil {
		return err
	}
	var sum summary
	err = record(file, in, func(ended func() error) (err error) {
		bar := progress(s.err, steps, "steps")
		defer finish(bar)
		sum, err = run(in, steps, shot, bar, c.saving.after(ended))
		return err
	})
	if err := c.saving.finish(err); err != nil {
		return err
	}
	sum.Saved = c.saving.path
	sum.Scene = sc.Name
	if sum.Picture, err = shot.finish(in.World); err != nil {
		return err
	}
	return sum.print(s.out, c.JSON)
}

// run makes the steps, unless ended returns an error between two, and returns the summary. Pictures between the steps
// are not timed.
func run(in *scene.Instance, steps int, shot *camera, bar *progressbar.ProgressBar,
	ended func() error,
) (summary, error) {
	var total, least, most time.Duration
	var sums quarry.Profile
	for i := range steps {
		if err := shot.frame(in.World, i); err != nil {
			return summary{}, err
		}
		start := time.Now()
		in.Step()
		if d := time.Since(start); i > 0 || steps == 1 {
			total += d
			add(&sums, in.World.Profile())
			most = max(most, d)
			if least == 0 || d < least {
				least = d
			}
		}
		if ended != nil {
			if err := ended(); err != nil {
				return summary{}, err
			}
		}
		advance(bar)
	}
	if err := shot.frame(in.World, steps); err != nil {
		return summary{}, err
	}
	st := in.World.Stats()
	return summary{
		Steps: steps, Bodies: st.Bodies, Awake: st.Awake, Contacts: st.Touching, Points: st.Points,
		Segments: st.Segments, Tiles: st.Tiles, Chains: st.ChainSegments,
		MSStep:  total.Seconds() * 1e3 / float64(max(1, steps-1)),
		MSLeast: least.Seconds() * 1e3,
		MSMax:   most.Seconds() * 1e3,
		MSFirst: steps == 1,
		Hash:    fmt.Sprintf("%016x", in.World.Hash()),
		profile: sums,
	}, nil
}

// add adds the times of a step to sums.
func add(sums *quarry.Profile, p quarry.Profile) {
	sums.Step += p.Step
	sums.Pairs += p.Pairs
	sums.Narrow += p.Narrow
	sums.List += p.List
	sums.Solve += p.Solve
	sums.Advance += p.Advance
	sums.Sensors += p.Sensors
	sums.Sleep += p.Sleep
}

func (s summary) print(out io.Writer, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(out).Encode(s)
	}
	fmt.Fprintf(out, "%s: %d steps of 1/60 s\n", s.Scene, s.Steps)
	fmt.Fprintf(out, "  bodies    %d (%d awake)\n", s.Bodies, s.Awake)
	fmt.Fprintf(out, "  contacts  %d (%d points)\n", s.Contacts, s.Points)
	fmt.Fprintf(out, "  segments  %d (%d tiles)\n", s.Segments, s.Tiles)
	if s.Chains > 0 {
		fmt.Fprintf(out, "            %d of chains\n", s.Chains)
	}
	switch {
	case s.Steps == 0:
		fmt.Fprintf(out, "  time      none (no steps)\n")
	case s.MSFirst:
		fmt.Fprintf(out, "  time      %.3f ms for the only step\n", s.MSStep)
	default:
		fmt.Fprintf(out, "  time      %.3f ms a step (fastest %.3f, slowest %.3f; without the first step)\n", s.MSStep,
			s.MSLeast, s.MSMax)
	}
	if s.Picture != "" {
		fmt.Fprintf(out, "  picture   %s\n", s.Picture)
	}
	if s.Saved != "" {
		fmt.Fprintf(out, "  saved     %s\n", s.Saved)
	}
	_, err := fmt.Fprintf(out, "  hash      %s\n", s.Hash)
	return err
}
