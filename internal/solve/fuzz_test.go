package solve

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"unsafe"
)

// strange are numbers that arithmetic treats specially.
var strange = []float32{
	0, float32(math.Copysign(0, -1)), float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()),
	1, -1, math.SmallestNonzeroFloat32, math.MaxFloat32, -math.MaxFloat32, springEdge,
}

// drawer draws numbers: of ordinary size, and in so many of 256 cases strange ones.
type drawer struct {
	*rand.Rand
	odd int
}

func (d *drawer) number() float32 {
	if d.IntN(256) < d.odd {
		return strange[d.IntN(len(strange))]
	}
	return float32(d.NormFloat64())
}

// fill sets the first n lanes of every row in v.
func (d *drawer) fill(v reflect.Value, n int) {
	switch {
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			d.fill(v.Field(i), n)
		}
	case v.Type() == reflect.TypeFor[lanes]():
		row := (*lanes)(v.Addr().UnsafePointer())
		for l := range n {
			row[l] = d.number()
		}
	case v.Kind() == reflect.Array && v.Type().Elem().Kind() == reflect.Struct:
		for i := range v.Len() {
			d.fill(v.Index(i), n)
		}
	}
}

// setNumbers sets all float32 of x, which has nothing else.
func setNumbers[T any](d *drawer, x *T) {
	for i, all := 0, unsafe.Slice((*float32)(unsafe.Pointer(x)), unsafe.Sizeof(*x)/4); i < len(all); i++ {
		all[i] = d.number()
	}
}

// sides gives each of n lanes a body of its own on each side, or one of those that do not move, and sets the
// bodies' rows.
func (d *drawer) sides(bodies, n int, a, b *[8]uint32, inertiaA, inertiaB *lanes) {
	free := d.Perm(bodies - 2)
	*a, *b = [8]uint32{}, [8]uint32{}
	for l := range n {
		i, j := 2+free[2*l], 2+free[2*l+1]
		switch d.IntN(4) {
		case 0:
			i = d.IntN(2)
		case 1:
			j = d.IntN(2)
		}
		a[l], b[l] = uint32(i)*bodySize, uint32(j)*bodySize
		inertiaA[l], inertiaB[l] = d.inverse(i), d.inverse(j)
	}
}

// inverse draws an inverse mass or moment of inertia of body i; that of the first two is 0.
func (d *drawer) inverse(i int) float32 {
	if i < 2 {
		return 0
	}
	x := d.number()
	if !(x >= 0) {
		x = -x
	}
	return x
}

// head draws the part of a block of contacts that is no row of numbers.
func (d *drawer) head(k *contactRows, bodies []body) {
	d.sides(len(bodies), int(k.n), &k.a, &k.b, &k.inertiaA, &k.inertiaB)
	k.rolls, k.carries = uint32(d.IntN(2)), uint32(d.IntN(2))
}

// doubles sets the numbers of a struct.
func (d *drawer) doubles(v reflect.Value) {
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.Float64, reflect.Float32:
			f.SetFloat(float64(d.number()) * (1 + 1e-9*d.NormFloat64()))
		case reflect.Array:
			for j := range f.Len() {
				if f.Index(j).Kind() == reflect.Struct {
					d.doubles(f.Index(j))
				}
			}
		}
	}
}

// input draws the input of a block of n contacts.
func (d *drawer) input(motions []Motion, n int) (in input) {
	in.empty()
	for l := range n {
		in.manifold[l] = new(Manifold)
		d.doubles(reflect.ValueOf(in.manifold[l]).Elem())
		in.a[l], in.b[l] = uint32(d.IntN(len(motions)))*motionSize, uint32(d.IntN(len(motions)))*motionSize
		for j := range in.surface {
			in.surface[j][l] = new(Surface)
			d.doubles(reflect.ValueOf(in.surface[j][l]).Elem())
		}
	}
	return in
}

// drawMotions draws motions; the first stands for all static bodies.
func (d *drawer) drawMotions() []Motion {
	out := make([]Motion, 9)
	for i := range out[1:] {
		m := &out[1+i]
		m.VX, m.VY, m.Spin = float64(d.number()), float64(d.number())/3, float64(d.number())/7
	}
	return out
}

