/*
 * How arguments and results cross between JavaScript and the core. The form is described in bindings/wire.h.
 */

const Kind = /** @type {const} */ ({ undefined: 0, false: 1, true: 2, number: 3, text: 4, list: 5, object: 6, end: 7 });

const encoder = new TextEncoder();
// A byte order mark is a character like any other here.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Writes values one after the other, into one buffer, again and again. */
class WireWriter {
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);
  #size = 0;

  /**
   * @param {number} size
   * @returns {number} where to write
   */
  #reserve(size) {
    const offset = this.#size;
    this.#size += size;
    if (this.#size > this.#bytes.length) {
      const larger = new Uint8Array(this.#size * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    return offset;
  }

  /** @param {number} kind */
  #kind(kind) {
    const offset = this.#reserve(1);
    this.#bytes[offset] = kind;
  }

  /** @param {Uint8Array} bytes values that are written already */
  #append(bytes) {
    const offset = this.#reserve(bytes.length);
    this.#bytes.set(bytes, offset);
  }

  /** @param {string} value */
  #text(value) {
    this.#kind(Kind.text);
    // The encoder takes longer to start than a name takes to write.
    const bytes = /^[\0-\x7f]{0,32}$/.test(value) ? undefined : encoder.encode(value);
    const length = bytes?.length ?? value.length;
    const offset = this.#reserve(4);
    this.#view.setUint32(offset, length, true);
    if (bytes) {
      this.#append(bytes);
    } else {
      const start = this.#reserve(length);
      for (let i = 0; i < length; i++) this.#bytes[start + i] = value.charCodeAt(i);
    }
  }

  /** @param {unknown} value undefined, a boolean, a number, a text, an array of these, or bytes of encoded values */
  write(value) {
    if (typeof value === 'number') {
      this.#kind(Kind.number);
      const offset = this.#reserve(8);
      this.#view.setFloat64(offset, value, true);
    } else if (typeof value === 'string') {
      this.#text(value);
    } else if (Array.isArray(value)) {
      this.#kind(Kind.list);
      for (const item of value) this.write(item);
      this.#kind(Kind.end);
    } else if (value instanceof Uint8Array) {
      this.#append(value);
    } else {
      this.#kind(value === undefined ? Kind.undefined : value ? Kind.true : Kind.false);
    }
  }

  /** Forgets what was written before. */
  start() {
    this.#size = 0;
  }

  /** @returns {Uint8Array<ArrayBuffer>} a copy of what was written since */
  finish() {
    return this.#bytes.slice(0, this.#size);
  }
}

const writer = new WireWriter();

/**
 * @param {readonly unknown[]} values as WireWriter takes them
 */
export function encodeValues(values) {
  writer.start();
  for (const value of values) writer.write(value);
  return writer.finish();
}

/**
 * @param {Uint8Array} bytes
 * @returns {unknown[]} the values that they are
 */
export function decodeValues(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let offset = 0;
  /** What follows up to an end. */
  const items = () => {
    const values = [];
    for (; bytes[offset] !== Kind.end && offset < bytes.length;) values.push(read());
    offset++;
    return values;
  };
  /** @returns {unknown} */
  const read = () => {
    switch (bytes[offset++]) {
      case Kind.false: return false;
      case Kind.true: return true;
      case Kind.number: return view.getFloat64((offset += 8) - 8, true);
      case Kind.text: {
        const size = view.getUint32((offset += 4) - 4, true);
        return decoder.decode(bytes.subarray(offset, (offset += size)));
      }
      case Kind.list: return items();
      case Kind.object: {
        const parts = items();
        /** @type {[PropertyKey, unknown][]} */
        const entries = [];
        for (let i = 0; i < parts.length; i += 2) entries.push([String(parts[i]), parts[i + 1]]);
        // Not by assignment, which does something else for a name like __proto__.
        return Object.fromEntries(entries);
      }
      default: return undefined;
    }
  };
  return items();
}
