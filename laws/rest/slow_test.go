package rest_test

import (
	"math"
	"testing"

	"github.com/quarry2d/quarry"
	"github.com/quarry2d/quarry/geom"
	"github.com/quarry2d/quarry/gridseg"
	"github.com/quarry2d/quarry/internal/worldtest"
)

// slow is a scene in which a body is slower than Config.SleepSpeed for longer than Config.SleepTime. add builds it and
// returns the body, or a function that acts before each step, too.
type slow struct {
	name    string
	gravity float64 // downwards
	seconds float64
	add     func(t *testing.T, w *worldtest.Site) (quarry.Body, func())
}

// plain is a slow scene in which nothing acts between steps.
func plain(name string, gravity, seconds float64, add func(t *testing.T, w *worldtest.Site) quarry.Body) slow {
	return slow{name, gravity, seconds, func(t *testing.T, w *worldtest.Site) (quarry.Body, func()) {
		return add(t,
			w), func() {}
	}}
}

// slab adds a static box, 2 thick, whose top passes through the origin at the given angle, with the material m.
func slab(w *worldtest.Site, angle float64, m quarry.MaterialID) {
	w.AddBody(quarry.BodyDef{Angle: angle}, geom.NewOffsetBox(500, 1, geom.V(0, -1), geom.Identity),
		quarry.ShapeDef{Material: m})
}

func dynamic(w *worldtest.Site, d quarry.BodyDef, s geom.Shape, m quarry.MaterialID) quarry.Body {
	d.Type = quarry.Dynamic
	return w.AddBody(d, s, quarry.ShapeDef{Material: m})
}

// uphill adds a body that moves up a slope, and turns round there: the friction is below the slope.
func uphill(w *worldtest.Site, pitch, rolling, friction float64, shape geom.Shape, chain bool) quarry.Body {
	angle := math.Atan(pitch)
	q := geom.NewRot(angle)
	m := w.AddMaterial(quarry.Material{Friction: friction, RollingResistance: rolling})
	if chain {
		w.AddChain(w.Carrier.ID(), quarry.ChainDef{Points: []geom.Vec{
			q.Apply(geom.V(100, 0)), q.Apply(geom.V(0, 0)),
			q.Apply(geom.V(-100, 0)),
		}, Materials: []quarry.MaterialID{m}})
	} else {
		slab(w, angle, m)
	}
	d := quarry.BodyDef{Position: q.Apply(geom.V(0, 0.5)), Angle: angle, Velocity: q.Apply(geom.V(1, 0))}
	if rolling > 0 {
		d.AngularVelocity = -2
	}
	return dynamic(w, d, shape, m)
}

var (
	ball = geom.Circle{Radius: 0.5}
	cube = geom.NewBox(0.5, 0.5)
)