// drawBodies draws bodies: the first stands for all static bodies, the second does not move.
func (d *drawer) drawBodies() []body {
	out := make([]body, 2+2*8)
	for i := range out {
		b := &out[i]
		b.vx, b.vy, b.w, b.dx, b.dy = d.number(), d.number(), d.number(), d.number(), d.number()
		b.dc, b.ds = d.number(), d.number()
		b.invMass = d.inverse(i)
	}
	out[0] = body{dc: 1}
	return out
}

// same reports whether two words are the same number: the sign and digits of a NaN are not
// told apart, because processors differ in them.
func same(x, y uint32) bool {
	f, g := math.Float32frombits(x), math.Float32frombits(y)
	return x == y || f != f && g != g
}

// differ returns the first word in which two values differ, -1 if none.
func differ[T any](x, y *T) int {
	n := int(unsafe.Sizeof(*x) / 4)
	p, q := unsafe.Slice((*uint32)(unsafe.Pointer(x)), n), unsafe.Slice((*uint32)(unsafe.Pointer(y)), n)
	for i := range p {
		if !same(p[i], q[i]) {
			return i
		}
	}
	return -1
}

// compare runs the kernels and their twins on the same blocks.
func compare[T, R any](t *testing.T, name string, bodies []body, blocks []T, rare []R, c *constants,
	k, twin func([]body, []T, []R, *constants),
) {
	t.Helper()
	otherBodies, otherBlocks, otherRare := append([]body(nil), bodies...), append([]T(nil), blocks...), append([]R(nil),
		rare...)
	k(bodies, blocks, rare, c)
	twin(otherBodies, otherBlocks, otherRare, c)
	for i := range bodies {
		if at := differ(&bodies[i], &otherBodies[i]); at >= 0 {
			t.Fatalf("%s: body %d, word %d: %+v, twin %+v", name, i, at, bodies[i], otherBodies[i])
		}
	}
	for i := range blocks {
		if at := differ(&blocks[i], &otherBlocks[i]); at >= 0 {
			t.Fatalf("%s: block %d, row %d, lane %d differ", name, i, at/8, at%8)
		}
	}
	compareRare(t, name, rare, otherRare)
}

func compareRare[R any](t *testing.T, name string, rare, other []R) {
	t.Helper()
	for i := range rare {
		if at := differ(&rare[i], &other[i]); at >= 0 {
			t.Fatalf("%s: rare rows of block %d, row %d, lane %d differ", name, i, at/8, at%8)
		}
	}
}

// compareReaders does the same for kernels that read inputs.
func compareReaders[T any](t *testing.T, name string, motions []Motion, inputs []input, blocks []T, rare []rareRows,
	k, twin reader[T],
) {
	t.Helper()
	other, otherInputs, otherRare := append([]T(nil), blocks...), append([]input(nil), inputs...),
		append([]rareRows(nil), rare...)
	k(motions, inputs, blocks, rare)
	twin(motions, otherInputs, other, otherRare)
	for i := range blocks {
		if at := differ(&inputs[i], &otherInputs[i]); at >= 0 {
			t.Fatalf("%s: input %d, word %d: %+v, twin %+v", name, i, at, inputs[i], otherInputs[i])
		}
		if at := differ(&blocks[i], &other[i]); at >= 0 {
			t.Fatalf("%s: block %d, row %d, lane %d differ", name, i, at/8, at%8)
		}
	}
	compareRare(t, name, rare, otherRare)
}

