import { describe, expect, test } from '@jest/globals';

import { parseNumber, parseNumbers, requireNumber } from '../../web/parse_numbers.js';

describe('parseNumbers', () => {
  test.each([
    ['1', [1]],
    ['-2, -1.5, .5, 1e3', [-2, -1.5, 0.5, 1000]],
    ['1 2\n3\t4', [1, 2, 3, 4]],
    ['1, 2,', [1, 2]],
    ['\u22121', [-1]],
    ['nan, -Infinity, +inf', [NaN, -Infinity, Infinity]],
    ['[1, 2]', [1, 2]],
    ['[[1, 2], [3, 4]]', [[1, 2], [3, 4]]],
    ['[1, 2], [3, 4]', [[1, 2], [3, 4]]],
    ['[]', []],
    ['[[]]', [[]]],
  ])('reads %j', (text, expected) => {
    expect(parseNumbers(text, 100)).toEqual(expected);
  });

  test.each([
    ['', /type some numbers/],
    [' \n', /type some numbers/],
    ['1, x', /“x” at character 4 is not a number/],
    ['0x10', /is not a number/],
    ['1.2.3', /is not a number/],
    ['{"a": 1}', /is not a number/],
    [', 1', /missing before the comma at character 1/],
    ['[1, 2', /the bracket at character 1 is not closed/],
    ['1]', /the bracket at character 2 closes nothing/],
    ['['.repeat(100_000), /nested more than/],
    ['1 '.repeat(101), /more than 100 numbers/],
  ])('refuses %.20j', (text, message) => {
    expect(() => parseNumbers(text, 100)).toThrow(message);
  });
});

test('parseNumber gives undefined for what is none', () => {
  expect(parseNumber('1e-3')).toBe(0.001);
  expect(parseNumber('')).toBeUndefined();
  expect(parseNumber('one')).toBeUndefined();
});

test('requireNumber names what is wrong', () => {
  expect(requireNumber(' 5 ', 'beta')).toBe(5);
  expect(() => requireNumber('', 'beta')).toThrow('beta is empty');
  expect(() => requireNumber('x'.repeat(100), 'beta')).toThrow(/^beta: “x{24}…” is not a number$/);
});
