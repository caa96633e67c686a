/*
 * The core has no timers. For link-time optimisation the linker takes in whatever Emscripten's JavaScript may call,
 * and its timer would bring signals and the end of a program: 1 KB.
 */
addToLibrary({
  _setitimer_js__deps: [],
  _setitimer_js: () => 0,
});
