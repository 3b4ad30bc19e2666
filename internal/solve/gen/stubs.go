package main

import (
	"bytes"
	"fmt"
	"go/format"
	"strings"
)

// stubs returns a printer of the Go declarations of kernels in assembly, and of their set. The suffix is of their
// names.
func stubs(suffix string) func(kernels []*kernel) ([]byte, error) {
	return func(kernels []*kernel) ([]byte, error) {
		var out bytes.Buffer
		name := strings.ToLower(suffix)
		fmt.Fprintf(&out, "%s\npackage solve\n\nvar %sKernels = kernelSet{\nname: %q,\n", header, name, name)
		for _, k := range kernels {
			fmt.Fprintf(&out, "%s: %s%s,\n", k.name, k.name, suffix)
		}
		out.WriteString("}\n")
		for _, k := range kernels {
			fmt.Fprintf(&out, "\n//go:noescape\nfunc %s%s%s\n", k.name, suffix, k.parameters())
		}
		return format.Source(out.Bytes())
	}
}
