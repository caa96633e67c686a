import { describe, expect, test } from '@jest/globals';
import { ValueError } from 'minitensor';

import { expectError, thrownBy, wrong } from './support/errors.js';
import { instanceForTests } from './support/instance.js';

const mt = await instanceForTests();
const { customOps } = mt;

/**
 * What an op of these attributes gets when it is executed with those.
 * @param {object} declared
 * @param {unknown} [given]
 * @returns {Record<string, unknown>}
 */
function received(declared, given) {
  /** @type {Record<string, unknown>} */
  let seen = {};
  customOps.register({
    name: 'op',
    numInputs: 0,
    attributes: wrong(declared),
    forward: (_, attributes) => {
      seen = attributes;
      return new mt.Tensor([0]);
    },
  });
  try {
    customOps.execute('op', [], wrong(given)).dispose();
  } finally {
    customOps.unregister('op');
  }
  return seen;
}

const all = {
  number: 1.5,
  string: 'grüße',
  boolean: true,
  integers: [1, -2, 3],
};

describe('attributes', () => {
  test('have their defaults when they are left out, or undefined', () => {
    expect(received(all)).toEqual(all);
    expect(received(all, {})).toEqual(all);
    expect(received(all, { number: undefined })).toEqual(all);
  });

  test('have what is given', () => {
    const given = { number: -0, string: '', boolean: false, integers: [] };
    expect(received(all, given)).toEqual(given);
    for (const string of ['数\u0000🧮', '\ufeffmark']) expect(received(all, { string })).toEqual({ ...all, string });
  });

  test.each([0, -0, NaN, Infinity, -Infinity, 5e-324, Number.MAX_VALUE, 2 ** 53, 0.1])('the number %d arrives exactly', (number) => {
    expect(received({ number: 1 }, { number }).number).toBe(number);
    expect(received({ number }).number).toBe(number);
  });

  test.each([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 2 ** 31, -(2 ** 31) - 1, 2 ** 32])(
    'the integer %d arrives exactly',
    (integer) => expect(received({ list: [integer] }, { list: [integer, 0] }).list).toEqual([integer, 0]),
  );

  test('long ones arrive whole', () => {
    const string = 'ä'.repeat(100_000);
    const integers = Array.from({ length: 50_000 }, (_, i) => i);
    expect(received({ string: '', integers: [1] }, { string, integers })).toEqual({ string, integers });
  });

  test('names may be anything', () => {
    for (const name of ['', ' ', '数', 'constructor', 'a'.repeat(5000)]) {
      if (name === '') expectError(thrownBy(() => received({ [name]: 1 })), ValueError, 'no name');
      else expect(received({ [name]: 1 }, { [name]: 2 })).toEqual({ [name]: 2 });
    }
  });

  test('one called __proto__ is an attribute like any other', () => {
    const declared = JSON.parse('{"__proto__": 1}');
    expect(Object.entries(received(declared, JSON.parse('{"__proto__": 2}')))).toEqual([['__proto__', 2]]);
  });

  test('one without default is required', () => {
    const declared = { needed: { type: 'number' } };
    expect(received(declared, { needed: 3 })).toEqual({ needed: 3 });
    expectError(thrownBy(() => received(declared)), ValueError, /op: attribute "needed" is required/);
  });

  test.each(['number', 'string', 'boolean', 'integers'])('one declared by the type %s takes that type', (type) => {
    const value = all[/** @type {keyof typeof all} */ (type)];
    expect(received({ a: { type } }, { a: value })).toEqual({ a: value });
    expect(received({ a: { type, default: value } })).toEqual({ a: value });
  });

  const pairs = Object.keys(all).flatMap((declared) => Object.keys(all).map((given) => ({ declared, given })));
  test.each(pairs.filter(({ declared, given }) => declared !== given))(
    'one of type $declared refuses a value of type $given, and both are named',
    ({ declared, given }) => {
      const values = /** @type {Record<string, unknown>} */ (all);
      const error = thrownBy(() => received({ a: values[declared] }, { a: values[given] }));
      expectError(error, ValueError, `attribute "a" must be of type ${declared}, not ${given}`);
      const badDefault = { a: { type: declared, default: values[given] } };
      expectError(thrownBy(() => received(badDefault)), TypeError, /attribute "a": default must be of type/);
    },
  );

  test('one that is unknown is refused, and the known ones are listed', () => {
    expectError(thrownBy(() => received(all, { nummer: 1 })), ValueError, /unknown attribute "nummer".*"number", "string"/);
    expectError(thrownBy(() => received({}, { a: 1 })), ValueError, /unknown attribute "a".*none/);
  });

  test('a BigInt is a number where that is exact', () => {
    expect(received({ a: 0 }, { a: 5n })).toEqual({ a: 5 });
    const error = thrownBy(() => received({ a: 0 }, { a: 2n ** 53n }));
    expectError(error, ValueError, 'attribute "a": 9007199254740992n is no safe integer');
  });

  test.each([null, {}, new Map(), () => {}, Symbol('x'), [1.5], [NaN], ['1'], [[1]], [2 ** 53], [null]])(
    'a value of no attribute\'s type is refused by name (%#)',
    (value) => {
      expectError(thrownBy(() => received(all, { integers: value })), TypeError, /op: attribute "integers"/);
      if (value === null || Array.isArray(value)) {
        expectError(thrownBy(() => received({ a: value })), TypeError, /attribute "a"/);
      }
    },
  );

  test.each([null, 1, 'x', true, () => {}])('what is no object of attributes is refused (%#)', (given) => {
    expectError(thrownBy(() => received(all, given)), TypeError, 'attributes must be an object');
  });

  test('a getter that throws is the caller\'s own error', () => {
    const error = new Error('the getter');
    const given = Object.defineProperty({}, 'number', { enumerable: true, get: () => { throw error; } });
    expect(thrownBy(() => received(all, given))).toBe(error);
  });

  test('text that is no text is refused', () => {
    expectError(thrownBy(() => received({ 'a\ud800': 1 })), TypeError, 'lone surrogate');
  });
});
