package scene

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/golden.txt anew")

// goldens are the runs whose hashes are kept. Between them they have every
// shape, slopes, corners and ends of every kind, digging by tiles and by brush, burial, sleep,
// tall stacks, an arch, filter and pre-solve functions, 10,000 bodies and places far from the origin.
var goldens = []struct {
	name  string
	steps int
}{
	{"arch", 300},
	{"asteroid", 240},
	{"block_into_body", 600},
	{"bridge", 300},
	{"car", 400},
	{"card_house", 300},
	{"chain_drive", 200},
	{"chains", 400},
	{"compounds", 100},
	{"conveyor", 500},
	{"craters", 300},
	{"dig_under_load", 20},
	{"dominoes", 400},
	{"far_away", 400},
	{"felled_tree", 380},
	{"friction", 200},
	{"ground_ghost", 90},
	{"islands", 300},
	{"joint_grid", 20},
	{"junctions", 400},
	{"large_pyramid", 20},
	{"layers", 400},
	{"multi_pendulum", 300},
	{"one_way", 500},
	{"parcours", 700},
	{"peaks", 240},
	{"pendulum", 200},
	{"pistons", 300},
	{"pre_solve", 400},
	{"radial_match", 200},
	{"ragdolls", 200},
	{"raft", 500},
	{"rain", 100},
	{"seam_run", 300},
	{"ship", 400},
	{"smash", 90},
	{"soft_ring", 300},
	{"spinner", 15},
	{"stairs", 400},
	{"teeter", 200},
	{"tiles_bumpy", 60},
	{"tumbler", 60},
	{"undermined_tower", 300},
	{"valley", 400},
	{"walk", 900},
	{"washer", 15},
	{"wedges", 400},
}

// TestGolden compares the state of scenes with the state that every machine must reach:
// amd64 (v1 and v3), arm64 and wasm, all the same bits. Each line of the file is a scene,
// its bodies and contacts then, its steps and the hash. A deliberate change of behaviour
// writes it again:
//
//	go test ./scene -run TestGolden -update
func TestGolden(t *testing.T) {
	var got bytes.Buffer
	for _, g := range goldens {
		s, ok := Get(g.name)
		if !ok {
			t.Fatalf("no scene %s", g.name)
		}
		in := s.New()
		for range g.steps {
			in.Step()
		}
		st := in.World.Stats()
		fmt.Fprintf(&got, "%s bodies=%d contacts=%d steps=%d hash=%016x\n", g.name, st.Bodies, st.Touching, g.steps,
			in.World.Hash())
	}
	const file = "testdata/golden.txt"
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	a, b := bufio.NewScanner(&got), bufio.NewScanner(bytes.NewReader(want))
	for a.Scan() {
		if b.Scan(); a.Text() != b.Text() {
			t.Errorf("got  %s\nwant %s", a.Text(), b.Text())
		}
	}
	if b.Scan() {
		t.Errorf("the file has more: %s", b.Text())
	}
}
