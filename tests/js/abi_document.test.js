/* docs/abi.md, and what else knows the ABI, against plugin_api.h: what has a contract stands in both. */
import { readFileSync } from 'node:fs';

import { expect, test } from '@jest/globals';

const root = new URL('../../', import.meta.url);
const read = (/** @type {string} */ file) => readFileSync(new URL(file, root), 'utf8');
const header = read('src/minitensor/sdk/plugin_api.h').replaceAll(/\/\*[^]*?\*\//g, '');
const document = read('docs/abi.md');

/** The fields of a struct of the header. @param {string} struct */
function fieldsOf(struct) {
  const [, body = ''] = new RegExp(`typedef struct ${struct} \\{([^]*?)\\} ${struct};`).exec(header) ?? [];
  return body.split(';').flatMap((declaration) => {
    const [, name] = /\(\*(\w+)\)\(/.exec(declaration) ?? /(\w+)\s*$/.exec(declaration) ?? [];
    return name && name !== 'reserved' ? [name] : [];
  });
}

/** The names in the first column of the table under the heading that names the struct. @param {string} struct */
function namesInTable(struct) {
  const [section = ''] = document.split(/^## /m).filter((text) => text.split('\n')[0]?.includes(`\`${struct}\``));
  return [...section.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));
}

test.each([
  ['mt_plugin', ['struct_size', 'abi_version']],
  ['mt_op', ['struct_size']],
  ['mt_layer_type', ['struct_size']],
  ['mt_host', ['struct_size', 'abi_version', 'version_major', 'version_minor', 'version_patch']],
])('docs/abi.md documents every field of %s and no other', (struct, header_fields) => {
  const fields = fieldsOf(struct).filter((name) => !header_fields.includes(name));
  expect(fields.length).toBeGreaterThan(5);
  expect(namesInTable(struct).sort()).toEqual(fields.sort());
});

test('docs/abi.md documents every status code with its number', () => {
  const codes = [...header.matchAll(/^ {2}(MT_(?:OK|ERROR_\w+)) = (\d+)/gm)].map(([, name, number]) => `\`${name}\` (${number})`);
  expect(codes).toHaveLength(8);
  expect([...document.matchAll(/^\| (`MT_\w+` \(\d+\)) \|/gm)].map(([, code]) => code)).toEqual(codes);
});

test('docs/abi.md says the version', () => {
  const [, version] = /#define MT_PLUGIN_ABI_VERSION (\d+)/.exec(header) ?? [];
  expect(document).toContain(`It is version ${version}\n`);
});

/** Where the fields are in WebAssembly, as tests/sdk/abi_layout.c has the compiler assert. */
const offsets = new Map([...read('tests/sdk/abi_layout.c').matchAll(/^OFFSET\((\w+), (\w+), (\d+), \d+\);/gm)]
  .map(([, struct, field, offset]) => [`${struct}.${field}`, Number(offset)]));

test.each([
  ['mt_plugin', 'PLUGIN'], ['mt_op', 'OP'], ['mt_op_call', 'CALL'], ['mt_tensor', 'TENSOR'],
])('minitensor check knows where the fields of %s are', (struct, constant) => {
  const [, text = ''] = new RegExp(`^const ${constant} = \\{ (.*) \\};$`, 'm').exec(read('cli/check/guards.js')) ?? [];
  const known = text.split(', ').map((entry) => entry.split(': ')).filter(([name]) => name !== 'end');
  expect(known.length).toBeGreaterThan(1);
  for (const [name = '', offset] of known) {
    const field = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    expect([field, Number(offset)]).toEqual([field, offsets.get(`${struct}.${field}`)]);
  }
});

test('the linker knows where the functions of mt_host begin', () => {
  const [, words] = /HEAPU32\.subarray\(host \+ (\d+), /.exec(read('src/minitensor/loader/dynamic_linker.js')) ?? [];
  expect(Number(words) * 4).toBe(offsets.get('mt_host.set_error'));
});
