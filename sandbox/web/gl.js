// WebGL2 functions that all renderers use.

// open returns the canvas's context. It throws an Error if the browser has no WebGL2.
export function open(canvas) {
  const gl = canvas.getContext("webgl2", { alpha: false, antialias: false, depth: false, premultipliedAlpha: true });
  if (!gl) throw new Error("this browser has no WebGL2, which the sandbox needs");
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA); // every shader's colours are premultiplied
  return gl;
}

// program links two shaders and returns {use, uniform}; uniform.name is the location of the uniform
// called name.
export function program(gl, vertex, fragment) {
  const p = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const s = gl.createShader(kind);
    gl.shaderSource(s, "#version 300 es\nprecision highp float;\nprecision highp int;\n" + source);
    gl.compileShader(s);
    gl.attachShader(p, s);
    if (!gl.getShaderParameter(s, gl.COMPILE_STATUS) && !gl.isContextLost()) {
      throw new Error("shader: " + gl.getShaderInfoLog(s));
    }
  }
  gl.linkProgram(p);
  if (!gl.getProgramParameter(p, gl.LINK_STATUS) && !gl.isContextLost()) {
    throw new Error("program: " + gl.getProgramInfoLog(p));
  }
  const uniform = {};
  const n = gl.getProgramParameter(p, gl.ACTIVE_UNIFORMS) || 0;
  for (let i = 0; i < n; i++) {
    const name = gl.getActiveUniform(p, i).name;
    uniform[name] = gl.getUniformLocation(p, name);
  }
  return { use: () => gl.useProgram(p), uniform };
}

// attribute sets an attribute of the bound vertex array to read the bound buffer; with divisor 1 it
// has one value an instance.
export function attribute(gl, place, size, type, normalised, stride, offset, divisor) {
  gl.enableVertexAttribArray(place);
  gl.vertexAttribPointer(place, size, type, normalised, stride, offset);
  gl.vertexAttribDivisor(place, divisor);
}

// corners makes a buffer with the corners of the square from -1 to 1, as a triangle strip, and sets
// attribute 0 of the bound vertex array to read it.
export function corners(gl) {
  const b = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, b);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
  attribute(gl, 0, 2, gl.FLOAT, false, 8, 0, 0);
  return b;
}
