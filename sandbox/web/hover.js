// Draws what the tool would do under the pointer: a brush, a cell, a joint, a hill, and the thing that is held.

import { flood, hill, rectangle } from "./areas.js";
import { path } from "./tileshapes.js";

const DISC = "M0 .5A.5 .5 0 1 1 1 .5A.5 .5 0 1 1 0 .5Z", SQUARE = "M0 0H1V1H0Z", DRAWN = 2500; // cells at most

export class Hover {
  constructor(svg) { this.svg = svg; }

  // draw draws for the tools; it hides the drawing while the view is moved, or the pointer is elsewhere.
  draw(tools) {
    const panning = [...tools.pointers.values()].some((p) => p.pan), shown = tools.at && !panning;
    this.svg.toggleAttribute("hidden", !shown);
    if (!shown) return;
    const tool = tools.choice.tool;
    this.svg.setAttribute("class", tool + (tools.choice.hollow ? " hollow" : ""));
    // A lens shows the place itself; the tool only marks it.
    this.svg.innerHTML = (tools.lensed() && !tools.stroke ? dot : DRAW[tool] || dot)(tools, tools.at);
  }
}

// dot marks the pointer, and the line of a drag.
function dot({ stroke, camera }, at) {
  const from = stroke ? camera.toScreen(stroke.fromX, stroke.fromY) : at;
  return `<path d="M${from.x} ${from.y}L${at.x} ${at.y}M${at.x - 4} ${at.y}a4 4 0 1 0 8 0a4 4 0 1 0 -8 0"/>`;
}

function placed(d, { x, y }, size, angle = 0) {
  return `<path d="${d}" transform="translate(${x} ${y}) rotate(${angle}) scale(${size}) translate(-.5 -.5)"/>`;
}

function brush({ choice, camera }, at) {
  return placed(DISC, at, camera.scale * 2 * choice.radius);
}

// line shows the line that a drag would build.
function line(tools, at) {
  const { stroke, camera, choice } = tools;
  if (!stroke) return brush(tools, at);
  const a = camera.toScreen(stroke.fromX, stroke.fromY);
  return `<path class="wide" d="M${a.x} ${a.y}L${at.x} ${at.y}" stroke-width="${2 * choice.radius * camera.scale}"/>`;
}

function hillShape(tools, at) {
  const { stroke, camera, choice } = tools;
  if (!stroke) return brush(tools, at);
  const w = camera.toWorld(at.x, at.y), strokes = hill({ ...stroke.line, x1: w.x, y1: w.y }, choice.radius);
  const points = strokes.map(([x0, , , y1]) => camera.toScreen(x0, y1 + choice.radius));
  const foot = camera.toScreen(0, stroke.fromY).y;
  if (points.length < 2) return brush(tools, at);
  return `<path d="M${points[0].x} ${foot}${points.map((p) => "L" + p.x + " " + p.y).join("")}L${points.at(-1).x} ${foot}Z"/>`;
}

// cellPath returns the outline of cells of a ground on the screen.
function cellPath(tools, ground, cells) {
  const f = tools.mirror.frameOf(ground), { camera } = tools;
  let d = "";
  for (let i = 0; i < Math.min(cells.length, 2 * DRAWN); i += 2) {
    for (const [k, [dx, dy]] of [[0, 0], [1, 0], [1, 1], [0, 1]].entries()) {
      const gx = cells[i] + dx, gy = cells[i + 1] + dy;
      const p = camera.toScreen(f.x + f.c * gx - f.s * gy, f.y + f.s * gx + f.c * gy);
      d += (k ? "L" : "M") + p.x.toFixed(1) + " " + p.y.toFixed(1);
    }
    d += "Z";
  }
  return `<path d="${d}"/>`;
}

