// Draws the segments of grounds and chains: surface, belts, normals, ghost vertices, and the solid
// side of chains. Each is an instance of a square along a line. The instance data are the bytes of
// a CHUNK or CHAIN message.

import { program, corners, attribute } from "./gl.js";
import { eachSegment } from "./protocol.js";

const STRIDE = 36;

const VERTEX = `
layout(location = 0) in vec2 corner;
layout(location = 1) in vec2 a;
layout(location = 2) in vec2 b;
layout(location = 3) in vec2 ghost1;
layout(location = 4) in vec2 ghost2;
layout(location = 5) in float flags; // 1 has ghost1, 2 has ghost2
layout(location = 6) in float speed; // of a belt, cells a second, from b to a
layout(location = 7) in vec3 tone;   // of the solid side
uniform vec2 zoom;
uniform vec4 place;
uniform float pixel;
uniform int mode; // 0 surface, 1 normal, 2 and 3 line to ghost 1 and 2, 4 and 5 ghost 1 and 2, 6 belt, 7 solid side
out vec2 at;            // pixels: along the line from its start; across it
flat out float extent;  // pixels: length of the line
flat out float halfWidth;
flat out float mark;    // size of the marks, at most 1; smaller when zoomed out
flat out float belt;    // speed of a belt
flat out vec3 solid;
// bisector returns the displacement of the corner between directions u and v if both lines move by
// 1 to the left. At a spike it returns that of the line along side.
vec2 bisector(vec2 u, vec2 v, vec2 side) {
  float k = dot(u, v);
  vec2 w = k < -0.985 ? side : (u + v) / (1.0 + k);
  return vec2(-w.y, w.x);
}
void main() {
  vec2 along = normalize(b - a), normal = vec2(along.y, -along.x);
  belt = speed;
  solid = tone;
  if (mode == 7) {
    bool first = corner.x < 0.0;
    float depth = 0.5 * corner.y + 0.5;
    vec2 w = first ? ((int(flags) & 1) != 0 ? bisector(normalize(a - ghost1), along, along) : bisector(along, along, along))
      : ((int(flags) & 2) != 0 ? bisector(along, normalize(ghost2 - b), along) : bisector(along, along, along));
    vec2 p = (first ? a : b) + w * depth * min(max(0.5, 5.0 * pixel), 24.0 * pixel);
    p = vec2(place.z * p.x - place.w * p.y, place.w * p.x + place.z * p.y) + place.xy;
    at = vec2(0.0, depth);
    extent = halfWidth = mark = 0.0;
    gl_Position = vec4(p * zoom, 0.0, 1.0);
    return;
  }
  bool shown = mode == 0 || mode == 1 || mode == 6 ? mode != 6 || speed != 0.0 : (int(flags) & (mode % 2 == 0 ? 1 : 2)) != 0;
  vec2 p = a, q = b;
  mark = clamp(1.0 / (24.0 * pixel), 0.4, 1.0);
  halfWidth = mode == 0 ? 1.1 : mode == 6 ? 3.0 * mark : 1.1 * mark;
  if (mode == 1) {
    p = 0.5 * (a + b);
    q = p + normal * max(0.3, 5.0 * pixel);
  } else if (mode == 2) { // beside the surface, from the start towards ghost 1
    p = a + normal * 4.0 * mark * pixel;
    q = p + (ghost1 - a) * 0.42;
  } else if (mode == 3) {
    p = b + normal * 4.0 * mark * pixel;
    q = p + (ghost2 - b) * 0.42;
  } else if (mode == 4) {
    p = q = ghost1;
    halfWidth = 5.5 * mark;
  } else if (mode == 5) {
    p = q = ghost2;
    halfWidth = 3.0 * mark;
  }
  vec2 d = q - p;
  float len = length(d);
  d = len > 0.0 ? d / len : vec2(1.0, 0.0);
  extent = len / pixel;
  float pad = halfWidth + 1.0;
  at = vec2(mix(-pad, extent + pad, corner.x * 0.5 + 0.5), corner.y * pad);
  vec2 w = p + (d * at.x + vec2(-d.y, d.x) * at.y) * pixel;
  w = vec2(place.z * w.x - place.w * w.y, place.w * w.x + place.z * w.y) + place.xy;
  gl_Position = shown ? vec4(w * zoom, 0.0, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}`;

