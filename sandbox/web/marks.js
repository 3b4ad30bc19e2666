// Draws the items of a debug draw (DRAW): each is made of lines and dots, which are lines without length.
// A line is an instance of a square; the fragment shader computes the distance to the line.

import { program, corners, attribute } from "./gl.js";

const VERTEX = `
layout(location = 0) in vec2 corner;
layout(location = 1) in vec4 ends; // from the centre of the view, in cells
layout(location = 2) in float wide; // pixels
layout(location = 3) in vec3 tint;
uniform vec2 zoom;   // clip space a cell
uniform float pixel; // cells
out vec2 at;
flat out float reach, extent;
flat out vec3 paint;
void main() {
  vec2 along = ends.zw - ends.xy;
  extent = length(along) / pixel;
  along = extent > 0.0 ? along / (extent * pixel) : vec2(1.0, 0.0);
  reach = 0.5 * wide;
  at = vec2(0.5 * extent, 0.0) + corner * (vec2(0.5 * extent, 0.0) + reach + 1.0);
  paint = tint;
  vec2 p = ends.xy + pixel * (at.x * along + at.y * vec2(-along.y, along.x));
  gl_Position = vec4(p * zoom, 0.0, 1.0);
}`;

const FRAGMENT = `
in vec2 at;
flat in float reach, extent;
flat in vec3 paint;
out vec4 color;
void main() {
  float d = length(vec2(at.x - clamp(at.x, 0.0, extent), at.y)) - reach;
  color = vec4(paint, 1.0) * clamp(0.5 - d, 0.0, 1.0);
}`;

const FLOATS = 8; // an instance: ends 4, width 1, tint 3
const POINT = 0, LINE = 1, ARROW = 2, FRAME = 4; // 3 is a convex hull

// unit is the length of a unit vector in pixels; without it arrows have the length "seconds" times
// theirs, or that in proportion to the longest, which has "most" pixels. head is the size of the heads.
const STYLES = {
  joints: { color: [0.31, 0.88, 0.63], wide: 1.6, dot: 6, unit: 22 },
  contacts: { color: [1, 0.82, 0.29], wide: 1.4, dot: 6, unit: 14 },
  impulses: { color: [1, 0.56, 0.29], wide: 1.8, dot: 4, most: 60, head: 4 },
  boxes: { color: [0.56, 0.64, 0.74], wide: 1.1, dot: 4 },
  proxies: { color: [0.55, 0.6, 0.36], wide: 1.1, dot: 4 },
  islands: { color: [0.73, 0.55, 1], wide: 1.8, dot: 4 },
  centers: { color: [1, 1, 1], wide: 1.6, dot: 4, unit: 14 },
  velocities: { color: [0.36, 0.78, 1], wide: 1.8, dot: 4, seconds: 0.1, head: 4 },
};
const OTHER = { color: [0.8, 0.8, 0.8], wide: 1.4, dot: 5, unit: 14 };
const AXES = [[1, 0.35, 0.3], [0.38, 0.85, 0.3]];

// styleOf returns the style of a layer by its name; cssColor its colour.
function styleOf(name) {
  return STYLES[name] || OTHER;
}

export function cssColor(name) {
  return `rgb(${styleOf(name).color.map((x) => Math.round(255 * x)).join(", ")})`;
}

export class Marks {
  constructor(gl) {
    this.gl = gl;
    this.program = program(gl, VERTEX, FRAGMENT);
    this.vao = gl.createVertexArray();
    gl.bindVertexArray(this.vao);
    corners(gl);
    this.buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    attribute(gl, 1, 4, gl.FLOAT, false, 4 * FLOATS, 0, 1);
    attribute(gl, 2, 1, gl.FLOAT, false, 4 * FLOATS, 16, 1);
    attribute(gl, 3, 3, gl.FLOAT, false, 4 * FLOATS, 20, 1);
  }

