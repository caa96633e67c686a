/*
 * safetensors files, by the section "Format" of https://github.com/huggingface/safetensors.
 */
import { describe, expect, test } from '@jest/globals';
import { DTypeError, MiniTensorError, ShapeError, ValueError } from 'minitensor';
import { decodeSafetensors, encodeSafetensors, readSafetensors } from 'minitensor/files';

import { expectError, rejectionOf, thrownBy, wrong } from './support/errors.js';
import { bytesOf, contentsOf, delicate, everyForm, expectedContents, fixtures, hex } from './support/file_fixtures.js';
import { instanceForTests } from './support/instance.js';

const mt = await instanceForTests();

/**
 * A file with a header of one's own.
 * @param {string | Uint8Array} header
 * @param {number} [size] of the elements, in bytes
 */
function fileWith(header, size = 8) {
  const text = Buffer.from(header);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Uint8Array.from(Buffer.concat([length, text, Buffer.alloc(size)]));
}

/** @param {Uint8Array} file */
function headerOf(file) {
  const length = Number(Buffer.from(file).readBigUInt64LE());
  return { length, header: JSON.parse(Buffer.from(file).toString('utf8', 8, 8 + length)) };
}

describe('a file of every type', () => {
  const { file, metadata, tensors } = fixtures.safetensors;

  test('is read exactly, in the order of its header', () => {
    mt.tidy(() => {
      const read = decodeSafetensors(mt, bytesOf(file));
      expect(read.metadata).toEqual(metadata);
      const contents = Object.entries(read.tensors).map(([name, tensor]) => [name, contentsOf(tensor)]);
      expect(contents).toEqual(tensors.map((expected) => [expected.name, expectedContents(expected)]));
    });
  });

  test('keeps its values, names and metadata when it is written and read again', () => {
    mt.tidy(() => {
      const read = decodeSafetensors(mt, bytesOf(file));
      const again = decodeSafetensors(mt, encodeSafetensors(read.tensors, { metadata: read.metadata }));
      expect(again.metadata).toEqual(metadata);
      for (const expected of tensors) {
        expect(contentsOf(/** @type {import('minitensor').Tensor} */ (again.tensors[expected.name])))
          .toEqual(expectedContents(expected));
      }
      expect(Object.keys(again.tensors)).toHaveLength(tensors.length);
    });
  });
});

