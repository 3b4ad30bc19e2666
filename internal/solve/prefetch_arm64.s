#include "textflag.h"

// func prefetch(p unsafe.Pointer, bytes int)
TEXT ·prefetch(SB), NOSPLIT, $0-16
	MOVD p+0(FP), R0
	MOVD bytes+8(FP), R1

line:
	PRFM (R0), PLDL1KEEP
	ADD  $64, R0
	SUBS $64, R1
	BGT  line
	RET

// func prefetchLanes(manifold *[8]*Manifold, motions unsafe.Pointer, a, b *[8]uint32)
TEXT ·prefetchLanes(SB), NOSPLIT, $0-32
	MOVD manifold+0(FP), R0
	MOVD motions+8(FP), R1
	MOVD a+16(FP), R2
	MOVD b+24(FP), R3
	MOVD $8, R4

lane:
	MOVD.P  8(R0), R5
	PRFM    (R5), PLDL1KEEP
	PRFM    64(R5), PLDL1KEEP
	MOVWU.P 4(R2), R5
	ADD     R1, R5
	PRFM    (R5), PLDL1KEEP
	MOVWU.P 4(R3), R5
	ADD     R1, R5
	PRFM    (R5), PLDL1KEEP
	SUBS    $1, R4
	BNE     lane
	RET
