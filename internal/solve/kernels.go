package solve

//go:generate go run -C gen .

// kernel is the code of a pass over blocks of one colour.
type kernel[block any] func(bodies []body, blocks []block, c *constants)

// kernelSet is the code of all passes: for blocks of one and of two points, and of pins. The bits do not
// depend on the set.
type kernelSet struct {
	name                                   string
	weighOne, warmOne, springOne, relaxOne kernel[block1]
	weighTwo, warmTwo, springTwo, relaxTwo kernel[block2]

	readyPins, warmPins, warmPinParts, springPins, rigidPins, relaxPins kernel[pinBlock]

	moveBodies kernel[eightBodies]
}

// kernels are those in use; see init of each platform.
var kernels = goKernels

var goKernels = kernelSet{
	name:     "go",
	weighOne: weighOneGo, warmOne: warmOneGo, springOne: springOneGo, relaxOne: relaxOneGo,
	weighTwo: weighTwoGo, warmTwo: warmTwoGo, springTwo: springTwoGo, relaxTwo: relaxTwoGo,
	readyPins: readyPinsGo, warmPins: warmPinsGo, warmPinParts: warmPinPartsGo,
	springPins: springPinsGo, rigidPins: rigidPinsGo, relaxPins: relaxPinsGo,
	moveBodies: moveBodiesGo,
}
