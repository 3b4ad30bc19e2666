// Runs a program for js/wasm under Node: node run.cjs WASM_EXEC PROGRAM [KERNELS]. With KERNELS, the program is built with the tag
// quarrysimd; "none" supplies only the imports, as a loader in a browser without SIMD does.
"use strict";
const fs = require("fs");
const [exec, program, kernels] = process.argv.slice(2);
Object.assign(globalThis, { require, fs, path: require("path") });
require(require("path").resolve(exec));
const go = new Go(), functions = {}, stubs = {};
go.argv = [program];
go.exit = process.exit;
const module_ = new WebAssembly.Module(fs.readFileSync(program));
for (const i of WebAssembly.Module.imports(module_)) {
  if (i.module === "quarry") stubs[i.name] = (a, b, c, d, e) => functions[i.name](a, b, c, d, e);
}
go.importObject.quarry = stubs;
const instance = new WebAssembly.Instance(module_, go.importObject);
if (kernels && kernels !== "none") {
  const simd = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(kernels)), { go: { mem: instance.exports.mem } });
  Object.assign(functions, simd.exports);
  globalThis.quarryKernels = true;
}
go.run(instance);
