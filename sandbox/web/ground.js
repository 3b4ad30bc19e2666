// Draws the ground: a mesh of triangles a chunk, made when the chunk changes,
// and over it the segments (segments.js).

import { program, attribute } from "./gl.js";
import { eachTile, eachPolygon } from "./protocol.js";
import { fill } from "./polygon.js";
import { Segments } from "./segments.js";

const VERTEX = `
layout(location = 0) in vec2 corner; // cells from the chunk's lower left
layout(location = 1) in vec4 tint;
uniform vec2 zoom;
uniform vec4 place;                  // the chunk's lower left from the middle of the view; cosine, sine
out vec2 at;
flat out vec3 paint;
void main() {
  at = corner;
  paint = tint.rgb;
  vec2 p = vec2(place.z * corner.x - place.w * corner.y, place.w * corner.x + place.z * corner.y) + place.xy;
  gl_Position = vec4(p * zoom, 0.0, 1.0);
}`;

const FRAGMENT = `
in vec2 at;
flat in vec3 paint;
uniform vec2 chunk;   // the chunk's place among chunks, wrapped
uniform float pixel;  // cells
uniform float joints; // how strongly the cells' borders show
out vec4 color;
void main() {
  // Cells differ a little, so that what is dug is seen to have been cells.
  vec2 cell = floor(at) + chunk * 32.0;
  float grain = fract(sin(dot(cell, vec2(12.9898, 78.233))) * 43758.5453) - 0.5;
  vec2 d = min(fract(at), 1.0 - fract(at)) / pixel;
  float joint = clamp(1.2 - min(d.x, d.y), 0.0, 1.0) * joints;
  color = vec4(paint * (1.0 + 0.09 * grain) * (1.0 - 0.16 * joint), 1.0);
}`;

// What the page gives tiles of materials without a colour, by number.
const PALETTE = [[0.40, 0.36, 0.34], [0.44, 0.35, 0.27], [0.27, 0.35, 0.31], [0.29, 0.31, 0.40], [0.40, 0.35, 0.27], [0.36, 0.28, 0.35]];

export class Ground {
  constructor(gl) {
    this.gl = gl;
    this.program = program(gl, VERTEX, FRAGMENT);
    this.segments = new Segments(gl);
    this.meshes = new Map(); // chunk of the mirror -> mesh
    this.rev = -1;
  }

  // forget frees the meshes of chunks that the mirror no longer has.
  forget(mirror) {
    if (this.rev === mirror.chunksRev) return;
    this.rev = mirror.chunksRev;
    const kept = new Set();
    for (const g of mirror.grounds) for (const c of g.chunks.values()) kept.add(c);
    for (const [chunk, mesh] of this.meshes) {
      if (!kept.has(chunk)) {
        this.gl.deleteVertexArray(mesh.vao);
        this.gl.deleteBuffer(mesh.buffer);
        this.segments.free(mesh.lines);
        this.meshes.delete(chunk);
      }
    }
  }

  mesh(ground, chunk) {
    let m = this.meshes.get(chunk);
    if (m) return m;
    const gl = this.gl, data = meshOf(ground.shapes, chunk);
    m = { vao: gl.createVertexArray(), buffer: gl.createBuffer(), count: data.byteLength / 12, lines: this.segments.make(chunk) };
    gl.bindVertexArray(m.vao);
    gl.bindBuffer(gl.ARRAY_BUFFER, m.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    attribute(gl, 0, 2, gl.FLOAT, false, 12, 0, 0);
    attribute(gl, 1, 4, gl.UNSIGNED_BYTE, true, 12, 8, 0);
    this.meshes.set(chunk, m);
    return m;
  }

  // draw draws the chunks in view, and returns them for drawMarks.
  draw(mirror, camera, ratio) {
    const gl = this.gl, u = this.program.uniform, size = mirror.chunkCells;
    const w = camera.width / camera.scale, h = camera.height / camera.scale;
    const visible = [], reach = Math.hypot(w, h) / 2 + 1.5 * size;
    for (const g of mirror.grounds) {
      const f = g.frame;
      for (const c of g.chunks.values()) {
        const x = f.x + f.c * c.x - f.s * c.y - camera.x, y = f.y + f.s * c.x + f.c * c.y - camera.y;
        if (Math.abs(x) < reach && Math.abs(y) < reach) visible.push({ chunk: c, place: [x, y, f.c, f.s], mesh: this.mesh(g, c) });
      }
    }
    this.program.use();
    gl.uniform2f(u.zoom, 2 / w, 2 / h);
    gl.uniform1f(u.pixel, 1 / (camera.scale * ratio));
    gl.uniform1f(u.joints, Math.min(1, Math.max(0, (camera.scale - 8) / 16)));
    for (const v of visible) {
      if (v.mesh.count === 0) continue;
      gl.uniform4f(u.place, ...v.place);
      gl.uniform2f(u.chunk, v.chunk.x / size & 7, v.chunk.y / size & 7);
      gl.bindVertexArray(v.mesh.vao);
      gl.drawArrays(gl.TRIANGLES, 0, v.mesh.count);
    }
    this.segments.draw(visible, camera, ratio, "surface");
    return visible;
  }

  // drawMarks draws normals and ghost vertices over everything else.
  drawMarks(visible, camera, ratio, normals, ghosts) {
    if (ghosts) this.segments.draw(visible, camera, ratio, "ghosts");
    if (normals) this.segments.draw(visible, camera, ratio, "normals");
  }
}

// meshOf makes a chunk's triangles: x, y as float32 and four bytes of colour a
// corner. Runs of whole cells of one colour become one rectangle.
function meshOf(shapes, chunk) {
  const out = [];
  let run = null;
  const close = () => {
    if (!run) return;
    const { x, y, end, color } = run;
    out.push([x, y, color], [end, y, color], [end, y + 1, color], [x, y, color], [end, y + 1, color], [x, y + 1, color]);
    run = null;
  };
  eachTile(chunk, (column, row, id, turn, material, tint) => {
    const shape = shapes.get(id, turn), color = colorOf(tint, material);
    if (shape.full) {
      if (run && run.y === row && run.end === column && run.color === color) {
        run.end++;
      } else {
        close();
        run = { x: column, y: row, end: column + 1, color };
      }
      return;
    }
    for (let i = 0; i < shape.triangles.length; i += 2) {
      out.push([column + shape.triangles[i], row + shape.triangles[i + 1], color]);
    }
  });
  close();
  eachPolygon(chunk, (column, row, loops, material, tint) => {
    const color = colorOf(tint, material), corners = fill(loops);
    for (let i = 0; i < corners.length; i += 2) out.push([column + corners[i], row + corners[i + 1], color]);
  });
  const data = new DataView(new ArrayBuffer(out.length * 12));
  out.forEach(([x, y, color], i) => {
    data.setFloat32(12 * i, x, true);
    data.setFloat32(12 * i + 4, y, true);
    data.setUint32(12 * i + 8, color, true);
  });
  return data;
}

// colorOf returns a tile's colour (0xRRGGBB, 0 = ours to choose) as the bytes
// red, green, blue, 255.
function colorOf(tint, material) {
  if (tint) return ((255 << 24) | ((tint & 255) << 16) | (tint & 0xff00) | (tint >> 16)) >>> 0;
  const [r, g, b] = PALETTE[material % PALETTE.length].map((x) => Math.round(255 * x));
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}