// driven lists scenes in which something drives a slow body.
func driven() []slow {
	var list []slow
	add := func(s slow) { list = append(list, s) }
	for _, pitch := range []float64{0.005, 0.1} {
		for _, chain := range []bool{false, true} {
			add(plain("ball turns round on a slope", 10, 12, func(t *testing.T, w *worldtest.Site) quarry.Body {
				return uphill(w, 0.06+pitch, 0.06, 0.6, ball, chain)
			}))
			add(plain("box turns round on a slope", 10, 12, func(t *testing.T, w *worldtest.Site) quarry.Body {
				return uphill(w, 0.3+pitch, 0, 0.3, cube, chain)
			}))
		}
	}
	for _, g := range []float64{0.0001, 0.05} {
		add(plain("throw under weak gravity", g, 12, func(t *testing.T, w *worldtest.Site) quarry.Body {
			return dynamic(w, quarry.BodyDef{Velocity: geom.V(0, 0.03), AngularVelocity: 0.01}, cube, 0)
		}))
		add(plain("two boxes thrown", g, 12, func(t *testing.T, w *worldtest.Site) quarry.Body {
			dynamic(w, quarry.BodyDef{Velocity: geom.V(0, 0.03), Position: geom.V(1, 0)}, cube, 0)
			return dynamic(w, quarry.BodyDef{Velocity: geom.V(0, 0.03)}, cube, 0)
		}))
		add(plain("pair thrown on a joint", g, 12, func(t *testing.T, w *worldtest.Site) quarry.Body {
			b := dynamic(w, quarry.BodyDef{Velocity: geom.V(0, 0.03)}, cube, 0)
			c := dynamic(w, quarry.BodyDef{Velocity: geom.V(0, 0.03), Position: geom.V(2, 0)}, cube, 0)
			w.AddJoint(quarry.WeldJoint{JointBase: w.JointAt(b.ID(), c.ID(), w.Point(geom.V(1, 0)))})
			return b
		}))
	}
	for _, v := range []float64{-0.03, 0.001} {
		belt := func(w *worldtest.Site) quarry.MaterialID {
			return w.AddMaterial(quarry.Material{Friction: 0.8, TangentSpeed: v})
		}
		add(plain("box on a belt", 10, 5, func(t *testing.T, w *worldtest.Site) quarry.Body {
			slab(w, 0, belt(w))
			return dynamic(w, quarry.BodyDef{Position: geom.V(0, 0.5)}, cube, 0)
		}))
		add(plain("stack on a belt of tiles", 10, 5, func(t *testing.T, w *worldtest.Site) quarry.Body {
			g := w.AddGround(t)
			worldtest.Must(t, g.Fill(gridseg.Rect{MinX: -9, MinY: -1, MaxX: 9, MaxY: -1},
				gridseg.Tile{Shape: gridseg.Full, Material: uint16(belt(w))}))
			for k := range 2 {
				dynamic(w, quarry.BodyDef{Position: geom.V(0.5, 0.5+float64(k))}, cube, 0)
			}
			return dynamic(w, quarry.BodyDef{Position: geom.V(0.5, 2.5)}, cube, 0)
		}))
		add(plain("belt that lies on the floor", 10, 5, func(t *testing.T, w *worldtest.Site) quarry.Body {
			slab(w, 0, 0)
			return dynamic(w, quarry.BodyDef{Position: geom.V(0, 0.5)}, cube, belt(w))
		}))
		motor := quarry.JointMotor{Speed: v, Max: 1e4}
		for name, join := range motors(motor) {
			add(plain(name, 10, 5, func(_ *testing.T, w *worldtest.Site) quarry.Body {
				b := dynamic(w, quarry.BodyDef{}, cube, 0)
				w.AddJoint(join(w, b))
				return b
			}))
		}
		platform := func(name string, move func(w *worldtest.Site, b quarry.Body)) {
			add(plain(name, 10, 5, func(_ *testing.T, w *worldtest.Site) quarry.Body {
				move(w, w.AddBody(quarry.BodyDef{Type: quarry.Kinematic, Position: geom.V(0, -0.5)},
					geom.NewBox(2, 0.5), quarry.ShapeDef{}))
				return dynamic(w, quarry.BodyDef{Position: geom.V(1, 0.5)}, cube, 0)
			}))
		}
		platform("platform", func(w *worldtest.Site, b quarry.Body) { w.SetVelocity(b, geom.V(v, v/2)) })
		platform("turntable", func(_ *worldtest.Site, b quarry.Body) { b.SetAngularVelocity(v) })
	}
	for _, v := range []float64{0.005, 0.03} {
		add(plain("motor that damping slows down", 0, 5, func(_ *testing.T, w *worldtest.Site) quarry.Body {
			b := dynamic(w, quarry.BodyDef{LinearDamping: 1 / v}, cube, 0)
			w.AddJoint(motors(quarry.JointMotor{Speed: 0.08, Max: 1})["prismatic motor"](w, b))
			return b
		}))
		add(plain("belt that damping slows down", 10, 5, func(_ *testing.T, w *worldtest.Site) quarry.Body {
			slab(w, 0, w.AddMaterial(quarry.Material{Friction: 0.1, TangentSpeed: 0.08}))
			return dynamic(w, quarry.BodyDef{Position: geom.V(0, 0.5), LinearDamping: 1 / v}, cube, w.AddMaterial(
				quarry.Material{Friction: 0.1}))
		}))
	}
	for _, a := range []float64{0.03, 1} {
		add(plain("pendulum of low frequency", 10*a, 20, func(_ *testing.T, w *worldtest.Site) quarry.Body {
			b := dynamic(w, quarry.BodyDef{Position: geom.V(0.5, 0)}, cube, 0)
			w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(w.Carrier.ID(), b.ID(), w.Point(geom.V(0, 4)))})
			return b
		}))
		add(plain("soft spring", 0, 20, func(_ *testing.T, w *worldtest.Site) quarry.Body {
			b := dynamic(w, quarry.BodyDef{Position: geom.V(1, 0)}, cube, 0)
			w.AddJoint(quarry.DistanceJoint{
				JointBase: w.JointAt(w.Carrier.ID(), b.ID(), w.Point(geom.Vec{})),
				Length:    0.5, Spring: quarry.JointSpring{Hertz: a / 4},
			})
			return b
		}))
		list = append(list, slow{"small force on ice", 10, 5, func(_ *testing.T,
			w *worldtest.Site,
		) (quarry.Body, func()) {
			slab(w, 0, w.AddMaterial(quarry.Material{}))
			b := dynamic(w, quarry.BodyDef{Position: geom.V(0, 0.5)}, cube, 0)
			return b, func() { b.ApplyForceToCenter(w.Carrier.WorldVector(geom.V(a, 0))) }
		}})
	}
	add(plain("plank that topples", 10, 20, func(_ *testing.T, w *worldtest.Site) quarry.Body {
		b := dynamic(w, quarry.BodyDef{Position: geom.V(8e-4, 0)}, geom.NewBox(0.1, 8), 0)
		w.AddJoint(quarry.RevoluteJoint{JointBase: w.JointAt(w.Carrier.ID(), b.ID(), w.Point(geom.V(0, -8)))})
		return b
	}))
	return list
}