  // draw draws the items of the layers in shown, a set of names.
  draw(mirror, camera, ratio, shown) {
    const list = mirror.drawList, out = [];
    // Subtracted in double precision, so that positions far from 0 are exact.
    const dx = list.x - camera.x, dy = list.y - camera.y, pixel = 1 / camera.scale;
    const longest = longestArrows(list.items);
    for (const item of list.items) {
      const name = mirror.layers[item.layer];
      if (!shown.has(name)) continue;
      const p = item.points, style = styleOf(name);
      // A drawn line is moved to the centre of the view.
      const line = (ax, ay, bx, by, tint = style.color, wide = style.wide) => out.push(ax + dx, ay + dy, bx + dx, by + dy, wide * ratio, ...tint);
      // length is how long, in cells, a vector of length 1 is drawn.
      const length = style.seconds || (style.most ? style.most * pixel / (longest[item.layer] || 1) : style.unit * pixel);
      if (item.form === POINT) {
        line(p[0], p[1], p[0], p[1], style.color, style.dot);
      } else if (item.form === LINE) {
        line(p[0], p[1], p[2], p[3]);
      } else if (item.form === ARROW) {
        const x = p[0] + length * (p[2] - p[0]), y = p[1] + length * (p[3] - p[1]), l = Math.hypot(x - p[0], y - p[1]);
        line(p[0], p[1], x, y);
        if (style.head && l > 1.5 * style.head * pixel) {
          const ux = (x - p[0]) / l * style.head * pixel, uy = (y - p[1]) / l * style.head * pixel;
          line(x, y, x - ux - uy, y - uy + ux);
          line(x, y, x - ux + uy, y - uy - ux);
        }
      } else if (item.form === FRAME && name === "joints") {
        glyph(mirror.jointKinds[item.kind - 1], p, pixel, line);
      } else if (item.form === FRAME) {
        for (const k of [0, 1]) line(p[0], p[1], p[0] + length * (p[2 * k + 2] - p[0]), p[1] + length * (p[2 * k + 3] - p[1]), AXES[k]);
      } else {
        for (let k = 0, n = p.length; k < n; k += 2) line(p[k], p[k + 1], p[(k + 2) % n], p[(k + 3) % n]);
      }
    }
    this.count = out.length / FLOATS;
    if (this.count === 0) return;
    const gl = this.gl, u = this.program.uniform;
    this.program.use();
    gl.uniform2f(u.zoom, 2 * camera.scale / camera.width, 2 * camera.scale / camera.height);
    gl.uniform1f(u.pixel, 1 / (camera.scale * ratio));
    gl.bindVertexArray(this.vao);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(out), gl.STREAM_DRAW);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, this.count);
  }
}

// glyph draws an anchor of a joint by its kind, with the x axis of its frame where it matters. p is the frame; pixel is
// the size of one.
function glyph(kind, p, pixel, line) {
  const [x, y] = p, ux = (p[2] - x) * pixel, uy = (p[3] - y) * pixel;
  // at maps pixels along the x axis and to its left.
  const at = (a, b) => [x + a * ux - b * uy, y + a * uy + b * ux];
  const path = (...points) => { for (let i = 0; i + 3 < points.length; i += 2) line(...at(points[i], points[i + 1]), ...at(points[i + 2], points[i + 3])); };
  const arc = (r, from = 0, turn = 2 * Math.PI) => {
    const points = [];
    for (let i = 0; i <= 14; i++) points.push(r * Math.cos(from + turn * i / 14), r * Math.sin(from + turn * i / 14));
    path(...points);
  };
  switch (kind) {
    case "revolute": arc(7); path(0, 0, 7, 0); break;
    case "distance": arc(4); break;
    case "weld": path(-6, -6, 6, -6, 6, 6, -6, 6, -6, -6); path(-6, -6, 6, 6); path(-6, 6, 6, -6); break;
    case "prismatic": path(-22, 4, 22, 4); path(-22, -4, 22, -4); path(-6, -7, 6, -7, 6, 7, -6, 7, -6, -7); break;
    case "wheel": arc(8); arc(3); path(-16, 0, 16, 0); break;
    case "motor": arc(8, 0.6, 5); path(3, 5, 7, 4.5, 9, 8); break;
    case "gear": arc(6); for (let i = 0; i < 8; i++) { const a = i * Math.PI / 4; path(6 * Math.cos(a), 6 * Math.sin(a), 10 * Math.cos(a), 10 * Math.sin(a)); } break;
    case "ratchet": arc(6); for (let i = 0; i < 6; i++) { const a = i * Math.PI / 3; path(6 * Math.cos(a), 6 * Math.sin(a), 10 * Math.cos(a + 0.5), 10 * Math.sin(a + 0.5), 6 * Math.cos(a + 0.5), 6 * Math.sin(a + 0.5)); } break;
    default: arc(3);
  }
}

// longestArrows returns the length of the longest arrow of each layer.
function longestArrows(items) {
  const longest = [];
  for (const { layer, form, points: p } of items) {
    if (form === ARROW) longest[layer] = Math.max(longest[layer] || 0, Math.hypot(p[2] - p[0], p[3] - p[1]));
  }
  return longest;
}