describe('what is written', () => {
  test.each(delicate)('of %s is read again bit by bit', (dtype, values) => {
    mt.tidy(() => {
      const tensor = new mt.Tensor(/** @type {Float32Array} */ (values), { dtype, shape: [values.length, 1] });
      const { tensors } = decodeSafetensors(mt, encodeSafetensors({ 'größe': tensor }));
      expect(Object.keys(tensors)).toEqual(['größe']);
      expect(contentsOf(tensors['größe'] ?? tensor)).toEqual({ shape: [values.length, 1], dtype, bits: hex(values) });
    });
  });

  test('has the largest elements first, each at a multiple of its size, and ends a header at a multiple of 8', () => {
    mt.tidy(() => {
      const file = encodeSafetensors({
        mask: new mt.Tensor([true, false, true]),
        half: new mt.Tensor([1, 2, 3]),
        empty: new mt.Tensor([], { shape: [0, 5] }),
        scalar: new mt.Tensor(7n),
      });
      const { length, header } = headerOf(file);
      expect(length % 8).toBe(0);
      expect(header).toEqual({
        scalar: { dtype: 'I64', shape: [], data_offsets: [0, 8] },
        half: { dtype: 'F32', shape: [3], data_offsets: [8, 20] },
        empty: { dtype: 'F32', shape: [0, 5], data_offsets: [20, 20] },
        mask: { dtype: 'BOOL', shape: [3], data_offsets: [20, 23] },
      });
      const { tensors } = decodeSafetensors(mt, file);
      expect(Object.entries(tensors).map(([name, tensor]) => [name, tensor.toArray()]))
        .toEqual([['scalar', 7], ['half', [1, 2, 3]], ['empty', []], ['mask', [true, false, true]]]);
    });
  });

  test('of nothing is read again', () => {
    expect(decodeSafetensors(mt, encodeSafetensors({}))).toEqual({ tensors: {}, metadata: {} });
  });

  test('is the state of a layer, whatever its names', () => {
    const layer = new mt.plugins.CustomLayer('affine');
    mt.tidy(() => {
      for (const name of ['weight', 'constructor', '0', 'größe']) layer.addParameter(name, new mt.Tensor([1, 2]));
      const file = encodeSafetensors(layer.stateDict());
      for (const name of layer.listParameters()) layer.addParameter(name, new mt.Tensor([0, 0]));
      layer.loadStateDict(decodeSafetensors(mt, file).tensors);
      expect([...layer.namedParameters()].map(([name, value]) => [name, value.toArray()]))
        .toEqual([['weight', [1, 2]], ['constructor', [1, 2]], ['0', [1, 2]], ['größe', [1, 2]]]);
    });
    layer.dispose();
  });

  test('has only tensors that are alive, names that are text, and metadata of texts', () => {
    mt.tidy(() => {
      const tensor = new mt.Tensor([1]);
      const gone = new mt.Tensor([1]);
      gone.dispose();
      expectError(thrownBy(() => encodeSafetensors({ gone })), MiniTensorError, 'this Tensor is disposed');
      expectError(thrownBy(() => encodeSafetensors({ a: wrong([1]) })), TypeError, '"a" must be a Tensor, not an array');
      for (const name of ['__metadata__', '__proto__']) {
        const write = () => encodeSafetensors(Object.fromEntries([[name, tensor]]));
        expectError(thrownBy(write), ValueError, `cannot have the name "${name}"`);
      }
      expectError(thrownBy(() => encodeSafetensors({ '\ud800': tensor })), TypeError, 'lone surrogate');
      for (const named of [new Map([['a', tensor]]), tensor, [tensor]]) {
        expectError(thrownBy(() => encodeSafetensors(wrong(named))), TypeError, 'must be a plain object of tensors by name');
      }
      expect(encodeSafetensors(Object.assign(Object.create(null), { tensor }))).toEqual(encodeSafetensors({ tensor }));
      expectError(thrownBy(() => encodeSafetensors({ tensor }, wrong({ meta: {} }))), ValueError, 'known are: metadata');
      const metadata = wrong({ epochs: 3 });
      expectError(thrownBy(() => encodeSafetensors({ tensor }, { metadata })), TypeError, 'metadata: "epochs" must be a');
    });
  });
});

describe('the bytes', () => {
  const file = fileWith('{"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}}');

  test.each(everyForm(file))('may be %s', (_, bytes) => {
    mt.tidy(() => expect(decodeSafetensors(mt, bytes).tensors.a?.toArray()).toEqual([0]));
  });

  test('may be waited for', async () => {
    for (const source of [file, new Blob([file]), new Response(file), Promise.resolve(new Response(file))]) {
      const { tensors } = await readSafetensors(mt, source);
      expect(tensors.a?.toArray()).toEqual([0]);
      tensors.a?.dispose();
    }
    const missing = readSafetensors(mt, new Response('not here', { status: 500 }));
    expectError(await rejectionOf(missing), ValueError, 'readSafetensors: the server answered 500');
  });
});