// motors lists joints between the carrier and a body at its origin, with a motor.
func motors(m quarry.JointMotor) map[string]func(w *worldtest.Site, b quarry.Body) quarry.JointDef {
	at := func(w *worldtest.Site, b quarry.Body) quarry.JointBase {
		return w.JointAlong(w.Carrier.ID(), b.ID(), w.Point(geom.Vec{}), w.Carrier.WorldVector(geom.V(0.6, 0.8)))
	}
	return map[string]func(w *worldtest.Site, b quarry.Body) quarry.JointDef{
		"prismatic motor": func(w *worldtest.Site, b quarry.Body) quarry.JointDef {
			return quarry.PrismaticJoint{JointBase: at(w, b), Motor: m}
		},
		"revolute motor": func(w *worldtest.Site, b quarry.Body) quarry.JointDef {
			return quarry.RevoluteJoint{JointBase: at(w, b), Motor: m}
		},
		"wheel's motor": func(w *worldtest.Site, b quarry.Body) quarry.JointDef {
			return quarry.WheelJoint{JointBase: at(w, b), Motor: m, Spring: quarry.JointSpring{
				Hertz:        4,
				DampingRatio: 1,
			}}
		},
		"distance joint's motor": func(w *worldtest.Site, b quarry.Body) quarry.JointDef {
			j := at(w, b)
			j.FrameA.Position = j.FrameA.Position.Add(geom.V(0, 3))
			return quarry.DistanceJoint{
				JointBase: j, Length: 3, Motor: m, Spring: quarry.JointSpring{Hertz: 0.01},
				Limit: quarry.JointLimit{On: true, Lower: 2, Upper: 5},
			}
		},
		"motor joint": func(w *worldtest.Site, b quarry.Body) quarry.JointDef {
			return quarry.MotorJoint{JointBase: at(w, b), Velocity: geom.V(m.Speed, 0), MaxForce: m.Max}
		},
		"turning motor joint": func(w *worldtest.Site, b quarry.Body) quarry.JointDef {
			return quarry.MotorJoint{
				JointBase:       at(w, b),
				AngularVelocity: m.Speed,
				MaxForce:        m.Max,
				MaxTorque:       m.Max,
			}
		},
	}
}

// TestHeldSleeps: a body that a belt, a motor or a force presses against an obstacle is in balance, and sleeps.
func TestHeldSleeps(t *testing.T) { worldtest.OnStillCarriers(t, heldSleeps) }

