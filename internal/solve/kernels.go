package solve

//go:generate go run -C gen .

// kernel is the code of a pass over blocks of one colour, with the rare rows of these; blocks of pins have none.
type kernel[block any] func(bodies []body, blocks []block, rare []rareRows, c *constants)

// reader is the code that reads manifolds and motions into blocks, or blocks into inputs.
type reader[block any] func(motions []Motion, inputs []input, blocks []block, rare []rareRows)

// kernelSet is the code of all passes: for blocks of one and of two points, and of pins. The bits do not
// depend on the set.
type kernelSet struct {
	name                                                string
	weighOne, warmOne, warmPartOne, springOne, relaxOne kernel[block1]
	weighTwo, warmTwo, warmPartTwo, springTwo, relaxTwo kernel[block2]

	readOne, takeOne reader[block1]
	readTwo, takeTwo reader[block2]

	readyPins, warmPins, warmPinParts, springPins, relaxPins kernel[pinBlock]

	moveBodies func(_ []body, blocks []eightBodies, rare []eightRareBodies, c *constants)
}

// kernels are those in use; see init of each platform.
var kernels = goKernels

var goKernels = kernelSet{
	name:     "go",
	weighOne: weighOneGo, warmOne: warmOneGo, warmPartOne: warmPartOneGo, springOne: springOneGo, relaxOne: relaxOneGo,
	weighTwo: weighTwoGo, warmTwo: warmTwoGo, warmPartTwo: warmPartTwoGo, springTwo: springTwoGo, relaxTwo: relaxTwoGo,
	readOne: readOneGo, readTwo: readTwoGo, takeOne: takeOneGo, takeTwo: takeTwoGo,
	readyPins: readyPinsGo, warmPins: warmPinsGo, warmPinParts: warmPinPartsGo,
	springPins: springPinsGo, relaxPins: relaxPinsGo,
	moveBodies: moveBodiesGo,
}
