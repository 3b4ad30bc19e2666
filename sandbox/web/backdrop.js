// Draws the background: a dark or light gradient with the grid lines of the cells.

import { program, corners } from "./gl.js";

const VERTEX = `
layout(location = 0) in vec2 corner;
uniform vec2 halfSize; // cells
out vec2 at;           // cells from the centre of the view
out float height;
void main() {
  at = corner * halfSize;
  height = corner.y * 0.5 + 0.5;
  gl_Position = vec4(corner, 0.0, 1.0);
}`;

const FRAGMENT = `
in vec2 at;
in float height;
uniform vec2 fine, coarse; // position of the view's centre relative to the lines, in cells
uniform float pitch;       // cells between fine lines; coarse lines are ten times as far apart
uniform float pixel;       // cells
uniform float strength;    // of the fine lines
uniform float light;       // 1: in light colours
out vec4 color;
float line(vec2 p, float pitch) {
  vec2 d = abs(fract(p / pitch + 0.5) - 0.5) * pitch / pixel; // pixels to the nearest line
  return clamp(1.0 - min(d.x, d.y), 0.0, 1.0);
}
void main() {
  vec3 c = mix(mix(vec3(0.063, 0.078, 0.110), vec3(0.098, 0.125, 0.180), height), mix(vec3(0.93, 0.95, 0.97), vec3(0.80, 0.87, 0.95), height), light);
  if (strength >= 0.0) {
    float sign = 1.0 - 2.2 * light;
    c += sign * vec3(0.030, 0.036, 0.048) * strength * line(at + fine, pitch);
    c += sign * vec3(0.040, 0.048, 0.064) * line(at + coarse, pitch * 10.0);
  }
  color = vec4(c, 1.0);
}`;

export class Backdrop {
  constructor(gl) {
    this.gl = gl;
    this.program = program(gl, VERTEX, FRAGMENT);
    this.vao = gl.createVertexArray();
    gl.bindVertexArray(this.vao);
    corners(gl);
  }

  draw(camera, lines, ratio, light) {
    const gl = this.gl, u = this.program.uniform;
    let pitch = 1;
    while (pitch * camera.scale < 6) pitch *= 10;
    this.program.use();
    gl.uniform2f(u.halfSize, camera.width / 2 / camera.scale, camera.height / 2 / camera.scale);
    // Computed in double precision here, so that lines are exact far from 0.
    gl.uniform2f(u.fine, modulo(camera.x, pitch), modulo(camera.y, pitch));
    gl.uniform2f(u.coarse, modulo(camera.x, 10 * pitch), modulo(camera.y, 10 * pitch));
    gl.uniform1f(u.pitch, pitch);
    gl.uniform1f(u.light, light ? 1 : 0);
    gl.uniform1f(u.pixel, 1 / (camera.scale * ratio));
    gl.uniform1f(u.strength, lines ? Math.min(1, (pitch * camera.scale - 6) / 14) : -1);
    gl.bindVertexArray(this.vao);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }
}

function modulo(x, m) {
  return x - Math.floor(x / m) * m;
}