func heldSleeps(t *testing.T, on worldtest.Carrier) {
	for _, speed := range []float64{0.03, 4} {
		motor := quarry.JointMotor{Speed: speed, Max: 20}
		for _, c := range []struct {
			name string
			add  func(w *worldtest.Site) (quarry.Body, func())
		}{
			{"box on a belt at a wall", func(w *worldtest.Site) (quarry.Body, func()) {
				slab(w, 0, w.AddMaterial(quarry.Material{Friction: 0.5, TangentSpeed: speed}))
				w.AddBody(quarry.BodyDef{Position: geom.V(1.1, 1)}, geom.NewBox(0.5, 1), quarry.ShapeDef{})
				dynamic(w, quarry.BodyDef{Position: geom.V(-1.0, 0.5)}, cube, 0)
				return dynamic(w, quarry.BodyDef{Position: geom.V(0, 0.5)}, cube, 0), nil
			}},
			{"motor at its limit", func(w *worldtest.Site) (quarry.Body, func()) {
				b := dynamic(w, quarry.BodyDef{}, cube, 0)
				w.AddJoint(quarry.PrismaticJoint{
					JointBase: w.JointAlong(w.Carrier.ID(), b.ID(), w.Point(geom.Vec{}),
						w.Carrier.WorldVector(geom.V(0, 1))), Motor: motor,
					Limit: quarry.JointLimit{On: true, Lower: -0.1, Upper: 0.1},
				})
				return b, nil
			}},
			{"motor at a wall", func(w *worldtest.Site) (quarry.Body, func()) {
				slab(w, 0, 0)
				w.AddBody(quarry.BodyDef{Position: geom.V(1.05, 1)}, geom.NewBox(0.5, 1), quarry.ShapeDef{})
				b := dynamic(w, quarry.BodyDef{Position: geom.V(0, 0.55)}, geom.Circle{Radius: 0.5}, 0)
				w.AddJoint(quarry.PrismaticJoint{JointBase: w.JointAlong(w.Carrier.ID(), b.ID(),
					w.Point(geom.V(0, 0.55)), w.Carrier.WorldVector(geom.V(1, 0))), Motor: motor})
				return b, nil
			}},
			{"force against a wall, without gravity", func(w *worldtest.Site) (quarry.Body, func()) {
				w.SetGravity(geom.Vec{})
				w.AddBody(quarry.BodyDef{Position: geom.V(1.05, 0)}, geom.NewBox(0.5, 1), quarry.ShapeDef{})
				b := dynamic(w, quarry.BodyDef{}, cube, 0)
				return b, func() { b.ApplyForceToCenter(w.Carrier.WorldVector(geom.V(10*speed, 0))) }
			}},
		} {
			w := on.NewSite()
			b, act := c.add(w)
			for range 240 {
				if act != nil {
					act()
				}
				w.Step(worldtest.DT)
			}
			if b.Awake() {
				t.Errorf("%s, speed %v: awake after 4 s, velocity %v, at %v", c.name, speed, w.Velocity(b),
					w.Position(b))
			}
		}
	}
}

// TestDrivenDoesNotSleep: a body that something drives moves as it does in a world without sleep, however slow it is.
// The top of a slope or of a throw, slow belts and slow motors held bodies for ever.
func TestDrivenDoesNotSleep(t *testing.T) { worldtest.OnStaticCarriers(t, drivenDoesNotSleep) }

func drivenDoesNotSleep(t *testing.T, on worldtest.Carrier) {
	for _, s := range driven() {
		var ends [2]geom.Transform
		for k := range ends {
			w := on.NewSiteOf(quarry.Config{Gravity: geom.V(0, -s.gravity), NoSleep: k == 1})
			b, act := s.add(t, w)
			for range int(s.seconds * 60) {
				act()
				w.Step(worldtest.DT)
			}
			ends[k] = w.Pose(b)
		}
		if ends[0].P.Dist(ends[1].P) > 1e-6 || math.Abs(ends[0].Q.InvMul(ends[1].Q).Angle()) > 1e-6 {
			t.Errorf("%s: at %v after %v s, without sleep at %v", s.name, ends[0], s.seconds, ends[1])
		}
	}
}
