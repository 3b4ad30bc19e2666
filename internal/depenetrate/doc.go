// Package depenetrate finds ways out for shapes in solid ground or pinched between surfaces. It
// computes exits and does not apply them; it does not know World.
package depenetrate
