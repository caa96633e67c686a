/*
 * .npy files. What NumPy wrote is in tests/fixtures/files.json; the format is described by NEP 1 and numpy.lib.format.
 */
import { describe, expect, test } from '@jest/globals';
import { DTypeError, MiniTensorError, ShapeError, ValueError } from 'minitensor';
import { decodeNpy, encodeNpy, readNpy } from 'minitensor/files';

import { expectError, rejectionOf, thrownBy, wrong } from './support/errors.js';
import { bytesOf, contentsOf, delicate, everyForm, expectedContents, fixtures, hex } from './support/file_fixtures.js';
import { instanceForTests } from './support/instance.js';

const mt = await instanceForTests();

/**
 * A file of version 1.0 with a header of one's own.
 * @param {string | Uint8Array} header
 * @param {ArrayBufferView} [elements]
 */
function fileWith(header, elements = new Float32Array(2)) {
  const text = typeof header === 'string' ? Buffer.from(`${header}\n`, 'utf8') : header;
  const length = Uint8Array.of(text.length & 255, text.length >> 8);
  const magic = Buffer.from('\x93NUMPY\x01\0', 'latin1');
  return Uint8Array.from(Buffer.concat([magic, length, text, Buffer.from(hex(elements), 'hex')]));
}

/**
 * @param {Uint8Array} file
 * @param {string} name
 */
function fixture(file, name) {
  expect(file).toBeDefined();
  return /** @type {const} */ ([name, file]);
}

describe('a file that NumPy wrote', () => {
  test.each(fixtures.npy.map((expected) => /** @type {const} */ ([expected.name, expected])))('of %s is read', (_, expected) => {
    mt.tidy(() => {
      expect(contentsOf(decodeNpy(mt, bytesOf(expected.file)))).toEqual(expectedContents(expected));
    });
  });

  test.each(fixtures.refusedNpy.map(({ name, file }) => fixture(bytesOf(file), name)))('of %s is refused', (_, file) => {
    expectError(thrownBy(() => decodeNpy(mt, file)), DTypeError, /^decodeNpy: /);
  });

  test('of a large uint64 is refused, since int64 does not hold it', () => {
    const file = fileWith("{'descr': '<u8', 'fortran_order': False, 'shape': (1,), }", BigUint64Array.of(2n ** 63n));
    expectError(thrownBy(() => decodeNpy(mt, file)), ValueError, '9223372036854775808n does not fit int64');
  });
});

describe('what is written', () => {
  test.each(['f4', 'f8', 'i4', 'i8', 'u1', 'b1', 'a single number', 'no elements'])('for %s is what NumPy writes', (name) => {
    const { file = '' } = fixtures.npy.find((item) => item.name === name) ?? {};
    mt.tidy(() => {
      const written = encodeNpy(decodeNpy(mt, bytesOf(file)));
      expect(Buffer.from(written).toString('latin1')).toBe(Buffer.from(bytesOf(file)).toString('latin1'));
    });
  });

  test.each(delicate)('of %s is read again bit by bit', (dtype, values) => {
    mt.tidy(() => {
      const tensor = new mt.Tensor(/** @type {Float32Array} */ (values), { dtype, shape: [1, values.length] });
      const read = decodeNpy(mt, encodeNpy(tensor));
      expect(contentsOf(read)).toEqual({ shape: [1, values.length], dtype, bits: hex(values) });
    });
  });

  test('of a view has the elements that it shows', () => {
    mt.tidy(() => {
      const view = new mt.Tensor([[1, 2, 3], [4, 5, 6]]).transpose();
      expect(decodeNpy(mt, encodeNpy(view)).toArray()).toEqual([[1, 4], [2, 5], [3, 6]]);
    });
  });

  test('has its elements at a multiple of 64', () => {
    mt.tidy(() => {
      for (let rank = 0; rank <= 8; rank++) {
        const file = encodeNpy(new mt.Tensor([7], { shape: new Array(rank).fill(1) }));
        expect((file.length - 4) % 64).toBe(0);
        expect(file[file.length - 5]).toBe('\n'.charCodeAt(0));
      }
    });
  });
});