// FuzzKernels compares each kernel with its twin, bit by bit, on blocks of arbitrary numbers.
func FuzzKernels(f *testing.F) {
	for seed := range uint64(64) {
		f.Add(seed, uint8(seed*4), uint8(seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, odd, used uint8) {
		if kernels.name == "go" {
			t.Skip("this processor runs the twin: there is no second implementation to compare")
		}
		d := &drawer{rand.New(rand.NewPCG(seed, 1)), int(odd) % 64}
		for range 20 {
			s := worker{
				Solver: &Solver{PushSpeed: 3, BounceSpeed: 1, HitSpeed: 0.5},
				batch:  &batch{},
			}
			s.springs[column] = springOf(6.2, columnHertz, 1./240)
			s.springs[fixed] = springOf(18.6, fixedHertz, 1./240)
			s.setConstants(1./240, 1./120)
			s.setPinConstants(1./120, 1./240)
			movers, rest := make([]eightBodies, 2), make([]eightRareBodies, 2)
			for i := range movers {
				setNumbers(d, &movers[i])
				setNumbers(d, &rest[i])
			}
			ones, twos, pins := make([]block1, 2), make([]block2, 2), make([]pinBlock, 2)
			rareOnes, rareTwos := make([]rareRows, 2), make([]rareRows, 2)
			compare(t, "move bodies", nil, movers, rest, &s.of[moving], kernels.moveBodies, moveBodiesGo)
			inputs, motions := make([]input, 2), d.drawMotions()
			for i := range ones {
				bodies := d.drawBodies()
				n := uint32(used)%8 + 1
				k, m := &ones[i], &twos[i]
				k.n, m.n = n, n
				d.fill(reflect.ValueOf(k).Elem(), int(n))
				d.fill(reflect.ValueOf(m).Elem(), int(n))
				d.fill(reflect.ValueOf(&rareOnes[i]).Elem(), int(n))
				d.fill(reflect.ValueOf(&rareTwos[i]).Elem(), int(n))
				d.head(&k.contactRows, bodies)
				d.head(&m.contactRows, bodies)
				p := &pins[i]
				p.n = n
				d.fill(reflect.ValueOf(p).Elem(), int(n))
				d.sides(len(bodies), int(n), &p.a, &p.b, &p.inertiaA, &p.inertiaB)
				inputs[i] = d.input(motions, int(n))
				compareReaders(t, "read, one point", motions, inputs, ones[:i+1], rareOnes[:i+1], kernels.readOne,
					readOneGo)
				compareReaders(t, "read, two points", motions, inputs, twos[:i+1], rareTwos[:i+1], kernels.readTwo,
					readTwoGo)
				// Two passes, so that the second block and pass read the results of the first.
				for _, c := range []*constants{&s.of[column], &s.of[fixed]} {
					compare(t, "weigh, one point", bodies, ones[:i+1], rareOnes[:i+1], c, kernels.weighOne, weighOneGo)
					compare(t, "warm, one point", bodies, ones[:i+1], rareOnes[:i+1], c, kernels.warmOne, warmOneGo)
					compare(t, "part of warm, one point", bodies, ones[:i+1], rareOnes[:i+1], c, kernels.warmPartOne,
						warmPartOneGo)
					compare(t, "spring, one point", bodies, ones[:i+1], rareOnes[:i+1], c, kernels.springOne,
						springOneGo)
					compare(t, "relax, one point", bodies, ones[:i+1], rareOnes[:i+1], c, kernels.relaxOne, relaxOneGo)
					compareReaders(t, "take, one point", nil, inputs, ones[:i+1], rareOnes[:i+1], kernels.takeOne,
						takeOneGo)
					compareReaders(t, "take, two points", nil, inputs, twos[:i+1], rareTwos[:i+1], kernels.takeTwo,
						takeTwoGo)
					compare(t, "weigh, two points", bodies, twos[:i+1], rareTwos[:i+1], c, kernels.weighTwo, weighTwoGo)
					compare(t, "warm, two points", bodies, twos[:i+1], rareTwos[:i+1], c, kernels.warmTwo, warmTwoGo)
					compare(t, "part of warm, two points", bodies, twos[:i+1], rareTwos[:i+1], c, kernels.warmPartTwo,
						warmPartTwoGo)
					compare(t, "spring, two points", bodies, twos[:i+1], rareTwos[:i+1], c, kernels.springTwo,
						springTwoGo)
					compare(t, "relax, two points", bodies, twos[:i+1], rareTwos[:i+1], c, kernels.relaxTwo, relaxTwoGo)
					compare(t, "ready, pins", bodies, pins[:i+1], nil, &s.of[moving], kernels.readyPins, readyPinsGo)
					compare(t, "warm, pins", bodies, pins[:i+1], nil, &s.of[moving], kernels.warmPins, warmPinsGo)
					compare(t, "warm, parts of pins", bodies, pins[:i+1], nil, &s.of[moving], kernels.warmPinParts,
						warmPinPartsGo)
					compare(t, "spring, pins", bodies, pins[:i+1], nil, &s.of[moving], kernels.springPins, springPinsGo)
					compare(t, "relax, pins", bodies, pins[:i+1], nil, &s.of[moving], kernels.relaxPins, relaxPinsGo)
					s.setPinConstants(0, -1./240)
				}
			}
		}
	})
}
