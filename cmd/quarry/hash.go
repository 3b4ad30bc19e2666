package main

import (
	"fmt"

	"github.com/quarry2d/quarry/scene"
)

// hashCommand prints a scene's hash, so that machines can be compared.
type hashCommand struct {
	Scene string `arg:"" help:"Name of the scene; see list."`
	Steps *int   `help:"Steps to make; the scene's own number when not given." placeholder:"N"`
}

// Run makes the steps and prints the hash as 16 hexadecimal digits.
func (c hashCommand) Run(s streams) error {
	sc, ok := scene.Get(c.Scene)
	if !ok {
		return unknownScene("scene", c.Scene)
	}
	steps, err := stepCount(c.Steps, sc)
	if err != nil {
		return err
	}
	in := sc.New()
	for range steps {
		in.Step()
	}
	_, err = fmt.Fprintf(s.out, "%016x\n", in.World.Hash())
	return err
}
