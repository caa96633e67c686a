// What the build puts beside this package's code (bindings/CMakeLists.txt): Emscripten's factory of a compiled core.
declare const create: (options: object) => Promise<unknown>;
export default create;