describe('a hostile header', () => {
  /**
   * @param {string} name
   * @param {string} shape
   * @param {string} offsets
   */
  const entry = (name, shape, offsets) => `"${name}":{"dtype":"F32","shape":[${shape}],"data_offsets":[${offsets}]}`;
  const good = `{${entry('a', '2', '0,8')}}`;

  test.each(/** @type {[string, string | Uint8Array, Function, string][]} */ ([
    ['tensors that overlap', `{${entry('a', '1', '0,4')},${entry('b', '2', '0,8')}}`, ValueError,
      '"b" begins at 0 and overlaps "a", which ends at 4'],
    ['one range twice', `{${entry('a', '2', '0,8')},${entry('b', '2', '0,8')}}`, ValueError, 'overlaps'],
    ['a gap', `{${entry('a', '1', '4,8')}}`, ValueError, '"a" begins at 4 and leaves a gap after the beginning'],
    ['offsets beyond the file', `{${entry('a', '4', '0,16')}}`, ValueError, 'the tensors have 16 bytes; after the header are 8'],
    ['trailing bytes', `{${entry('a', '1', '0,4')}}`, ValueError, 'the tensors have 4 bytes; after the header are 8'],
    ['trailing bytes and no tensor', '{}', ValueError, 'the tensors have 0 bytes; after the header are 8'],
    ['another shape than bytes', `{${entry('a', '3', '0,8')}}`, ValueError, '"a": shape [3] takes 12 bytes'],
    ['offsets in the wrong order', `{${entry('a', '2', '8,0')}}`, ValueError, 'must be [begin, end], not [8,0]'],
    ['one offset', `{${entry('a', '2', '8')}}`, ValueError, 'must be [begin, end], not [8]'],
    ['three offsets', `{${entry('a', '2', '0,8,8')}}`, ValueError, 'must be [begin, end], not [0,8,8]'],
    ['a negative offset', `{${entry('a', '2', '-8,0')}}`, ShapeError, 'must be from 0 to 2^53 - 1, not -8'],
    ['a negative size', `{${entry('a', '-2', '0,8')}}`, ShapeError, 'must be from 0 to 2^53 - 1, not -2'],
    ['two negative sizes', `{${entry('a', '-1,-2', '0,8')}}`, ShapeError, 'not -1'],
    ['a size beyond 2^53', `{${entry('a', '9007199254740993', '0,8')}}`, ShapeError, 'not 9007199254740993'],
    ['a product beyond 2^53', `{${entry('a', '4294967296,4294967296', '0,8')}}`, ValueError, 'data_offsets are [0, 8]'],
    ['a product that is 8 modulo 2^64', `{${entry('a', '4294967296,4294967296,2', '0,8')}}`, ValueError, 'data_offsets'],
    ['nine axes', `{${entry('a', '2,1,1,1,1,1,1,1,1', '0,8')}}`, ShapeError, '"a": shape has 9 sizes'],
    ['a size with a fraction', `{${entry('a', '2.0', '0,8')}}`, ValueError, 'must be \']\', not ".0'],
    ['a size with an exponent', `{${entry('a', '2e0', '0,8')}}`, ValueError, 'must be \']\', not "e0'],
    ['a size that is null', `{${entry('a', 'null', '0,8')}}`, ValueError, 'must be an integer'],
    ['a size with a leading zero', `{${entry('a', '02', '0,8')}}`, ValueError, 'must be \']\''],
    ['an unknown dtype', good.replace('F32', 'F8_E4M3'), DTypeError, '"a": elements of dtype "F8_E4M3" are not read'],
    ['a dtype of an object', good.replace('F32', 'constructor'), DTypeError, '"constructor" are not read'],
    ['a dtype that is no text', good.replace('"F32"', '32'), ValueError, 'must be text in quotes'],
    ['a name twice', `{${entry('a', '1', '0,4')},${entry('a', '1', '4,8')}}`, ValueError, 'the header has "a" twice'],
    ['a name twice, once escaped', `{${entry('a', '1', '0,4')},${entry('\\u0061', '1', '4,8')}}`, ValueError, '"a" twice'],
    ['a field twice', good.replace('"shape"', '"shape":[1],"shape"'), ValueError, 'the header has "shape" twice'],
    ['metadata twice', good.replace('{', '{"__metadata__":{},"__metadata__":{},'), ValueError, '"__metadata__" twice'],
    ['a text of metadata twice', good.replace('{', '{"__metadata__":{"k":"1","k":"2"},'), ValueError, '"k" twice'],
    ['a field that is not known', good.replace('"shape"', '"x":1,"shape"'), ValueError, '"a": "x" is not known'],
    ['a field that is missing', '{"a":{"dtype":"F32","shape":[2]}}', ValueError, 'must have dtype, shape and data_offsets'],
    ['__proto__ as a name', good.replace('"a"', '"__proto__"'), ValueError, 'the name "__proto__" is refused'],
    ['__proto__ as a field', good.replace('"shape"', '"__proto__":{},"shape"'), ValueError, '"__proto__" is refused'],
    ['__proto__ in metadata', good.replace('{', '{"__metadata__":{"__proto__":"x"},'), ValueError, '"__proto__" is refused'],
    ['metadata of numbers', good.replace('{', '{"__metadata__":{"k":1},'), ValueError, 'must be text in quotes'],
    ['nested metadata', good.replace('{', '{"__metadata__":{"k":{}},'), ValueError, 'must be text in quotes'],
    ['a lone surrogate', good.replace('"a"', '"\\ud800"'), ValueError, 'text that is not valid in JSON'],
    ['a line break in text', good.replace('"a"', '"a\n"'), ValueError, 'text that is not valid in JSON'],
    ['deep arrays', `{"a":{"shape":${'['.repeat(1_000_000)}`, ValueError, 'must be an integer'],
    ['deep objects', '{"a":'.repeat(200_000), ValueError, '"a": "a" is not known'],
    ['deep metadata', `{"__metadata__":${'{"a":'.repeat(200_000)}`, ValueError, 'must be text in quotes'],
    ['a comma at the end', good.replace(/\}$/, ',}'), ValueError, 'must be text in quotes, not "}'],
    ['a comment', good.replace('{', '{/**/'), ValueError, 'must be text in quotes'],
    ['an array', '[]', ValueError, "must be '{'"],
    ['a space before it', ` ${good}`, ValueError, "must be '{'"],
    ['a byte order mark', `\ufeff${good}`, ValueError, "must be '{'"],
    ['text after it', `${good}{}`, ValueError, 'must be its end, not "{}"'],
    ['an end too early', good.slice(0, -2), ValueError, 'at character'],
    ['quotes that do not end', '{"a', ValueError, 'text in quotes, which end'],
    ['a backslash at its end', '{"a\\', ValueError, 'text in quotes, which end'],
    ['what is not UTF-8', Uint8Array.of(0x7b, 0x22, 0xc0, 0xaf), ValueError, 'the header is no UTF-8 text'],
    ['nothing', '', ValueError, "must be '{', not its end"],
  ]))('with %s is a clear error', (_, header, ErrorClass, message) => {
    const error = thrownBy(() => decodeSafetensors(mt, fileWith(header)));
    expectError(error, /** @type {ErrorConstructor} */ (ErrorClass), message);
    expectError(error, /** @type {ErrorConstructor} */ (ErrorClass), /^decodeSafetensors: /);
  });

  test('with a hundred thousand tensors is read', () => {
    const names = Array.from({ length: 100_000 }, (_, i) => entry(`t${i}`, '0', '0,0'));
    const { tensors } = decodeSafetensors(mt, fileWith(`{${names.join()}}`, 0));
    expect(Object.keys(tensors)).toHaveLength(100_000);
    for (const tensor of Object.values(tensors)) tensor.dispose();
  });

  test('of a length that lies is a clear error', () => {
    const file = fileWith(good);
    /** @param {bigint} length */
    const withLength = (length) => {
      const copy = Buffer.from(file);
      copy.writeBigUInt64LE(length);
      return copy;
    };
    const decode = (/** @type {bigint} */ length) => thrownBy(() => decodeSafetensors(mt, withLength(length)));
    expectError(decode(2n ** 64n - 1n), ValueError, 'a header of 18446744073709551615 bytes is over 100000000');
    expectError(decode(100_000_001n), ValueError, 'a header of 100000001 bytes is over 100000000');
    expectError(decode(1000n), ValueError, `the header ends at byte 1008, and the file has only ${file.length}`);
    expectError(decode(0n), ValueError, "must be '{', not its end");
  });

  test('makes no tensor when one of them cannot be made', () => {
    const header = `{${entry('a', '0', '0,0')},"b":{"dtype":"U64","shape":[1],"data_offsets":[0,8]}}`;
    const file = fileWith(header).fill(0xff, 8 + header.length);
    expectError(thrownBy(() => decodeSafetensors(mt, file)), ValueError, '18446744073709551615n does not fit int64');
  });

  test('that is cut off anywhere is a clear error', () => {
    const file = fileWith(good);
    for (let length = 0; length < file.length; length++) {
      expectError(thrownBy(() => decodeSafetensors(mt, file.subarray(0, length))), ValueError, /^decodeSafetensors: /);
    }
  });

  test('with any other byte in any place is read or a clear error', () => {
    const file = fileWith(good.replace('{', '{"__metadata__":{"k":"v"},'));
    let read = 0;
    for (let at = 0; at < file.length - 8; at++) {
      for (let byte = 0; byte < 256; byte++) {
        const changed = Uint8Array.from(file);
        changed[at] = byte;
        try {
          const { tensors } = decodeSafetensors(mt, changed);
          for (const tensor of Object.values(tensors)) tensor.dispose();
          read++;
        } catch (error) {
          if (!(error instanceof MiniTensorError)) throw error;
        }
      }
    }
    // Each byte's own value, and other names and texts.
    expect(read).toBeGreaterThan(file.length - 8);
  });
});
