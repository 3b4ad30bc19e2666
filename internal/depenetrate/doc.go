// Package depenetrate finds exits for shapes in solid ground (exit.go, freespot.go), and for shapes pinched between
// surfaces (pinch.go). It also measures how long a shape has been stuck (timer.go). It computes exits and does not
// apply them. It does not know World.
package depenetrate
