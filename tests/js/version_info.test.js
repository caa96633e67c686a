import { readFileSync } from 'node:fs';

import { describe, expect, test } from '@jest/globals';
import { VERSION, ValueError, VersionInfo } from 'minitensor';

import { expectError, thrownBy, wrong } from './support/errors.js';

/**
 * @typedef {object} VersionCases
 * @property {{ text: string, numbers: [number, number, number] }[]} valid
 * @property {{ why: string, text: string }[]} invalid
 * @property {{ version: string, minimum: string }[]} compatible
 * @property {{ version: string, minimum: string }[]} incompatible
 * @property {string[]} ascending
 */

/** @type {VersionCases} The C++ tests read the same file. */
const cases = JSON.parse(readFileSync(new URL('../fixtures/version_cases.json', import.meta.url), 'utf8'));

describe('VersionInfo.parse', () => {
  test.each(cases.valid)('takes $text', ({ text, numbers }) => {
    const { major, minor, patch } = VersionInfo.parse(text);
    expect([major, minor, patch]).toEqual(numbers);
  });

  test.each(cases.invalid)('refuses and quotes: $why', ({ text }) => {
    const error = expectError(thrownBy(() => VersionInfo.parse(text)), ValueError, 'major.minor.patch');
    expect(error.code).toBe('MT_VALUE');
    expect(error.message).toContain(JSON.stringify(text).slice(0, 50).replace(/"$/, ''));
  });

  test.each([undefined, null, 1, 1.2, {}, ['1.2.3'], Symbol('1.2.3'), 10n])('refuses what is no string (%#)', (value) => {
    expectError(thrownBy(() => VersionInfo.parse(wrong(value))), TypeError, 'must be a string');
  });
});

describe('VersionInfo', () => {
  test('has read-only fields', () => {
    const version = new VersionInfo(1, 2, 3);
    expect(() => {
      Object.assign(version, { major: 9 });
    }).toThrow(TypeError);
    expect(version.major).toBe(1);
  });

  test.each([NaN, -1, 0.5, 2 ** 32, Infinity, Number.MAX_SAFE_INTEGER])('refuses %d as a number', (number) => {
    expectError(thrownBy(() => new VersionInfo(number, 0, 0)), ValueError, 'major');
    expectError(thrownBy(() => new VersionInfo(0, number, 0)), ValueError, 'minor');
    expectError(thrownBy(() => new VersionInfo(0, 0, number)), ValueError, 'patch');
  });

  test.each([undefined, null, '1', {}, 1n])('refuses what is no number (%#)', (value) => {
    expectError(thrownBy(() => new VersionInfo(wrong(value), 0, 0)), TypeError, 'major must be a number');
  });

  test('current is the version of the package', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(String(VersionInfo.current())).toBe(version);
    expect(VERSION).toBe(version);
  });

  test('prints as its text, also in JSON', () => {
    expect(`${new VersionInfo(1, 2, 3)}`).toBe('1.2.3');
    expect(JSON.stringify({ version: new VersionInfo(1, 2, 3) })).toBe('{"version":"1.2.3"}');
  });
});

describe('isCompatibleWith', () => {
  test.each(cases.compatible)('$version stands in for $minimum', ({ version, minimum }) => {
    expect(VersionInfo.parse(version).isCompatibleWith(VersionInfo.parse(minimum))).toBe(true);
  });

  test.each(cases.incompatible)('$version does not stand in for $minimum', ({ version, minimum }) => {
    expect(VersionInfo.parse(version).isCompatibleWith(VersionInfo.parse(minimum))).toBe(false);
  });

  test.each([undefined, null, '1.2.3', { major: 1, minor: 2, patch: 3 }])('refuses what is no version (%#)', (value) => {
    const version = new VersionInfo(1, 2, 3);
    expectError(thrownBy(() => version.isCompatibleWith(wrong(value))), TypeError, 'must be a VersionInfo');
    expectError(thrownBy(() => version.compareTo(wrong(value))), TypeError, 'must be a VersionInfo');
    expect(version.equals(value)).toBe(false);
  });
});

test('compareTo and equals order versions by their numbers', () => {
  const versions = cases.ascending.map((text) => VersionInfo.parse(text));
  for (const [i, a] of versions.entries()) {
    for (const [j, b] of versions.entries()) {
      expect(Math.sign(a.compareTo(b))).toBe(Math.sign(i - j));
      expect(a.equals(b)).toBe(i === j);
    }
  }
});
