// Draws bodies. Each shape is an instance of a square; the fragment shader computes the distance to
// the shape's outline. Every shape is the convex hull of one to eight points, expanded by a radius.

import { program, corners, attribute } from "./gl.js";

const VERTEX = `
layout(location = 0) in vec2 corner;
layout(location = 1) in vec4 p0;
layout(location = 2) in vec4 p1;
layout(location = 3) in vec4 p2;
layout(location = 4) in vec4 p3;
layout(location = 5) in vec4 form;  // half width, half height of the points; radius; number of points
layout(location = 6) in vec4 tint;  // colour, alpha
layout(location = 7) in vec4 place; // x, y from the centre of the view; cosine, sine
layout(location = 8) in float rest; // 1 asleep, 0 awake
uniform vec2 zoom;   // clip space a cell
uniform float pixel; // cells
out vec2 at;
flat out vec4 q0, q1, q2, q3, shape, paint;
void main() {
  // At least 1.5 pixels thick, so that small shapes do not flicker.
  float radius = max(form.z, max(0.0, 0.75 * pixel - min(form.x, form.y)));
  at = corner * (form.xy + radius + 1.5 * pixel);
  q0 = p0; q1 = p1; q2 = p2; q3 = p3;
  shape = vec4(form.xy, radius, form.w);
  paint = vec4(mix(tint.rgb, vec3(dot(tint.rgb, vec3(0.3, 0.5, 0.2))) * 0.8, 0.55 * rest), tint.a);
  vec2 p = vec2(place.z * at.x - place.w * at.y, place.w * at.x + place.z * at.y) + place.xy;
  gl_Position = vec4(p * zoom, 0.0, 1.0);
}`;

const FRAGMENT = `
in vec2 at;
flat in vec4 q0, q1, q2, q3, shape, paint;
uniform float pixel;
out vec4 color;
float toSegment(vec2 p, vec2 a, vec2 b) {
  vec2 e = b - a, w = p - a;
  return length(w - e * clamp(dot(w, e) / max(dot(e, e), 1e-12), 0.0, 1.0));
}
void main() {
  vec2 v[8] = vec2[8](q0.xy, q0.zw, q1.xy, q1.zw, q2.xy, q2.zw, q3.xy, q3.zw);
  int n = int(shape.w);
  float d;
  if (n == 1) {
    d = length(at - v[0]);
  } else if (n == 2) {
    d = toSegment(at, v[0], v[1]);
  } else {
    bool inside = true;
    d = 1e9;
    for (int i = 0; i < 8; i++) {
      if (i >= n) break;
      vec2 a = v[i], b = v[i + 1 == n ? 0 : i + 1];
      d = min(d, toSegment(at, a, b));
      inside = inside && (b.x - a.x) * (at.y - a.y) >= (b.y - a.y) * (at.x - a.x);
    }
    if (inside) d = -d;
  }
  d -= shape.z;
  float cover = clamp(0.5 - d / pixel, 0.0, 1.0);
  if (cover <= 0.0) discard;
  // The outline is two pixels wide, thinner on small shapes, and fades on tiny shapes.
  float size = min(shape.x, shape.y) + shape.z;
  float width = min(2.0 * pixel, 0.22 * size);
  float edge = clamp((d + width) / pixel + 0.5, 0.0, 1.0);
  if (n == 1) { // a radius line shows rotation
    float spoke = toSegment(at, v[0], v[0] + vec2(shape.z, 0.0)) - 0.5 * width;
    edge = max(edge, clamp(0.5 - spoke / pixel, 0.0, 1.0));
  }
  edge *= clamp((size / pixel - 1.5) / 4.0, 0.0, 1.0);
  vec3 c = mix(paint.rgb, paint.rgb * 0.45, edge);
  color = vec4(c, 1.0) * cover * paint.a;
}`;

const STATIC = 24; // floats an instance: points 16, form 4, tint 4
const MOVING = 5;  // floats an instance: place 4, rest 1

// Colours of bodies that have none.
const PALETTE = [[0.95, 0.63, 0.30], [0.36, 0.68, 0.93], [0.93, 0.44, 0.45], [0.45, 0.80, 0.56], [0.76, 0.56, 0.93], [0.95, 0.80, 0.38], [0.38, 0.80, 0.80], [0.93, 0.58, 0.75]];
const STILL = [0.44, 0.48, 0.56], DRIVEN = [0.55, 0.60, 0.86];

export class Bodies {
  constructor(gl) {
    this.gl = gl;
    this.program = program(gl, VERTEX, FRAGMENT);
    this.rev = -1;
    this.items = [];
    this.moving = new Float32Array(0);
    this.vao = gl.createVertexArray();
    gl.bindVertexArray(this.vao);
    corners(gl);
    this.forms = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.forms);
    for (let i = 0; i < 6; i++) attribute(gl, 1 + i, 4, gl.FLOAT, false, 4 * STATIC, 16 * i, 1);
    this.places = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.places);
    attribute(gl, 7, 4, gl.FLOAT, false, 4 * MOVING, 0, 1);
    attribute(gl, 8, 1, gl.FLOAT, false, 4 * MOVING, 16, 1);
  }

  // rebuild lists all shapes again, after bodies or shapes were added or removed.
  rebuild(mirror) {
    this.rev = mirror.bodiesRev;
    this.items = [];
    for (const body of mirror.bodies) {
      if (body) for (const shape of body.shapes) this.items.push({ body, shape });
    }
    const data = new Float32Array(this.items.length * STATIC);
    this.items.forEach(({ body, shape }, i) => {
      const o = i * STATIC;
      let w = 0, h = 0;
      shape.points.forEach((v, k) => {
        data[o + k] = v;
        if (k % 2) h = Math.max(h, Math.abs(v));
        else w = Math.max(w, Math.abs(v));
      });
      data.set([w, h, shape.radius, shape.points.length / 2], o + 16);
      data.set([...colorOf(body, shape), 1], o + 20);
    });
    const gl = this.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.forms);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    this.moving = new Float32Array(this.items.length * MOVING);
  }

  draw(mirror, camera, ratio) {
    if (this.rev !== mirror.bodiesRev) this.rebuild(mirror);
    const d = this.moving, w = camera.width / camera.scale, h = camera.height / camera.scale;
    let n = 0;
    for (const { body, shape } of this.items) {
      // Subtracted in double precision, so that positions far from 0 are exact.
      d[n] = body.placed ? body.x + body.c * shape.x - body.s * shape.y - camera.x : 8 * w;
      d[n + 1] = body.y + body.s * shape.x + body.c * shape.y - camera.y;
      d[n + 2] = body.c;
      d[n + 3] = body.s;
      d[n + 4] = body.awake ? 0 : 1;
      n += MOVING;
    }
    if (n === 0) return;
    const gl = this.gl, u = this.program.uniform;
    this.program.use();
    gl.uniform2f(u.zoom, 2 / w, 2 / h);
    gl.uniform1f(u.pixel, 1 / (camera.scale * ratio));
    gl.bindVertexArray(this.vao);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.places);
    gl.bufferData(gl.ARRAY_BUFFER, d, gl.STREAM_DRAW);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, this.items.length);
  }
}

function colorOf(body, shape) {
  if (shape.color) return [(shape.color >> 16) / 255, (shape.color >> 8 & 255) / 255, (shape.color & 255) / 255];
  if (body.type === 0) return STILL;
  return body.type === 1 ? DRIVEN : PALETTE[body.id % 67108864 % PALETTE.length];
}