describe('the bytes', () => {
  const file = fileWith("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", Float32Array.of(1, -2));

  test.each(everyForm(file))('may be %s', (_, bytes) => {
    mt.tidy(() => expect(decodeNpy(mt, bytes).toArray()).toEqual([1, -2]));
  });

  test.each(/** @type {[string, () => import('minitensor/files').FileSource][]} */ ([
    ['bytes', () => file],
    ['a Blob', () => new Blob([file])],
    ['a Response', () => new Response(file)],
    ['a promise of a Response', async () => new Response(file)],
  ]))('may be waited for in %s', async (_, source) => {
    const tensor = await readNpy(mt, source());
    expect(tensor.toArray()).toEqual([1, -2]);
    tensor.dispose();
  });

  test('are refused when the server has no such file, or the Response was read', async () => {
    const missing = new Response('not here', { status: 404 });
    expectError(await rejectionOf(readNpy(mt, missing)), ValueError, 'readNpy: the server answered 404');
    const used = new Response(file);
    await used.text();
    expectError(await rejectionOf(readNpy(mt, used)), MiniTensorError, 'readNpy: the Response cannot be read: ');
  });

  test('are neither text nor a number, and mt is an instance', async () => {
    expectError(thrownBy(() => decodeNpy(mt, wrong('text'))), TypeError, 'decodeNpy: bytes must be bytes, as an');
    expectError(await rejectionOf(readNpy(mt, wrong(7))), TypeError, 'readNpy: source must be bytes, a Blob, a Response');
    expectError(thrownBy(() => decodeNpy(wrong({}), file)), TypeError, 'decodeNpy: mt must be an instance');
    expectError(thrownBy(() => encodeNpy(wrong([1]))), TypeError, 'encodeNpy: tensor must be a Tensor, not an array');
  });
});

