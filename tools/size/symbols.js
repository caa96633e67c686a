/*
 * Which room a function of the core belongs to, told by its name as LLVM's tools write it.
 */

/** Libraries, by the names of what they define. The first that fits counts. */
const LIBRARIES = /** @type {const} */ ([
  ['malloc', /^(dl|emmalloc|dispose_chunk|sbrk|_?malloc|_?free|calloc|realloc|posix_memalign|aligned_alloc)/],
  ['exceptions', /\b__cxxabiv1::|^__cxa|_Unwind|terminate|\bstd::(?!__2)/],
  ['libc++', /\bstd::__2::|^operator |^_ZN?K?St3__2/],
]);
const C_LIBRARY = 'libc';
/** What the compiler made of templates in several rooms; the linker keeps one. */
const SHARED = 'shared templates';

/**
 * @param {string} output of nm, with the names of files
 * @returns {Map<string, string>} the room of each function; that is the folder of the object file
 */
export function roomsOfSymbols(output) {
  /** @type {Map<string, string>} */
  const rooms = new Map();
  for (const [, file = '', symbol = ''] of output.matchAll(/^(.*\.o): +[\da-f-]* [tTwW] (.+)$/gm)) {
    const room = roomOfObject(file);
    const known = rooms.get(symbol);
    rooms.set(symbol, known === undefined || known === room ? room : SHARED);
  }
  return rooms;
}

/** @param {string} file …/NAME.dir/ROOM/FILE.o, or …/ROOM/CMakeFiles/NAME.dir/FILE.o */
function roomOfObject(file) {
  return /\.dir\/(\w+)\//.exec(file)?.[1] ?? /(\w+)\/CMakeFiles\//.exec(file)?.[1] ?? SHARED;
}

/**
 * @param {string} symbol
 * @param {ReadonlyMap<string, string>} rooms
 * @returns {string}
 */
export function roomOf(symbol, rooms) {
  // Link-time optimisation numbers functions of one name, such as the lambdas of several files.
  const room = rooms.get(symbol) ?? rooms.get(symbol.replace(/ \(\.\d+\)(_\d+)?$|_\d+$/, ''));
  return room ?? LIBRARIES.find(([, pattern]) => pattern.test(symbol))?.[0] ?? C_LIBRARY;
}

/**
 * The op that a function is for: the one that its name names. What several ops share belongs to none.
 *
 * @param {string} symbol
 * @param {readonly string[]} ops
 */
export function opOf(symbol, ops) {
  // Parameters say nothing of it, and everything in an unnamed namespace has brackets before its name.
  const [name = ''] = symbol.replaceAll('(anonymous namespace)::', '').split('(');
  if (name.includes('Registry::')) return undefined;
  const words = new Set([...name.matchAll(/\w+/g)].map(([word]) => plain(word)));
  const found = ops.filter((op) => words.has(plain(op)));
  return found.length === 1 ? found[0] : undefined;
}

/** @param {string} name in any of the ways to write one, for a kernel, a functor or a gradient as for the op itself */
function plain(name) {
  return name.toLowerCase().replaceAll('_', '').replace(/(op|kernel|forward|backward|gradient|functor)$/, '');
}
