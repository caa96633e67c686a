import { describe, expect, test } from '@jest/globals';

import { init } from 'minitensor';
import { decodeValues, encodeValues } from '../../js/wire.js';

describe('values on their way between JavaScript and the core', () => {
  test.each([
    [undefined, [0]], [false, [1]], [true, [2]],
    [1, [3, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f]],
    ['ä', [4, 2, 0, 0, 0, 0xc3, 0xa4]],
    ['\uFEFF', [4, 3, 0, 0, 0, 0xef, 0xbb, 0xbf]],
    [[], [5, 7]],
    [[true, [false]], [5, 2, 5, 1, 7, 7]],
  ])('%j has the form that bindings/wire.h describes', (value, bytes) => {
    expect([...encodeValues([value])]).toEqual(bytes);
    expect(decodeValues(Uint8Array.from(bytes))).toEqual([value]);
  });

  test('an object is names and values in turn, and a name is only a name', () => {
    const text = (/** @type {string} */ name) => [4, name.length, 0, 0, 0, ...new TextEncoder().encode(name)];
    const bytes = [6, ...text('a'), 2, ...text('__proto__'), 1, 7];
    const [value] = decodeValues(Uint8Array.from(bytes));
    expect(Object.entries(/** @type {object} */ (value))).toEqual([['a', true], ['__proto__', false]]);
  });

  test('bytes that are encoded already are put in as they are', () => {
    expect(encodeValues([1, encodeValues(['x', true])])).toEqual(encodeValues([1, 'x', true]));
  });

  test('more than fits the first buffer', () => {
    const values = Array.from({ length: 1000 }, (_, i) => [i, String(i)]);
    expect(decodeValues(encodeValues(values))).toEqual(values);
  });
});

test('arguments beyond the scratch buffer of a call reach the core', async () => {
  const mt = await init();
  const name = 'x'.repeat(10_000);
  const layer = new mt.plugins.CustomLayer(name);
  layer.addParameter(name, new mt.Tensor([1]));
  expect(layer.listParameters()).toEqual([name]);
  mt.close();
});
