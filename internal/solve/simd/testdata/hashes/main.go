// Command hashes prints the hash of each scene after some steps, for TestSameBits.
package main

import (
	"fmt"

	"github.com/quarry2d/quarry/scene"
)

func main() {
	for _, sc := range scene.All() {
		in := sc.New()
		for i := range 12 {
			if in.Step(); in.World.Stats().Bodies > 1500 && i > 1 {
				break
			}
		}
		fmt.Printf("%s %016x\n", sc.Name, in.World.Hash())
	}
}
