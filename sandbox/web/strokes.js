// What each tool does along a drag. A stroke begins where the pointer goes down, and gets its further places.

import { flood, hill, rectangle } from "./areas.js";

// Stroke is a drag of a tool. tools is the Tools; w are points of the world.
class Stroke {
  constructor(tools, tool, w) {
    Object.assign(this, { tools, tool, x: w.x, y: w.y, fromX: w.x, fromY: w.y });
    this.choice = tools.choice;
    // A drag edits one ground, the one under its start; dig takes from all.
    this.ground = tools.mirror.groundUnder(w);
  }

  send(command) { this.tools.send(command); }

  begin() { /* most do nothing yet */ }

  // go moves the drag to w; the place before is x, y.
  go() { /* most do nothing yet */ }

  // end ends the drag. It is interrupted if a second finger came, or by Escape.
  end() { /* most have done all */ }

  get line() { return { x0: this.fromX, y0: this.fromY, x1: this.x, y1: this.y }; }

  get moved() { return Math.hypot(this.x - this.fromX, this.y - this.fromY); }
}

class Drop extends Stroke {
  begin() { this.drop({ x: this.x, y: this.y }); }

  go(w) { // bodies at equal distances along the drag
    if (Math.hypot(w.x - this.x, w.y - this.y) < 1.3 * this.choice.size) return false;
    this.drop(w);
    return true;
  }

  drop(w) { this.send({ do: "add", kind: this.choice.kind, x: w.x, y: w.y, size: this.choice.size }); }
}

class Grab extends Stroke {
  begin() {
    const w = { x: this.x, y: this.y }, b = this.tools.mirror.bodyUnder(w);
    this.held = b && b.type === 2 ? { id: b.id, ...local(b, w) } : null;
    this.send({ do: "grab", x: w.x, y: w.y });
  }

  // With all, it begins no other drag if the body is gone.
  go(w) { this.send({ do: "grab", x: w.x, y: w.y, all: true }); }

  end() { this.send({ do: "release" }); }
}

// local returns a point in the frame of a body.
function local(b, w) {
  const dx = w.x - b.x, dy = w.y - b.y;
  return { lx: b.c * dx + b.s * dy, ly: b.c * dy - b.s * dx };
}

// Brush digs or builds along the drag; see Tools.brush.
class Brush extends Stroke {
  begin() { this.tools.brush(this, this, this); }

  go(w) { this.tools.brush(this, this, w); }

  end() {
    this.tools.flush();
    this.send({ do: "release" });
  }
}

// Cells paints or erases the cells of the drag; see Tools.paint.
class Cells extends Brush {
  constructor(...args) {
    super(...args);
    this.seen = new Set();
  }

  begin() { this.tools.paint(this, this, this); }

  go(w) { this.tools.paint(this, this, w); }
}

// Line builds a straight line when the drag ends.
class Line extends Stroke {
  end(interrupted) {
    if (interrupted) return;
    this.tools.sendBrush({ tool: "build", ground: this.ground, ...this.line });
    this.send({ do: "release" });
  }
}

// Area paints cells when the drag ends, or empties them.
class Area extends Stroke {
  cells() {
    const at = (x, y) => this.tools.mirror.toGround(this.ground, { x, y });
    return rectangle(at(this.fromX, this.fromY), at(this.x, this.y));
  }

  end(interrupted) {
    if (interrupted) return;
    const cells = this.cells(), { layer, material, hollow } = this.choice;
    const most = 2 * this.tools.mirror.maxCells;
    if (!cells) return this.tools.complain("this rectangle has too many cells for one stroke");
    for (let i = 0; i < cells.length; i += most) {
      const part = cells.slice(i, i + most);
      this.send(hollow ? { do: "erase", ground: this.ground, cells: part, hold: true } : { do: "paint", ground: this.ground, cells: part, hold: true, shape: 1, layer, material });
    }
    this.send({ do: "release" });
  }
}

// Fill floods the empty cells around its start, or the connected tiles.
class Fill extends Area {
  end() {
    const at = this.tools.mirror.toGround(this.ground, { x: this.x, y: this.y });
    const cells = flood(this.tools.mirror, this.ground, Math.floor(at.x), Math.floor(at.y));
    if (!cells) return this.tools.complain("fill: this place is open, or has more than 3000 cells");
    this.found = cells;
    super.end(false);
  }

  cells() { return this.found; }
}

// Hill builds a hill from its foot, where the drag began, as wide as the drag, and as high.
class Hill extends Stroke {
  end(interrupted) {
    if (interrupted || this.moved < 0.5) return;
    for (const [x0, y0, x1, y1] of hill(this.line, this.choice.radius)) {
      this.tools.sendBrush({ tool: "build", ground: this.ground, x0, y0, x1, y1 });
    }
    this.send({ do: "release" });
  }
}

class Join extends Stroke {
  end(interrupted) {
    if (!interrupted) this.send({ do: "join", kind: this.choice.joint, ...this.line, ...this.choice.tuning() });
  }
}

class Stamp extends Stroke {
  begin() { this.send({ do: "stamp", kind: this.choice.stamp, x: this.x, y: this.y, size: this.choice.scale, angle: this.choice.angle }); }
}

// Copy puts a copy of the selected body at each click. Without one, and with Shift, a click selects.
class Copy extends Stroke {
  begin() {
    const { selected, shift } = this.tools;
    if (!selected.body || shift) this.tools.select({ x: this.x, y: this.y });
    else this.send({ do: "copy", body: selected.body, x: this.x, y: this.y, size: this.choice.scale, angle: this.choice.angle });
  }
}

class Bomb extends Stroke {
  begin() {
    const { fuse, radius } = this.choice;
    if (fuse) this.send({ do: "stamp", kind: "bomb", x: this.x, y: this.y, size: radius / 2 });
    else this.send({ do: "explode", x: this.x, y: this.y, radius });
  }
}

class Loosen extends Stroke {
  end(interrupted) {
    if (!interrupted) this.send({ do: "loosen", ground: this.ground, ...this.line });
  }
}

class Glue extends Stroke {
  end(interrupted) {
    if (!interrupted) this.send({ do: "glue", ...this.line });
  }
}

class Select extends Stroke {
  begin() { this.tools.select({ x: this.x, y: this.y }); }
}

// Ray draws a ray, for the lens of that name.
class Ray extends Stroke {
  go(w) { this.tools.drawRay({ ...this.line, x1: w.x, y1: w.y }); }
}

class Remove extends Stroke {
  begin() { this.send({ do: "remove", x: this.x, y: this.y }); }
}

class Unjoin extends Stroke {
  begin() { this.send({ do: "unjoin", x: this.x, y: this.y }); }
}

export const STROKES = {
  drop: Drop, grab: Grab, dig: Brush, build: Brush, paint: Cells, erase: Cells, line: Line, rect: Area, fill: Fill, hill: Hill,
  join: Join, unjoin: Unjoin, stamp: Stamp, copy: Copy, bomb: Bomb, loosen: Loosen, glue: Glue, select: Select, ray: Ray, remove: Remove,
};