// cell shows the tile under the pointer.
function cell(tools) {
  const { choice, camera, mirror } = tools, c = tools.cell(), f = mirror.frameOf(c.ground), gx = c.x + 0.5, gy = c.y + 0.5;
  const at = camera.toScreen(f.x + f.c * gx - f.s * gy, f.y + f.s * gx + f.c * gy);
  const d = choice.tool === "erase" ? SQUARE : path(choice.polygons());
  return placed(d, at, camera.scale, -Math.atan2(f.s, f.c) * 180 / Math.PI);
}

function area(tools, at) {
  const { stroke, camera, mirror } = tools, w = camera.toWorld(at.x, at.y), ground = stroke ? stroke.ground : mirror.groundUnder(w);
  const from = stroke ? { x: stroke.fromX, y: stroke.fromY } : w;
  const cells = rectangle(mirror.toGround(ground, from), mirror.toGround(ground, w));
  if (!cells || cells.length > 2 * DRAWN) return dot(tools, at);
  return cellPath(tools, ground, cells);
}

// filled shows the cells that a click would fill. They are found again when the pointer is in another cell.
function filled(tools, at) {
  const c = tools.cell(), key = [c.ground, c.x, c.y, tools.mirror.chunksRev].join();
  if (tools.flooded?.key !== key) tools.flooded = { key, cells: flood(tools.mirror, c.ground, c.x, c.y) };
  return tools.flooded.cells ? cellPath(tools, c.ground, tools.flooded.cells) : dot(tools, at);
}

function drop({ choice, camera }, at) {
  return placed(choice.kindPath, at, camera.scale * choice.size);
}

function stamp({ choice, camera }, at) {
  const s = camera.scale * choice.scale * 0.2;
  return `<path d="${choice.stampPath}" transform="translate(${at.x} ${at.y}) rotate(${-choice.angle * 180 / Math.PI}) scale(${s}) translate(-12 -12)"/>`;
}

// outline returns the shapes of a body on the screen, moved to a place in the world.
function outline(camera, b, x, y, turn = 0, scale = 1) {
  const c = b.c * Math.cos(turn) - b.s * Math.sin(turn), s = b.s * Math.cos(turn) + b.c * Math.sin(turn);
  return b.shapes.slice(0, 64).map((shape) => {
    const points = [];
    for (let i = 0; i < shape.points.length; i += 2) {
      const px = scale * (shape.x + shape.points[i]), py = scale * (shape.y + shape.points[i + 1]);
      points.push(camera.toScreen(x + c * px - s * py, y + s * px + c * py));
    }
    const wide = 2 * scale * shape.radius * camera.scale, d = points.map((p, i) => (i ? "L" : "M") + p.x + " " + p.y).join("") + (points.length > 1 ? "Z" : "h.01");
    return `<path class="body" d="${d}" stroke-width="${Math.max(1.5, wide)}"/>`;
  }).join("");
}

// copy shows the copy under the pointer.
function copy(tools, at) {
  const b = tools.selected.body && tools.mirror.bodyOf(tools.selected.body);
  if (!b) return dot(tools, at);
  const w = tools.camera.toWorld(at.x, at.y);
  return outline(tools.camera, b, w.x, w.y, tools.choice.angle, tools.choice.scale) + dot(tools, at);
}

// grab shows the body that is held, and the line to the point at which it is held.
function grab(tools, at) {
  const held = tools.stroke && tools.stroke.held, b = held && tools.mirror.bodyOf(held.id);
  if (!b) return dot({ camera: tools.camera }, at);
  const p = tools.camera.toScreen(b.x + b.c * held.lx - b.s * held.ly, b.y + b.s * held.lx + b.c * held.ly);
  return outline(tools.camera, b, b.x, b.y) + `<path class="pull" d="M${p.x} ${p.y}L${at.x} ${at.y}"/><circle class="held" cx="${p.x}" cy="${p.y}" r="4"/>`;
}

const DRAW = { drop, grab, dig: brush, build: brush, bomb: brush, line, hill: hillShape, rect: area, loosen: area, fill: filled, paint: cell, erase: cell, stamp, copy };
