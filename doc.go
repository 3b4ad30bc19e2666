// Package quarry is a 2D rigid-body physics engine for worlds that players dig and build: the
// ground is made of tiles of any shape, is edited during play, and has no seams for bodies to trip
// over.
//
// # A world
//
// [NewWorld] makes a world; [World.AddBody] and [World.AddShape] add bodies, [World.AddGround] adds tiles (package
// gridseg), [World.AddChain] adds lines of points that are solid on one side, [World.AddJoint] holds bodies together,
// and [World.Step] advances the time. Bodies, shapes, joints, grounds and chains have ids: a slot and a generation, 0
// for none, below 2^53 so that JSON keeps them exactly. [World.Body], [World.Shape], [World.Joint], [World.Ground] and
// [World.Chain] turn an id into a small view and report whether it still exists; there are no pointers to keep alive.
// After a step, [World.Moves], [World.ContactBegins], [World.ContactEnds], [World.Hits], [World.SensorBegins],
// [World.SensorEnds], [World.MaterialBegins], [World.MaterialEnds], [World.JointEvents], [World.Breaks],
// [World.Crushed] and [World.Lost] return its events, in slices that are valid until the next step.
//
// docs/manual.md leads from an empty file to a small game; docs/coming-from.md has the names of Box2D v3,
// Rapier and Chipmunk beside ours.
//
// # Where to look
//
//   - dig a crater or a tunnel, or build a hill: [Ground.Dig], [Ground.Build]; tile by tile: [Ground.Set],
//     [Ground.Fill]; any outline: [Ground.Subtract], [Ground.Unite]; the area dug of each material, and tiles that
//     cannot be dug: their options.
//   - redraw or save the cells that edits changed: [World.GroundEdits].
//   - a ship, a raft, a boulder of tiles: [World.AddGround] on a dynamic body. Parts that an edit cuts off become
//     bodies: [World.Breaks], and GroundDef.Breaks for ground of the world. Craters of impacts: Material.Strength and
//     [Ground.Crater]. Two grounds into one: [Ground.Join]. See docs/living-ground.md.
//   - a world larger than memory: [Ground.UnloadPlace], [Ground.LoadPlace]; around players, and worlds in files:
//     package store.
//   - query a point: [Ground.CellAt], [Ground.Tile], [Ground.Solid], [World.AppendShapesAt];
//     a box: [World.AppendShapesIn], [World.AppendChains]; any shape: [World.AppendOverlaps], [World.Overlaps].
//   - a ray, such as a shot: [World.RayCast], [World.AppendRayHits]; a line of sight: [World.RayBlocked].
//   - move a shape until it touches: [World.ShapeCast], [World.AppendShapeHits]; the surface nearest to a point:
//     [World.Nearest]; a character: package mover, on [World.AppendPlanes]. The targets that queries find:
//     [QueryFilter]. Two shapes alone: [geom.ShapeCast], [geom.TimeOfImpact]; tiles alone: [Ground.Grid].
//   - an explosion: [World.Explode], and [Ground.Dig] for its crater; wind: [Shape.ApplyWind], [Ground.ApplyWind].
//   - a trigger: ShapeDef.Sensor and [World.SensorBegins]; who collides with whom:
//     ShapeDef.Category and Mask, [World.SetCustomFilter]; who is in a trigger:
//     [Shape.AppendOverlaps].
//   - onto spikes, ice, lava: the flag [MaterialEvents] and [World.MaterialBegins].
//   - the surface under a body: [Body.Grounded]; its contacts: [Body.AppendContacts].
//   - change or leave out a contact: [World.SetPreSolve]; leave out events:
//     ShapeDef.Flags.
//   - a platform to jump on from below, a door: Material.OneWay and
//     [Body.DropThrough]; a conveyor: Material.TangentSpeed; ice, rubber, mud:
//     [Material]; for one tile: gridseg.Tile.Material.
//   - terrain drawn as a line: [World.AddChain].
//   - hold bodies together: [World.AddJoint] with a [RevoluteJoint] (hinge), [PrismaticJoint] (slider), [DistanceJoint]
//     (rod, rope, shock absorber), [WeldJoint], [WheelJoint] (suspension), [MotorJoint], [MouseJoint] (drag),
//     [GearJoint], [RatchetJoint] (winch) or [FilterJoint]; frames from a point of the world: [World.JointAt],
//     [World.JointAlong]; a joint that breaks: [World.JointEvents].
//   - small, fast bodies: BodyDef.Bullet.
//   - save and load a game: [World.AppendSnapshot], [World.Restore]; go back some steps: [World.Capture],
//     [World.Rewind]; record all calls and make them again: [World.Record], [World.StopRecording], [World.Replay].
//   - a lift or a door on a path: [Body.SetTarget]; rails and nails: BodyDef.LockX, LockY, FixedRotation.
//   - change a body, shape or world later: [Body.SetType], [Body.SetEnabled], [Body.SetMass], [Shape.SetGeometry],
//     [Shape.SetFilter], [World.SetConfig]; read it: [Body.Def], [World.Config]. docs/bodies.md lists all.
//   - parts that never collide with each other: a negative ShapeDef.Group.
//   - times of the stages of a step: Config.Profile and [World.Profile]; goroutines of a step: Config.Workers.
//   - culling and triggers without a world: package grid.
//   - a screen of any rate: [Clock], [Body.TransformAt], DrawOptions.Alpha.
//   - a debug draw of contacts, boxes, islands, ...: [World.Draw]; as a picture: package render.
//   - maps from a file, pictures, scenes to try: packages tilemap, render, scene.
//
// # Units and axes
//
// One unit of length is one cell of the ground, y points up, angles are radians counter-clockwise,
// time is in seconds, mass is density times area. Polygons wind counter-clockwise: solid on the
// left of every edge, the normal on the right. Bodies of 0.1 to 20 cells behave best; speeds are
// clamped to MaxSpeed. A body that leaves the bounds of the broad phase (2^50 times
// Config.CellSize from the origin) stops there and becomes static; [World.Lost] reports it.
//
// # Words
//
//   - manifold: the contact geometry of two shapes: a normal and one or two points.
//   - separation: the distance along the normal, negative if the shapes overlap.
//   - feature id: the vertex, edge or line of each side that makes a point. The next step
//     finds the point's impulses by it (warm starting): ContactPoint.ID.
//   - speculative distance: contacts exist from 0.02 units of length before shapes touch.
//   - segment: a straight part of the ground's surface; its ghost vertices are the far ends of its neighbours,
//     which decide which contact normals are real.
//   - run: the collinear segments under one body, treated as one face.
//   - comb: coplanar tops with gaps between them (pillars, a grating), treated as one face for a shape that lies on
//     them.
//   - chain: a line of points, open or a loop, solid on the left of its direction; face: a
//     straight run of its segments.
//   - inner disc: the largest disc about a shape's centroid in the shape; continuous collision sweeps a disc of
//     half its radius, and then the whole shape.
//   - sub-step: one of the Config.SubSteps parts of a step.
//   - island: bodies that touch one another or have a joint; they fall asleep together.
//   - anchor: the point of a body at which a joint holds it; anchored tile: a tile that holds its part of the
//     ground of a static or kinematic body: parts without an anchored tile fall.
//   - part: tiles that hold together; piece: the new ground of a part that has come off.
//   - place: a rectangle of chunks of a ground that is unloaded or loaded as a whole.
//
// # Errors and mistakes
//
// A call refuses an argument that is out of range, and changes nothing:
//
//   - with an error, if it returns one: [World.AddGround], [World.AddChain], the edits of a Ground, [World.Restore],
//     [World.Replay] and [ParseDrawLayers], whose arguments may come from outside, such as tiles, maps and files;
//   - with a panic, if it does not: [World.Step], the setters, [World.AddBody], [World.AddShape], [World.AddJoint],
//     [World.AddMaterial]. The text begins with "quarry: ".
//
// Both name the call, the field, its value and its range. So Step(2) panics, and a Fill of a
// rectangle whose Max is less than its Min returns an error.
//
// With a stale id a call returns an error if it can return one, otherwise ok == false, or an id of 0 ([World.AddShape],
// [World.AddJoint]). A change during [World.Step] panics, and so does the use of a zero World, or of a view whose body,
// shape, joint, ground or chain has been removed. Queries take any argument: a ray that is not finite, or an empty box,
// hits nothing. A speed above MaxSpeed is in range: the next step limits it.
//
// Nothing logs. Queries may run concurrently between steps; all other calls need the caller's lock.
//
// # Determinism
//
// The same calls give the same bits on amd64, arm64 and wasm: see [World.Hash].
// Positions and velocities are float64, so that bodies ten million cells from the origin behave as
// at the origin, and bodies in uniform motion as bodies at rest. The solver works in float32, on
// the changes within a step.
package quarry
