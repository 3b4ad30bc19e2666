// Draws the ground: one mesh of triangles for each chunk, made when the chunk changes, and the
// segments over it (segments.js).

import { program, attribute } from "./gl.js";
import { eachTile, eachPolygon } from "./protocol.js";
import { fill } from "./polygon.js";
import { Segments } from "./segments.js";

const VERTEX = `
layout(location = 0) in vec2 corner; // cells from the chunk's lower left corner
layout(location = 1) in vec4 tint;
uniform vec2 zoom;
uniform vec4 place;                  // the chunk's lower left corner from the centre of the view; cosine, sine
out vec2 at;
flat out vec3 paint;
flat out int style;
void main() {
  at = corner;
  paint = tint.rgb;
  style = int(tint.a * 255.0 + 0.5);
  vec2 p = vec2(place.z * corner.x - place.w * corner.y, place.w * corner.x + place.z * corner.y) + place.xy;
  gl_Position = vec4(p * zoom, 0.0, 1.0);
}`;

const FRAGMENT = `
in vec2 at;
flat in vec3 paint;
flat in int style;    // 255 is plain; 1 to 4 is one-way up, left, down, right
uniform vec2 chunk;   // coordinates of the chunk, modulo 8
uniform float pixel;  // cells
uniform float borders; // opacity of the cells' borders, 0 to 1
out vec4 color;
void main() {
  // Cells differ slightly in brightness, which shows them as cells.
  vec2 cell = floor(at) + chunk * 32.0;
  float grain = fract(sin(dot(cell, vec2(12.9898, 78.233))) * 43758.5453) - 0.5;
  vec2 d = min(fract(at), 1.0 - fract(at)) / pixel;
  float border = clamp(1.2 - min(d.x, d.y), 0.0, 1.0) * borders;
  vec3 c = paint * (1.0 + 0.09 * grain) * (1.0 - 0.16 * border);
  if (style <= 4) { // arrows in the direction in which bodies pass
    vec2 p = at - 0.5;
    if (style == 2) p = vec2(p.y, -p.x);
    if (style == 3) p = -p;
    if (style == 4) p = vec2(-p.y, p.x);
    float side = abs(fract(p.x + 0.5) - 0.5), edge = 1.5 * pixel;
    float arrow = abs(fract(2.0 * (p.y + side) + 0.25) - 0.5) / 2.0; // cells from the middle of an arrow
    float mark = smoothstep(0.07 + edge, 0.07 - edge, arrow) * smoothstep(0.3 + edge, 0.3 - edge, side);
    c *= mix(0.72, 0.62 + 0.5 * mark, borders);
  }
  color = vec4(c, 1.0);
}`;

const PLAIN = 255, WAYS = { up: 1, left: 2, down: 3, right: 4 };

// Colours of tiles whose material has none, by material number.
const PALETTE = [[0.40, 0.36, 0.34], [0.44, 0.35, 0.27], [0.27, 0.35, 0.31], [0.29, 0.31, 0.40], [0.40, 0.35, 0.27], [0.36, 0.28, 0.35]];

export class Ground {
  constructor(gl) {
    this.gl = gl;
    this.program = program(gl, VERTEX, FRAGMENT);
    this.segments = new Segments(gl);
    this.meshes = new Map(); // chunk of the mirror -> mesh
    this.rev = -1;
  }

  // forget frees the meshes of chunks that the mirror no longer has, or all meshes after a change
  // of the palette.
  forget(mirror) {
    if (this.rev === mirror.chunksRev && this.paletteRev === mirror.paletteRev) return;
    const kept = new Set();
    if (this.paletteRev === mirror.paletteRev) {
      for (const g of mirror.grounds) for (const c of g.chunks.values()) kept.add(c);
    }
    this.rev = mirror.chunksRev;
    this.paletteRev = mirror.paletteRev;
    for (const [chunk, mesh] of this.meshes) {
      if (!kept.has(chunk)) {
        this.gl.deleteVertexArray(mesh.vao);
        this.gl.deleteBuffer(mesh.buffer);
        this.segments.free(mesh.lines);
        this.meshes.delete(chunk);
      }
    }
  }

