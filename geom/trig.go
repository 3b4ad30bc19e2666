package geom

import "math"

// Pi/2 in three parts. The first two have 33 significant bits, so that their product with an
// integer below 2^20 is exact (Cody and Waite, Software Manual for the Elementary Functions, 1980).
const (
	quarter1 = 0x1.921fb544p+00
	quarter2 = 0x1.0b4611a6p-34
	quarter3 = 0x1.3198a2e037073p-69
)

// SinCos returns the sine and the cosine of angle (radians).
//
// For |angle| <= 1e6 the error of both is at most 1e-15. Beyond, the error grows with the spacing
// of float64, up to 2^53, where neighbouring values are more than a radian apart and SinCos returns
// 0 and 1. The result is exact at 0 and, up to a whole turn either way, at the values closest to
// multiples of pi/2: NewRot(math.Pi/2) has a cosine of 0, not of 6e-17.
//
// A NaN or an infinity gives NaN twice.
//
// Method: subtract the nearest multiple of pi/2, then use the Taylor series of both on [-pi/4,
// pi/4]; the first omitted term is below 1e-17.
func SinCos(angle float64) (sin, cos float64) {
	if !finite(angle) {
		return math.NaN(), math.NaN()
	}
	if math.Abs(angle) >= 0x1p53 {
		return 0, 1
	}
	k := math.Floor(float64(angle*(2/math.Pi)) + 0.5)
	r := angle
	if k != 0 {
		r -= float64(k * quarter1)
		r -= float64(k * quarter2)
		r -= float64(k * quarter3)
		// Half the spacing of float64 below 8: the largest distance of a multiple of pi/2 from its
		// nearest float64.
		if math.Abs(r) <= 0x1p-51 {
			r = 0
		}
	}
	r = max(-1, min(1, r)) // can only exceed 1 far beyond 1e6
	z := r * r

	const (
		s3, s5, s7, s9 = -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880
		s11, s13       = -1.0 / 39916800, 1.0 / 6227020800
		s15, s17       = -1.0 / 1307674368000, 1.0 / 355687428096000
		c4, c6, c8     = 1.0 / 24, -1.0 / 720, 1.0 / 40320
		c10, c12       = -1.0 / 3628800, 1.0 / 479001600
		c14, c16       = -1.0 / 87178291200, 1.0 / 20922789888000
	)
	p := s15 + float64(z*s17)
	p = s13 + float64(z*p)
	p = s11 + float64(z*p)
	p = s9 + float64(z*p)
	p = s7 + float64(z*p)
	p = s5 + float64(z*p)
	p = s3 + float64(z*p)
	s := r + float64(float64(r*z)*p)

	p = c14 + float64(z*c16)
	p = c12 + float64(z*p)
	p = c10 + float64(z*p)
	p = c8 + float64(z*p)
	p = c6 + float64(z*p)
	p = c4 + float64(z*p)
	c := 1 - float64(0.5*z) + float64(float64(z*z)*p)

	switch k - float64(4*math.Floor(k*0.25)) { // k modulo 4, exact for any k
	case 0:
		return s, c
	case 1:
		return c, 0 - s
	case 2:
		return 0 - s, 0 - c
	}
	return 0 - c, s
}

// atanEighth[i] is the arc tangent of i/8.
var atanEighth = [9]float64{
	0,
	0.12435499454676143503135484916387102557317,
	0.24497866312686415417208248121127581091412776,
	0.35877067027057222039592006392646049977693492,
	0.46364760900080611621425623146121440202849,
	0.55859931534356243597150821640166127034640172,
	0.64350110879328438680280922871732263804144723,
	0.71882999962162450541701415152590465395130860,
	0.78539816339744830961566084581987572104917846,
}

// Atan2 returns the angle of the vector (x, y), in (-pi, pi], with an error of at most 1e-15. It
// ignores the sign of a zero: the zero vector gives 0, and y = -0 with x < 0 gives pi. Infinities
// give the limit along an axis, or along the diagonal if both are infinite. A NaN gives NaN.
//
// Method: the ratio of the smaller to the larger coordinate, minus the nearest eighth by the
// subtraction formula of the tangent, leaves at most 1/16 for the Taylor series; the first omitted
// term is below 1e-21.
func Atan2(y, x float64) float64 {
	if x != x || y != y {
		return math.NaN()
	}
	ax, ay := math.Abs(x), math.Abs(y)
	lo, hi := min(ax, ay), max(ax, ay)
	if hi == 0 {
		return 0
	}
	t := 1.0
	if lo != hi { // avoids infinity divided by infinity
		t = lo / hi
	}
	i := math.Floor(float64(t*8) + 0.5)
	c := float64(i * 0.125) // exact, but used in a difference
	u := (t - c) / (1 + float64(t*c))
	z := u * u
	p := 1.0/13 - float64(z*(1.0/15))
	p = 1.0/11 - float64(z*p)
	p = 1.0/9 - float64(z*p)
	p = 1.0/7 - float64(z*p)
	p = 1.0/5 - float64(z*p)
	p = 1.0/3 - float64(z*p)
	a := atanEighth[int(i)] + (u - float64(float64(u*z)*p))
	if ay > ax {
		a = math.Pi/2 - a
	}
	if x < 0 {
		a = math.Pi - a
	}
	if y < 0 {
		return 0 - a
	}
	return a
}
