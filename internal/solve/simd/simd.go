// Package simd is the kernels of package solve as a WebAssembly module with SIMD of 128 bits, for programs built for
// js/wasm with the tag quarrysimd. Go's compiler has no such instructions, so the kernels are a module of their own,
// which works on the memory of the Go program.
//
// The loader of such a program supplies an import "quarry" with a function of each name that the module exports, by
// which Go calls the kernels. As the kernels need Go's memory, which exists only with its instance, these are stubs
// until then: see sandbox/web/worker.js. The global quarryKernels, if it is true when Go starts, makes package solve
// use the kernels; else, as in a browser without SIMD, it uses Go's own code. The bits are the same.
package simd

import "encoding/base64"

// Module returns the module.
func Module() []byte {
	b, err := base64.StdEncoding.DecodeString(module)
	if err != nil {
		panic("quarry: simd: " + err.Error()) // impossible: it is generated
	}
	return b
}
