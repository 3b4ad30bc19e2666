package solve

import "os"

var avx2Kernels = kernelSet{
	name:     "avx2",
	weighOne: weighOneAVX2, warmOne: warmOneAVX2, warmPartOne: warmPartOneAVX2, springOne: springOneAVX2, relaxOne: relaxOneAVX2,
	weighTwo: weighTwoAVX2, warmTwo: warmTwoAVX2, warmPartTwo: warmPartTwoAVX2, springTwo: springTwoAVX2, relaxTwo: relaxTwoAVX2,
	readOne: readOneAVX2, readTwo: readTwoAVX2, takeOne: takeOneAVX2, takeTwo: takeTwoAVX2,
	readyPins: readyPinsAVX2, warmPins: warmPinsAVX2, warmPinParts: warmPinPartsAVX2,
	springPins: springPinsAVX2, rigidPins: rigidPinsAVX2, relaxPins: relaxPinsAVX2,
	moveBodies: moveBodiesAVX2,
}

//go:noescape
func readOneAVX2(motions []Motion, inputs []input, blocks []block1, rare []rareRows)

//go:noescape
func readTwoAVX2(motions []Motion, inputs []input, blocks []block2, rare []rareRows)

//go:noescape
func takeOneAVX2(motions []Motion, inputs []input, blocks []block1, rare []rareRows)

//go:noescape
func takeTwoAVX2(motions []Motion, inputs []input, blocks []block2, rare []rareRows)

//go:noescape
func weighOneAVX2(bodies []body, blocks []block1, rare []rareRows, c *constants)

//go:noescape
func warmOneAVX2(bodies []body, blocks []block1, rare []rareRows, c *constants)

//go:noescape
func warmPartOneAVX2(bodies []body, blocks []block1, rare []rareRows, c *constants)

//go:noescape
func springOneAVX2(bodies []body, blocks []block1, rare []rareRows, c *constants)

//go:noescape
func relaxOneAVX2(bodies []body, blocks []block1, rare []rareRows, c *constants)

//go:noescape
func weighTwoAVX2(bodies []body, blocks []block2, rare []rareRows, c *constants)

//go:noescape
func warmTwoAVX2(bodies []body, blocks []block2, rare []rareRows, c *constants)

//go:noescape
func warmPartTwoAVX2(bodies []body, blocks []block2, rare []rareRows, c *constants)

//go:noescape
func springTwoAVX2(bodies []body, blocks []block2, rare []rareRows, c *constants)

//go:noescape
func relaxTwoAVX2(bodies []body, blocks []block2, rare []rareRows, c *constants)

//go:noescape
func readyPinsAVX2(bodies []body, blocks []pinBlock, rare []rareRows, c *constants)

//go:noescape
func warmPinsAVX2(bodies []body, blocks []pinBlock, rare []rareRows, c *constants)

//go:noescape
func warmPinPartsAVX2(bodies []body, blocks []pinBlock, rare []rareRows, c *constants)

//go:noescape
func springPinsAVX2(bodies []body, blocks []pinBlock, rare []rareRows, c *constants)

//go:noescape
func rigidPinsAVX2(bodies []body, blocks []pinBlock, rare []rareRows, c *constants)

//go:noescape
func relaxPinsAVX2(bodies []body, blocks []pinBlock, rare []rareRows, c *constants)

//go:noescape
func moveBodiesAVX2(bodies []body, blocks []eightBodies, rare []eightRareBodies, c *constants)

// QUARRY_KERNELS=go takes the twin although the processor has AVX2.
func init() {
	if hasAVX2() && os.Getenv("QUARRY_KERNELS") != "go" {
		kernels = avx2Kernels
	}
}

// cpuid executes CPUID with the given leaf and subleaf.
//
//go:noescape
func cpuid(leaf, sub uint32) (a, b, c, d uint32)

// xgetbv returns the low half of extended control register 0.
//
//go:noescape
func xgetbv() uint32

// hasAVX2 reports whether processor and operating system have AVX2.
func hasAVX2() bool {
	const (
		osxsave = 1 << 27 // leaf 1, c: the system saves extended registers
		avx2    = 1 << 5  // leaf 7, b
		vectors = 1<<1 | 1<<2
	)
	if most, _, _, _ := cpuid(0, 0); most < 7 {
		return false
	}
	if _, _, c, _ := cpuid(1, 0); c&osxsave == 0 || xgetbv()&vectors != vectors {
		return false
	}
	_, b, _, _ := cpuid(7, 0)
	return b&avx2 != 0
}
