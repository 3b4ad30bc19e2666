package solve

//go:generate go run -C gen .

// kernelSet is the code of the passes: for blocks of one and of two points. The bits do not
// depend on the set.
type kernelSet struct {
	name                         string
	warmOne, springOne, relaxOne func([]body, []block1, *constants)
	warmTwo, springTwo, relaxTwo func([]body, []block2, *constants)
}

// kernels are those in use; see init of each platform.
var kernels = goKernels

var goKernels = kernelSet{
	name:    "go",
	warmOne: warmOneGo, springOne: springOneGo, relaxOne: relaxOneGo,
	warmTwo: warmTwoGo, springTwo: springTwoGo, relaxTwo: relaxTwoGo,
}
