/*
 * What the package costs a page to load, and the tools behind `npm run size`.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from '@jest/globals';

import { inProject } from '../../tools/project.js';
import { BUDGET, publishedFiles, publishedOnDemand } from '../../tools/size/published.js';
import { opOf, roomOf, roomsOfSymbols } from '../../tools/size/symbols.js';
import { readWasm } from '../../tools/size/wasm.js';

describe('what a page loads', () => {
  test.each(['index.js', 'static.js'])('for %s is within the budget', (entry) => {
    const files = publishedFiles(inProject('dist', entry));
    expect(files.reduce((sum, { gzip }) => sum + gzip, 0)).toBeLessThan(BUDGET);
  });

  test('is the entry, what it imports and the WebAssembly, and nothing twice', () => {
    const names = publishedFiles(inProject('dist/index.js')).map(({ file }) => file);
    expect(names[0]).toBe('index.js');
    expect(names).toEqual(expect.arrayContaining([
      path.join('core', 'minitensor.js'), path.join('core', 'minitensor.wasm'), expect.stringMatching(/^chunk-/),
    ]));
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => name.includes('core-static'))).toEqual([]);
  });

  test('is without what reads plugins, checks signatures and starts workers, which come once they are needed', () => {
    const entry = inProject('dist/index.js');
    const later = publishedOnDemand(entry).map(({ file }) => file);
    expect(later).toEqual(expect.arrayContaining([
      'signature.js', expect.stringMatching(/^isolated_start-/), path.join('core', 'inspector.wasm'),
    ]));
    const first = publishedFiles(entry).map(({ file }) => file);
    expect(first.filter((file) => later.includes(file))).toEqual([]);
    const text = first.filter((file) => file.endsWith('.js'))
      .map((file) => readFileSync(inProject('dist', file), 'utf8')).join('');
    expect(text).not.toContain('Ed25519');
    expect(text).not.toContain('class IsolatedSession');
  });
});

/** A module that imports a function and defines two, of 2 and 4 bytes. */
const MODULE = Uint8Array.from([
  0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
  1, 4, 1, 0x60, 0, 0,
  2, 7, 1, 1, 0x61, 1, 0x62, 0, 0,
  3, 3, 2, 0, 0,
  10, 9, 2, 2, 0, 0x0b, 4, 0, 1, 1, 0x0b,
  0, 3, 1, 0x78, 9,
]);

describe('the reader of WebAssembly files', () => {
  test('gives each function\'s code and counts the imported ones', () => {
    const { functions, importedFunctions } = readWasm(MODULE);
    expect(functions.map((body) => [...body])).toEqual([[0, 0x0b], [0, 1, 1, 0x0b]]);
    expect(importedFunctions).toBe(1);
  });

  test('gives sections that make up the file, after its header of 8 bytes', () => {
    const { sections } = readWasm(MODULE);
    expect(sections.map(({ name }) => name)).toEqual(['type', 'import', 'function', 'code', 'custom']);
    expect(Buffer.concat([MODULE.subarray(0, 8), ...sections.map(({ bytes }) => bytes)])).toEqual(Buffer.from(MODULE));
  });

  test('accounts for every byte of the core', () => {
    const core = new Uint8Array(readFileSync(inProject('dist/core/minitensor.wasm')));
    const { sections, functions } = readWasm(core);
    expect(sections.reduce((sum, { bytes }) => sum + bytes.length, 8)).toBe(core.length);
    const code = sections.find(({ name }) => name === 'code');
    const bodies = functions.reduce((sum, body) => sum + body.length, 0);
    expect(bodies).toBeLessThan(Number(code?.bytes.length));
    // Each function's size before it, of up to 3 bytes.
    expect(bodies).toBeGreaterThan(Number(code?.bytes.length) - 3 * functions.length - 16);
  });
});

const NM = `src/minitensor/CMakeFiles/minitensor_core.dir/ops/add.cpp.o: 00000001 T minitensor::add(int)
src/minitensor/CMakeFiles/minitensor_core.dir/ops/add.cpp.o: 0000012c W share<int>()
src/minitensor/CMakeFiles/minitensor_core.dir/loader/load.cpp.o: 0000012c W share<int>()
src/minitensor/CMakeFiles/minitensor_core.dir/loader/load.cpp.o: 00000009 D vtable for minitensor::Load
bindings/CMakeFiles/minitensor_wasm.dir/convert.cpp.o: 00000008 t help()
`;

describe('the room of a function', () => {
  test.each([
    ['minitensor::add(int)', 'ops'],
    ['share<int>()', 'shared templates'],
    ['help()', 'bindings'],
    ['minitensor::add(int) (.554)', 'ops'],
    ['minitensor::add(int)_1366', 'ops'],
    ['dlmalloc', 'malloc'],
    ['__cxa_throw', 'exceptions'],
    ['std::logic_error::logic_error(char const*)', 'exceptions'],
    ['std::__2::basic_string<char>::append(char const*)', 'libc++'],
    ['operator new(unsigned long)', 'libc++'],
    ['expm1', 'libc'],
  ])('%s is of %s', (symbol, room) => {
    expect(roomOf(symbol, roomsOfSymbols(NM))).toBe(room);
  });

  test('is not asked for data', () => {
    expect([...roomsOfSymbols(NM).keys()]).toEqual(['minitensor::add(int)', 'share<int>()', 'help()']);
  });
});

describe('the op of a function', () => {
  test.each([
    ['minitensor::add(minitensor::Tensor const&)', 'add'],
    ['void minitensor::loop<minitensor::LeakyRelu, float>(float*)', 'leakyRelu'],
    ['minitensor::log_softmax_gradient(minitensor::Tensor const&)', 'logSoftmax'],
    ['minitensor::(anonymous namespace)::relu_kernel(float*)', 'relu'],
  ])('%s is for %s', (symbol, op) => {
    expect(opOf(symbol, ['add', 'relu', 'leakyRelu', 'logSoftmax', 'sum'])).toBe(op);
  });

  test.each([
    'minitensor::pairwise_sum(float const*)',
    'void both<minitensor::Add, minitensor::Relu>()',
    'minitensor::apply(minitensor::Add const&)',
    'minitensor::OpRegistry::add(minitensor::Op)',
    'memcpy',
  ])('%s is for none alone', (symbol) => {
    expect(opOf(symbol, ['add', 'relu', 'sum'])).toBeUndefined();
  });
});
