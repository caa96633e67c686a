/* docs/abi.md against plugin_api.h: every function and every field with a contract stands in both. */
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
