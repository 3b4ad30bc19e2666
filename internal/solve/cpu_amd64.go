package solve

import "os"

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
