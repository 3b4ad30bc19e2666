package solve

import "os"

// Every arm64 processor has NEON. QUARRY_KERNELS=go takes the twin all the same.
func init() {
	if os.Getenv("QUARRY_KERNELS") != "go" {
		kernels = neonKernels
	}
}