  mesh(ground, chunk, materials) {
    let m = this.meshes.get(chunk);
    if (m) return m;
    const gl = this.gl, data = meshOf(ground.shapes, chunk, materials);
    m = { vao: gl.createVertexArray(), buffer: gl.createBuffer(), count: data.byteLength / 12, lines: this.segments.make(chunk, materials) };
    gl.bindVertexArray(m.vao);
    gl.bindBuffer(gl.ARRAY_BUFFER, m.buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    attribute(gl, 0, 2, gl.FLOAT, false, 12, 0, 0);
    attribute(gl, 1, 4, gl.UNSIGNED_BYTE, true, 12, 8, 0);
    this.meshes.set(chunk, m);
    return m;
  }

  // draw draws the chunks in view and returns them for drawMarks.
  draw(mirror, camera, ratio) {
    const gl = this.gl, u = this.program.uniform, size = mirror.chunkCells;
    const w = camera.width / camera.scale, h = camera.height / camera.scale;
    const visible = [], reach = Math.hypot(w, h) / 2 + 1.5 * size;
    for (const g of mirror.grounds) {
      const f = g.frame;
      for (const c of g.chunks.values()) {
        const x = f.x + f.c * c.x - f.s * c.y - camera.x, y = f.y + f.s * c.x + f.c * c.y - camera.y;
        if (Math.abs(x) < reach && Math.abs(y) < reach) visible.push({ chunk: c, place: [x, y, f.c, f.s], mesh: this.mesh(g, c, mirror.byIndex) });
      }
    }
    this.program.use();
    gl.uniform2f(u.zoom, 2 / w, 2 / h);
    gl.uniform1f(u.pixel, 1 / (camera.scale * ratio));
    gl.uniform1f(u.borders, Math.min(1, Math.max(0, (camera.scale - 8) / 16)));
    for (const v of visible) {
      if (v.mesh.count === 0) continue;
      gl.uniform4f(u.place, ...v.place);
      gl.uniform2f(u.chunk, v.chunk.x / size & 7, v.chunk.y / size & 7);
      gl.bindVertexArray(v.mesh.vao);
      gl.drawArrays(gl.TRIANGLES, 0, v.mesh.count);
    }
    this.segments.draw(visible, camera, ratio, "surface");
    if (visible.some((v) => v.mesh.lines.belts)) this.segments.draw(visible, camera, ratio, "belts", mirror.step / 60);
    return visible;
  }

  // drawMarks draws normals and ghost vertices over everything else.
  drawMarks(visible, camera, ratio, normals, ghosts) {
    if (ghosts) this.segments.draw(visible, camera, ratio, "ghosts");
    if (normals) this.segments.draw(visible, camera, ratio, "normals");
  }
}

// Triangles reach a little over the borders of their cells: where a corner is on the edge of a triangle of another cell,
// rounding would leave gaps of single pixels in a turned ground.
const OVERLAP = 1 / 1024; // cells

// beyond returns a coordinate within a cell; one on the border is moved out.
function beyond(x) {
  return x === 0 ? -OVERLAP : x === 1 ? 1 + OVERLAP : x;
}

// meshOf returns the triangles of a chunk: for each corner x, y as float32 and four bytes of
// colour. A row of full cells of one colour becomes one rectangle.
function meshOf(shapes, chunk, materials) {
  const out = [];
  let run = null;
  const close = () => {
    if (!run) return;
    const left = run.x - OVERLAP, right = run.end + OVERLAP, low = run.y - OVERLAP, high = run.y + 1 + OVERLAP, color = run.color;
    out.push([left, low, color], [right, low, color], [right, high, color], [left, low, color], [right, high, color], [left, high, color]);
    run = null;
  };
  const styleOf = (material) => WAYS[(materials.get(material) || {}).way] || PLAIN;
  eachTile(chunk, (column, row, id, turn, material, tint) => {
    const shape = shapes.get(id, turn), color = colorOf(tint, material, styleOf(material));
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
      out.push([column + beyond(shape.triangles[i]), row + beyond(shape.triangles[i + 1]), color]);
    }
  });
  close();
  eachPolygon(chunk, (column, row, loops, material, tint) => {
    const color = colorOf(tint, material, styleOf(material)), corners = fill(loops);
    for (let i = 0; i < corners.length; i += 2) out.push([column + beyond(corners[i]), row + beyond(corners[i + 1]), color]);
  });
  const data = new DataView(new ArrayBuffer(out.length * 12));
  out.forEach(([x, y, color], i) => {
    data.setFloat32(12 * i, x, true);
    data.setFloat32(12 * i + 4, y, true);
    data.setUint32(12 * i + 8, color, true);
  });
  return data;
}

// colorOf returns a tile's colour (0xRRGGBB; 0 = the page's choice) as the bytes red, green, blue
// and style.
function colorOf(tint, material, style = PLAIN) {
  const [r, g, b] = tintOf(tint, material);
  return ((style << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

// tintOf returns red, green and blue, 0 to 255.
export function tintOf(tint, material) {
  if (tint) return [tint >> 16 & 255, tint >> 8 & 255, tint & 255];
  return PALETTE[material % PALETTE.length].map((x) => Math.round(255 * x));
}
