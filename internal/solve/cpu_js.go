//go:build js && wasm && quarrysimd

package solve

import "syscall/js"

// The loader sets quarryKernels if the module of package simd could be instantiated.
func init() {
	if js.Global().Get("quarryKernels").Truthy() {
		kernels = simdKernels
	}
}
