// Package quarry is 2D rigid-body physics for worlds that players dig and
// build: ground made of tiles of any shape, edited while it is played, over
// whose seams nothing trips.
//
// # A world
//
// NewWorld makes one; AddBody and AddShape put things in it, AddGround gives
// it tiles (package gridseg) and AddChain lines of points that are solid on one
// side, Step moves it on. Bodies, shapes, grounds and chains are ids: a slot and a
// generation, 0 for none, below 2^53 so that they survive JSON. World.Body, Shape,
// Ground and Chain turn an id into a small view and report whether it still
// exists; there are no pointers to keep alive. After a step, Moved, ContactBegins,
// ContactEnds, Hits, SensorBegins, SensorEnds, Crushed and Lost tell what
// happened, in slices that are valid until the next step.
//
// # Where to look
//
//   - dig a crater or a tunnel, or build a hill: Ground.Dig, Ground.Build; tile by
//     tile: Ground.Set, Ground.Fill; any outline: Ground.Subtract, Ground.Unite.
//   - redraw or save the cells that edits changed: World.GroundEdits.
//   - what is here: Ground.CellAt, Ground.Tile, Ground.Solid, World.AppendShapesAt;
//     within a box: World.AppendOverlaps, World.AppendChains.
//   - a ray, such as a line of sight or a shot: World.RayCast; on tiles alone, with
//     what is nearest and the outlines of the ground: Ground.Grid, package gridseg.
//   - a shape on its way against another: geom.ShapeCast, geom.TimeOfImpact. (The
//     world itself casts no shapes yet.)
//   - a trigger: ShapeDef.Sensor and World.SensorBegins; who collides with whom:
//     ShapeDef.Category and Mask.
//   - a platform to jump on from below, a door: Material.OneWay and
//     Body.DropThrough; a conveyor: Material.TangentSpeed; ice, rubber, mud:
//     Material; for one tile: gridseg.Tile.Material.
//   - terrain drawn as a line: World.AddChain.
//   - something small and fast: BodyDef.Bullet.
//   - culling and triggers without a world: package grid.
//   - maps from a file, pictures, scenes to try: packages tilemap, render, scene.
//
// # Units and axes
//
// One unit of length is one cell of the ground, y points up, angles are
// radians counter-clockwise, time is in seconds, mass is density times area.
// Polygons wind counter-clockwise: solid on the left of every edge, the normal
// on the right. Things of 0.1 to 20 cells behave best; speeds are clamped to
// MaxSpeed. A body that leaves the bounds of the broad phase (2^50 of
// Config.CellSize from the origin) stops there and is static from then on;
// World.Lost tells of it.
//
// # Words
//
//   - manifold: where two shapes touch: a normal and one or two points.
//   - separation: the distance along the normal, negative where shapes overlap.
//   - feature id: the vertex, edge or line of each side that makes a point, so that its
//     impulse is found again in the next step (warm starting): ContactPoint.ID.
//   - speculative distance: contacts exist a little before shapes touch: 0.02 units of
//     length.
//   - segment: a piece of the ground's surface; ghost vertices are the far ends
//     of its neighbours, which tell which contact normals are real.
//   - run: the collinear segments under one body, taken as one.
//   - chain: a line of points, open or a loop, solid on the left of its way; face:
//     a straight run of its segments.
//   - belt: a surface with a speed of its own (Material.TangentSpeed).
//   - one-way tile: one that bodies pass one way only (Material.OneWay).
//   - sub-step: Step cuts its time into Config.SubSteps parts.
//   - island: bodies that touch one another; they fall asleep together.
//
// # Errors and mistakes
//
// No call ignores an argument that is out of range. It refuses the argument and
// changes nothing:
//
//   - with an error, if it returns one: AddGround, AddChain and the edits of a Ground,
//     whose arguments may be data from outside, as tiles and maps are;
//   - with a panic, if it does not: Step, the setters, AddBody, AddShape, AddMaterial.
//     The text begins with "quarry: ".
//
// Either names the call, the field, its value and the range. So Step(2) panics, and a
// Fill of a rectangle whose Max is less than its Min returns an error.
//
// With a stale id a call returns ok == false, or an error if it returns one. A change
// during Step panics, and so does the use of a zero World, or of a view whose body, shape,
// ground or chain has been removed.
// Queries take any argument: a ray that is not finite, or an empty box, meets nothing.
// A speed above MaxSpeed is in range: the next step limits it.
//
// Nothing logs. Queries may run concurrently between steps; all else needs the
// caller's own lock.
//
// # Determinism
//
// The same calls give the same bits on amd64, arm64 and wasm: see World.Hash.
// Positions and velocities are float64, so that a world ten million cells wide
// behaves as at its origin, and what moves along at any speed as what is at rest; the
// solver works in float32 on what changes within a step.
package quarry
