package main

import "fmt"

// hashCommand prints the hash of a world's state, so that machines can be compared.
type hashCommand struct {
	What  string `arg:"" name:"file-or-scene" help:"A scene's name (see list), a map file: .tmx, .tmj, .json, .ldtk, .png, or a world file: .db."`
	Steps *int   `help:"Number of steps. Default: the scene's own, 600 for a file." placeholder:"N"`
	source
}

// Run makes the steps and prints the hash as 16 hexadecimal digits, alone on the last
// line.
func (c hashCommand) Run(s streams) error {
	sc, err := c.open(c.What, s)
	if err != nil {
		return err
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
