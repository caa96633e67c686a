/*
 * ONNX models of one operator, as the protocol buffers of onnx.proto: a field is its number and wire type, then a
 * number or a length and bytes.
 */

/** @param {number} value @returns {number[]} */
function varint(value) {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}

/** @param {number} number @param {number} value */
const integer = (number, value) => [...varint(number * 8), ...varint(value)];

/** @param {number} number @param {readonly number[]} bytes */
const bytesField = (number, bytes) => [...varint(number * 8 + 2), ...varint(bytes.length), ...bytes];

/** @param {number} number @param {string} value */
const text = (number, value) => bytesField(number, [...new TextEncoder().encode(value)]);

/**
 * ValueInfoProto: name = 1, type = 2; TypeProto: tensor_type = 1; its elem_type = 1 (float is 1), shape = 2; dim = 1
 * with dim_value = 1.
 *
 * @param {string} name
 * @param {readonly number[] | null} shape null for any
 */
function valueInfo(name, shape) {
  const dims = (shape ?? []).flatMap((size) => bytesField(1, integer(1, size)));
  const tensor = [...integer(1, 1), ...(shape ? bytesField(2, dims) : [])];
  return [...text(1, name), ...bytesField(2, bytesField(1, tensor))];
}

/**
 * A model of one operator with inputs x0, x1, … and output y. ModelProto: ir_version = 1, graph = 7, opset_import = 8
 * (version = 2); GraphProto: node = 1, name = 2, input = 11, output = 12; NodeProto: input = 1, output = 2,
 * op_type = 4.
 *
 * @param {string} operator
 * @param {readonly (readonly number[])[]} shapes of the inputs
 */
export function modelOf(operator, shapes) {
  const names = shapes.map((_, i) => `x${i}`);
  const node = [...names.flatMap((name) => text(1, name)), ...text(2, 'y'), ...text(4, operator)];
  const graph = [
    ...bytesField(1, node),
    ...text(2, 'bench'),
    ...names.flatMap((name, i) => bytesField(11, valueInfo(name, shapes[i] ?? null))),
    ...bytesField(12, valueInfo('y', null)),
  ];
  return Uint8Array.from([...integer(1, 8), ...bytesField(7, graph), ...bytesField(8, integer(2, 17))]);
}
