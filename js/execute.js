/*
 * Running ops: from what callers give as inputs to the core and back.
 */
import { flatten, kindOf } from './array_source.js';
import { encodeAttributes } from './attributes.js';
import { requireArray } from './check.js';
import { createWeak } from './create.js';
import { promote, weakDtype } from './dtype.js';
import { inputRoles, outputNames } from './generated/ops.js';
import { Tensor, handleIfUsable, requireTensor } from './tensor.js';

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./attributes.js').AttributesInput} AttributesInput */
/** @typedef {import('./dtype.js').DType} DType */

/**
 * The dtype that numbers in the place of an input get.
 * @param {string | undefined} role
 * @param {import('./array_source.js').FlatValues} flat
 * @param {DType | undefined} base what the dtypes of the other inputs are promoted to
 */
function dtypeOfInput(role, flat, base) {
  if (flat.kind === undefined) return flat.dtype;
  if (role === 'index') return flat.kind === 'int' ? 'int64' : flat.dtype;
  // A mask of booleans means something else than one of the numbers 0 and 1.
  if (role === 'condition') return flat.values.length === 0 ? 'bool' : flat.dtype;
  if (role === 'optional' && flat.kind === 'bool') return flat.dtype;
  return base === undefined ? flat.dtype : weakDtype(flat.kind, base);
}

/**
 * The handles of inputs that are all living tensors of this instance, as most are: then nothing more is to be known.
 * @param {Core} core
 * @param {Iterable<unknown>} inputs
 */
function handlesOfTensors(core, inputs) {
  if (!Array.isArray(inputs)) return undefined;
  /** @type {number[]} */
  const handles = [];
  for (const input of inputs) {
    const handle = handleIfUsable(core, input);
    if (handle === 0) return undefined;
    handles.push(handle);
  }
  return handles;
}

/**
 * Calls `use` with the handles of the inputs of an op; 0 for one that is left out. Numbers and arrays become tensors
 * for as long as that takes. They have no dtype of their own, but take that of the inputs that have one.
 * @template T
 * @param {Core} core
 * @param {Iterable<unknown>} inputs looked at one by one, since an array may claim any length
 * @param {string} what for messages; the name of an op
 * @param {(handles: readonly number[]) => T} use
 * @returns {T}
 */
export function withHandles(core, inputs, what, use) {
  const known = handlesOfTensors(core, inputs);
  if (known) return use(known);
  const roles = Object.hasOwn(inputRoles, what) ? inputRoles[what] : undefined;
  /** @type {(number | import('./array_source.js').FlatValues)[]} */
  const checked = [];
  /** @type {DType | undefined} */
  let base;
  for (const input of inputs) {
    const role = roles?.[checked.length];
    if (input === undefined && role === 'optional') {
      checked.push(0);
      continue;
    }
    const name = `${what}: input ${checked.length}`;
    const item = input instanceof Tensor ? requireTensor(core, input, name) : flatten(input, name);
    checked.push(item);
    const dtype = input instanceof Tensor ? input.dtype : typedDtype(item);
    if (dtype && role !== 'index' && role !== 'condition') base = base === undefined ? dtype : promote(base, dtype);
  }
  base ??= dtypeOfLiterals(checked, roles, what);
  /** @type {number[]} */
  const made = [];
  try {
    const handles = checked.map((item, index) => {
      if (typeof item === 'number') return item;
      const handle = createWeak(core, item, dtypeOfInput(roles?.[index], item, base), `${what}: input ${index}`);
      made.push(handle);
      return handle;
    });
    return use(handles);
  } finally {
    for (const handle of made) core.module._mt_tensor_release(handle);
  }
}

/**
 * The dtype of numbers and arrays without a tensor beside them: that of all of them in one array.
 * @param {readonly (number | import('./array_source.js').FlatValues)[]} inputs
 * @param {readonly string[] | undefined} roles
 * @param {string} what
 */
function dtypeOfLiterals(inputs, roles, what) {
  const values = inputs.filter((_, i) => !['index', 'condition'].includes(roles?.[i] ?? ''));
  const types = new Set(values.flatMap((item) => (typeof item === 'object' ? [...(item.types ?? [])] : [])));
  return types.size > 0 ? kindOf(types, what).dtype : undefined;
}

