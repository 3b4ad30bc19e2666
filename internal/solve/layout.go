package solve

import "unsafe"

// Kernels returns the name of the kernels in use: "avx2", "neon" or "go".
func Kernels() string { return kernels.name }

// Bytes returns the memory of a body that moves, and of a contact of two points in its block.
func Bytes() (perBody, perContact int) {
	return int(unsafe.Sizeof(Motion{}) + unsafe.Sizeof(body{}) + unsafe.Sizeof(rareBody{})),
		int(unsafe.Sizeof(block2{})+unsafe.Sizeof(rareRows{})) / len(lanes{})
}
