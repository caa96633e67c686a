import { init } from 'minitensor';
import { readSignature } from 'minitensor/signature';

import { columns, counted, formatSize, plain } from './text.js';

/** @typedef {import('minitensor').PluginInspection} PluginInspection */
/** @typedef {import('minitensor/signature').PluginSignature} PluginSignature */
/** @typedef {import('./terminal.js').Terminal} Terminal */

const FOR_THIS = 'This MiniTensor can load it.';
const FOR_NATIVE = 'Native programs can load it, where the system has what it imports; JavaScript needs a .wasm.';

/** @type {import('./command_line.js').Command} */
export const command = {
  summary: 'say what a plugin file is and needs, without running it',
  details: [
    'Reads a .wasm, or an ELF .so, which is for native programs. Ends with 1 when a MiniTensor of this version would',
    'not load the file, or its signature is damaged.',
  ].join('\n'),
  positionals: ['FILE'],
  options: { json: { type: 'boolean', description: 'as JSON' } },
  async run({ values, positionals: [file = ''], terminal }) {
    const mt = await init();
    const inspection = await mt.plugins.inspectPlugin(file);
    const signature = await readSignature(file);
    const isNative = inspection.format === 'elf';
    // The first problem of an ELF library is that it is none for WebAssembly.
    const problems = isNative ? inspection.problems.slice(1) : inspection.problems;
    if (values.json) {
      terminal.printJson({ file, ...inspection, signature });
    } else {
      for (const line of reportOf(inspection, signature, terminal)) terminal.print(line);
      terminal.print('');
      for (const problem of problems) terminal.print(`${terminal.paint('red', 'problem')}  ${plain(problem)}`);
      if (problems.length === 0) terminal.print(terminal.paint('green', isNative ? FOR_NATIVE : FOR_THIS));
    }
    return problems.length === 0 ? 0 : 1;
  },
};

/**
 * @param {PluginInspection} inspection
 * @param {PluginSignature | null} signature
 * @param {Terminal} terminal
 */
function reportOf(inspection, signature, terminal) {
  const { format, info, abiVersion, features, ops, layers, sizes, exports } = inspection;
  const newest = info.maxMinitensorVersion ? `, at most ${info.maxMinitensorVersion}` : '';
  const rows = [
    ['plugin', `${info.name} ${info.version}`],
    ['description', info.description],
    ['author', info.author],
    ['format', format === 'elf' ? 'ELF shared library' : 'WebAssembly side module'],
    ['MiniTensor', `at least ${info.minMinitensorVersion}${newest}; plugin ABI ${abiVersion}`],
    ['needs', list(features)],
    ['ops', list(ops)],
    ['layers', list(layers)],
    ['size', `${formatSize(sizes.file)}: code ${formatSize(sizes.code)}, data ${formatSize(sizes.data)}`],
    ['takes', `${formatSize(sizes.memory)} of memory, ${counted(sizes.table, 'table slot')}`],
    ['exports', list(exports.map(({ name }) => name))],
    ...importRows(inspection),
    ['signature', signature ? `by the key ${signature.publicKey} (not checked)` : 'none'],
  ];
  return columns(rows.map(([title = '', value = '']) => [terminal.paint('bold', title), plain(value)]));
}

/**
 * What an ELF library imports, the system's linker looks for.
 * @param {PluginInspection} inspection
 */
function importRows({ format, imports }) {
  if (format === 'elf') return [['imports', list(imports.map(describeImport))]];
  return [
    ['imports', list(imports.filter(({ provided }) => provided).map(({ name }) => name))],
    ['missing', list(imports.filter(({ provided }) => !provided).map(describeImport))],
  ];
}

/** @param {PluginInspection['imports'][number]} entry */
function describeImport({ name, demangled }) {
  return demangled ? `${name} (${demangled})` : name;
}

/** @param {readonly string[]} names */
function list(names) {
  return names.length > 0 ? names.join(', ') : 'none';
}