/** @param {number | import('./array_source.js').FlatValues} item */
function typedDtype(item) {
  return typeof item === 'object' && item.kind === undefined ? item.dtype : undefined;
}

/**
 * The inputs and attributes of an op with optional inputs: its attributes may stand in the place of those left out.
 * @param {string} name
 * @param {readonly unknown[]} inputs
 * @param {object | undefined} attributes
 * @returns {[inputs: readonly unknown[], attributes: object | undefined]}
 */
function withOptionsLast(name, inputs, attributes) {
  const roles = Object.hasOwn(inputRoles, name) ? inputRoles[name] : undefined;
  if (attributes !== undefined || !roles?.includes('optional')) return [inputs, attributes];
  const last = inputs.findLastIndex((input) => input !== undefined);
  const given = inputs[last];
  const isOptions = roles[last] === 'optional' && typeof given === 'object' && given !== null
    && !(given instanceof Tensor) && !Array.isArray(given) && !ArrayBuffer.isView(given);
  return isOptions ? [inputs.slice(0, last), given] : [inputs, undefined];
}

/**
 * Runs an op of one tensor or two, or of a tensor and a number, the short way: they only have to be alive and this
 * instance's.
 * @param {Core} core
 * @param {string} name
 * @param {readonly unknown[]} inputs
 * @returns {Tensor | undefined} undefined where that is not enough
 */
function executeShortly(core, name, inputs) {
  if (inputs.length > 2) return undefined;
  const [a, b] = inputs;
  const first = handleIfUsable(core, a);
  if (inputs.length === 1) return first === 0 ? undefined : core.execute1(name, first);
  const second = handleIfUsable(core, b);
  if (first !== 0 && second !== 0) return core.execute2(name, first, second);
  if (Object.hasOwn(inputRoles, name)) return undefined;
  if (first !== 0 && typeof b === 'number') return core.executeNumber(name, first, b, false);
  if (second !== 0 && typeof a === 'number') return core.executeNumber(name, second, a, true);
  return undefined;
}

/**
 * Runs an op by name.
 * @param {Core} core
 * @param {string} name
 * @param {readonly unknown[]} inputs
 * @param {object} [attributes]
 * @returns {Tensor}
 */
export function executeOn(core, name, inputs, attributes) {
  // Of an op that takes a list of tensors it is what the caller gave.
  if (!Array.isArray(inputs)) requireArray(inputs, `${name}: inputs`);
  if (attributes === undefined) {
    const result = executeShortly(core, name, inputs);
    if (result) return result;
  }
  const [tensors, options] = withOptionsLast(name, inputs, attributes);
  const encoded = encodeAttributes(/** @type {AttributesInput | undefined} */ (options), name);
  return withHandles(core, tensors, name, (handles) => core.execute(name, handles, encoded));
}

/**
 * Runs an op of the engine that has several outputs.
 * @param {Core} core
 * @param {string} name
 * @param {readonly unknown[]} inputs
 * @param {object} [attributes]
 * @returns {Tensor[] | Record<string, Tensor>} by the outputs' names, where their number is fixed
 */
export function executeManyOn(core, name, inputs, attributes) {
  const [given, options] = withOptionsLast(name, inputs, attributes);
  const encoded = encodeAttributes(/** @type {AttributesInput | undefined} */ (options), name);
  const tensors = withHandles(core, given, name, (handles) => core.executeMany(name, handles, encoded));
  const names = outputNames[name];
  if (!names?.length) return tensors;
  return Object.fromEntries(names.map((output, i) => [output, /** @type {Tensor} */ (tensors[i])]));
}

/**
 * Runs any op by name.
 * @param {Core} core
 * @param {string} name
 * @param {readonly unknown[]} inputs
 * @param {object} [attributes]
 */
export function executeAnyOn(core, name, inputs, attributes) {
  return (Object.hasOwn(outputNames, name) ? executeManyOn : executeOn)(core, name, inputs, attributes);
}