const FRAGMENT = `
in vec2 at;
flat in float extent, halfWidth, mark, belt;
flat in vec3 solid;
uniform float pixel, clock;
uniform vec4 tint;
uniform int mode;
out vec4 color;
void main() {
  if (mode == 7) { // fades with depth, because a chain has no thickness
    color = vec4(solid, 1.0) * mix(0.95, 0.45, at.y);
    return;
  }
  float off = length(vec2(at.x - clamp(at.x, 0.0, extent), at.y));
  float d = off - halfWidth;
  if (mode == 1) d = off - mark * mix(1.4, 0.5, clamp(at.x / max(extent, 1.0), 0.0, 1.0)); // a needle
  if (mode == 4) d = abs(off - 4.4 * mark) - 0.9 * mark; // a ring
  vec4 c = tint;
  if (mode == 6) { // arrow-shaped stripes that move with the belt
    float way = (extent - at.x) * pixel * sign(belt) + 0.5 * abs(at.y) * pixel;
    if (fract(2.0 * (way - abs(belt) * clock)) < 0.5) c = vec4(0.10, 0.12, 0.16, 1.0);
    if (at.x < 0.0 || at.x > extent) discard;
  }
  color = c * clamp(0.5 - d, 0.0, 1.0);
}`;

const PASSES = {
  surface: [[0, [0.80, 0.78, 0.72, 1]]],
  belts: [[6, [0.98, 0.95, 0.84, 1]]],
  solid: [[7, [1, 1, 1, 1]]],
  normals: [[1, [0.49, 0.94, 0.66, 1]]],
  ghosts: [[2, [0.31, 0.84, 1.0, 1]], [3, [1.0, 0.44, 0.81, 1]], [4, [0.31, 0.84, 1.0, 1]], [5, [1.0, 0.44, 0.81, 1]]],
};

export class Segments {
  constructor(gl) {
    this.gl = gl;
    this.program = program(gl, VERTEX, FRAGMENT);
  }

  // make copies a chunk's segments to the graphics card.
  make(chunk, materials) {
    const speeds = new Float32Array(chunk.segmentCount);
    eachSegment(chunk, (i, material) => { speeds[i] = (materials.get(material) || {}).speed || 0; });
    return this.put(chunk, speeds, null);
  }

  // put copies the segments of a chunk or of a CHAIN message. speeds are those of belts, tones the
  // colours of the solid side, three floats each, or null.
  put(chunk, speeds, tones) {
    const gl = this.gl;
    const lines = { vao: gl.createVertexArray(), buffer: gl.createBuffer(), count: chunk.segmentCount, belts: speeds.some((s) => s !== 0) };
    gl.bindVertexArray(lines.vao);
    lines.corners = corners(gl);
    gl.bindBuffer(gl.ARRAY_BUFFER, lines.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, chunk.segments, gl.STATIC_DRAW);
    for (let i = 0; i < 4; i++) attribute(gl, 1 + i, 2, gl.FLOAT, false, STRIDE, 8 * i, 1);
    attribute(gl, 5, 1, gl.UNSIGNED_BYTE, false, STRIDE, 32, 1);
    lines.speeds = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, lines.speeds);
    gl.bufferData(gl.ARRAY_BUFFER, speeds, gl.STATIC_DRAW);
    attribute(gl, 6, 1, gl.FLOAT, false, 4, 0, 1);
    lines.tones = null;
    if (tones) {
      lines.tones = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, lines.tones);
      gl.bufferData(gl.ARRAY_BUFFER, tones, gl.STATIC_DRAW);
      attribute(gl, 7, 3, gl.FLOAT, false, 12, 0, 1);
    }
    return lines;
  }

  free(lines) {
    this.gl.deleteVertexArray(lines.vao);
    this.gl.deleteBuffer(lines.buffer);
    this.gl.deleteBuffer(lines.corners);
    this.gl.deleteBuffer(lines.speeds);
    if (lines.tones) this.gl.deleteBuffer(lines.tones);
  }

  // draw makes the passes of the given name (see PASSES) over the visible chunks. clock is the world's
  // time in seconds; it moves the stripes of belts.
  draw(visible, camera, ratio, name, clock = 0) {
    const gl = this.gl, u = this.program.uniform;
    this.program.use();
    gl.uniform2f(u.zoom, 2 * camera.scale / camera.width, 2 * camera.scale / camera.height);
    gl.uniform1f(u.pixel, 1 / (camera.scale * ratio));
    gl.uniform1f(u.clock, clock);
    for (const [mode, tint] of PASSES[name]) {
      gl.uniform1i(u.mode, mode);
      gl.uniform4fv(u.tint, tint);
      for (const { place, mesh } of visible) {
        if (mesh.lines.count === 0 || name === "belts" && !mesh.lines.belts) continue;
        gl.uniform4f(u.place, ...place);
        gl.bindVertexArray(mesh.lines.vao);
        gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, mesh.lines.count);
      }
    }
  }
}
