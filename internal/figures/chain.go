package main

import (
	"github.com/quarry2d/quarry/collide"
	"github.com/quarry2d/quarry/geom"
)

// surface returns the faces of an open line of vertices, solid on the left, each with
// the ghosts that the line has.
func surface(v ...geom.Vec) []collide.Face {
	var fs []collide.Face
	for i := range len(v) - 1 {
		f := collide.Face{A: v[i], B: v[i+1]}
		if i > 0 {
			f.Ghost1, f.HasGhost1 = v[i-1], true
		}
		if i+2 < len(v) {
			f.Ghost2, f.HasGhost2 = v[i+2], true
		}
		fs = append(fs, f)
	}
	return fs
}

// bare returns a face without its ghost vertices, whose manifolds come from the
// separating axes alone.
func bare(f collide.Face) collide.Face { return collide.Face{A: f.A, B: f.B} }

// meet1 returns the manifold of a face and a body, in the world's axes.
func onFace(f collide.Face, b solidBody) collide.Manifold {
	var m collide.Manifold
	h := collide.NewHull(b.shape)
	collide.FaceHull(&m, &f, &h, b.at, .02)
	return m
}

// twoSided returns the manifold of a face taken as a line that collides on both sides
// and a body.
func twoSided(f collide.Face, b solidBody) collide.Manifold {
	return touch(solidBody{geom.Segment{A: f.A, B: f.B}, geom.At(geom.Vec{})}, b, .02)
}

func normalOf(f collide.Face) geom.Vec {
	n, _ := f.B.Sub(f.A).Right().Unit()
	return n
}

// under is the line of vertices with solid below it, down to y, as a polygon.
func under(y float64, v ...geom.Vec) []geom.Vec {
	return append(append([]geom.Vec{}, v...), geom.V(v[len(v)-1].X, y), geom.V(v[0].X, y))
}

func circleAt(r, x, y float64) solidBody {
	return solidBody{geom.Circle{Radius: r}, geom.At(geom.V(x, y))}
}

var (
	flatSeam = surface(geom.V(3, 0), geom.V(2, 0), geom.V(1, 0), geom.V(0, 0), geom.V(-1, 0))
	// The four kinds of face: x from 0.6 to -0.6, and a neighbour on either side.
	dome   = surface(geom.V(1.6, -.8), geom.V(.6, 0), geom.V(-.6, 0), geom.V(-1.6, -.8))
	tray   = surface(geom.V(1.8, .3), geom.V(.6, 0), geom.V(-.6, 0), geom.V(-1.8, .3))
	ledge  = surface(geom.V(1.6, -.8), geom.V(.6, 0), geom.V(-.6, 0), geom.V(-1.8, .3))
	mirror = surface(geom.V(1.8, .3), geom.V(.6, 0), geom.V(-.6, 0), geom.V(-1.6, -.8))
)

// vertices returns the line that faces run along.
func vertices(fs []collide.Face) []geom.Vec {
	v := []geom.Vec{fs[0].A}
	for _, f := range fs {
		v = append(v, f.B)
	}
	return v
}