describe('a hostile header', () => {
  /** @param {string} shape */
  const shaped = (shape) => `{'descr': '<f4', 'fortran_order': False, 'shape': ${shape}, }`;
  const good = shaped('(2,)');

  test.each(/** @type {[string, string | Uint8Array, Function, string][]} */ ([
    ['a negative size', shaped('(-2,)'), ShapeError, 'must be from 0 to 2^53 - 1, not -2'],
    ['a size beyond 2^53', shaped('(9007199254740993,)'), ShapeError, 'not 9007199254740993'],
    ['a size of a thousand digits', shaped(`(${'9'.repeat(1000)},)`), ShapeError, 'must be from 0 to'],
    ['a product beyond 2^53', shaped('(4294967296, 4294967296)'), ValueError, 'after the header are 8'],
    ['a product that wraps to 8 in 64 bits', shaped('(4611686018427387906, )'), ShapeError, 'must be from 0'],
    ['nine axes', shaped('(2, 1, 1, 1, 1, 1, 1, 1, 1)'), ShapeError, 'shape has 9 sizes; a tensor has 8 at most'],
    ['a size that is a fraction', shaped('(2.0,)'), ValueError, 'must be \',\', as in a Python tuple of one, not ".0'],
    ['a size that is no tuple', shaped('2'), ValueError, "must be '('"],
    ['a number in parentheses', shaped('(2)'), ValueError, 'as in a Python tuple of one'],
    ['sizes by a name', shaped('(n,)'), ValueError, 'must be an integer'],
    ['an octal size', shaped('(02,)'), ValueError, 'at character'],
    ['a tuple of tuples', shaped(`${'('.repeat(20_000)}`), ValueError, 'must be an integer'],
    ['too few elements', shaped('(3,)'), ValueError, 'f4 elements of shape [3] take 12 bytes; after the header are 8'],
    ['trailing bytes', shaped('(1,)'), ValueError, 'take 4 bytes; after the header are 8'],
    ['a name twice', good.replace('{', "{'shape': (2,), "), ValueError, 'the header has "shape" twice'],
    ['a name that is not known', good.replace('{', "{'x': 1, "), ValueError, 'the header has "x", which is not known'],
    ['__proto__', good.replace('{', "{'__proto__': {}, "), ValueError, '"__proto__", which is not known'],
    ['a name that is missing', "{'descr': '<f4', 'shape': (2,), }", ValueError, 'must have descr, fortran_order and shape'],
    ['no dictionary', '(2,)', ValueError, "must be '{'"],
    ['code', "__import__('os')", ValueError, "must be '{'"],
    ['text after it', `${good} x`, ValueError, 'must be its end, not "x'],
    ['an end too early', good.slice(0, -10), ValueError, 'at character'],
    ['quotes that do not end', "{'descr", ValueError, 'text in quotes, which end'],
    ['an escape', good.replace('descr', '\\x64escr'), ValueError, 'without backslashes'],
    ['a boolean as a number', good.replace('False', '0'), ValueError, 'must be True or False'],
    ['a dtype without byte order', good.replace('<f4', 'f4'), DTypeError, 'dtype "f4" are not read'],
    ['a dtype that is too long', good.replace('<f4', '<f16'), DTypeError, 'dtype "<f16" are not read'],
    ['a dtype of no known size', good.replace('<f4', '<i3'), DTypeError, 'dtype "<i3" are not read'],
    ['bfloat16, which NumPy has not', good.replace('<f4', '<bf2'), DTypeError, 'dtype "<bf2" are not read'],
    ['many elements without byte order', good.replace('<f4', '|f4'), DTypeError, 'dtype "|f4" are not read'],
    ['what is not UTF-8', Uint8Array.of(0x7b, 0xff, 0xfe), ValueError, 'the header is no UTF-8 text'],
    ['nothing', '', ValueError, "must be '{', not its end"],
  ]))('with %s is a clear error', (_, header, ErrorClass, message) => {
    const error = thrownBy(() => decodeNpy(mt, fileWith(header)));
    expectError(error, /** @type {ErrorConstructor} */ (ErrorClass), message);
    expectError(error, /** @type {ErrorConstructor} */ (ErrorClass), /^decodeNpy: /);
  });

  test('whose version or length lies is a clear error', () => {
    const file = fileWith(good);
    expectError(thrownBy(() => decodeNpy(mt, file.with(6, 4))), ValueError, 'version 4.0 is not known');
    expectError(thrownBy(() => decodeNpy(mt, file.with(7, 1))), ValueError, 'version 1.1 is not known');
    expectError(thrownBy(() => decodeNpy(mt, file.with(9, 255))), ValueError, /the header ends at byte 65\d\d\d/);
    expectError(thrownBy(() => decodeNpy(mt, file.with(6, 2))), ValueError, /the header ends at byte \d{9}/);
    expectError(thrownBy(() => decodeNpy(mt, Buffer.from('<!doctype html>'))), ValueError, 'this is no .npy file');
  });

  test('that is cut off anywhere is a clear error', () => {
    const file = fileWith(good);
    for (let length = 0; length < file.length; length++) {
      expectError(thrownBy(() => decodeNpy(mt, file.subarray(0, length))), ValueError, /^decodeNpy: /);
    }
  });

  test('with any other byte in any place is read or a clear error', () => {
    const file = fileWith(good);
    let read = 0;
    for (let at = 0; at < file.length - 8; at++) {
      for (let byte = 0; byte < 256; byte++) {
        try {
          decodeNpy(mt, file.with(at, byte)).dispose();
          read++;
        } catch (error) {
          if (!(error instanceof MiniTensorError)) throw error;
        }
      }
    }
    // Each byte's own value, the other types of four bytes, and spaces for spaces.
    expect(read).toBeGreaterThan(file.length - 8);
  });
});
