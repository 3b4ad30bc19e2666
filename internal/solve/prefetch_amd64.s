#include "textflag.h"

// func prefetch(p unsafe.Pointer, bytes int)
TEXT ·prefetch(SB), NOSPLIT, $0-16
	MOVQ p+0(FP), AX
	MOVQ bytes+8(FP), CX

line:
	PREFETCHT0 (AX)
	ADDQ $64, AX
	SUBQ $64, CX
	JGT  line
	RET

// func prefetchLanes(manifold *[8]*Manifold, motions unsafe.Pointer, a, b *[8]uint32)
TEXT ·prefetchLanes(SB), NOSPLIT, $0-32
	MOVQ manifold+0(FP), AX
	MOVQ motions+8(FP), BX
	MOVQ a+16(FP), SI
	MOVQ b+24(FP), DI
	XORQ CX, CX

lane:
	MOVQ (AX)(CX*8), DX
	PREFETCHT0 (DX)
	PREFETCHT0 64(DX)
	MOVL (SI)(CX*4), DX
	PREFETCHT0 (BX)(DX*1)
	MOVL (DI)(CX*4), DX
	PREFETCHT0 (BX)(DX*1)
	INCQ CX
	CMPQ CX, $8
	JLT  lane
	RET
