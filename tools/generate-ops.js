import { opDocs } from './op-docs/index.js';

/** @typedef {import('./build/describe-ops.js').OpDescription} OpDescription */
/** @typedef {import('./build/describe-ops.js').AttributeDescription} AttributeDescription */

const HEADER = '// Made by tools/generate-ops.js from the core\'s own table of ops. Changes belong there.\n';

const TYPES = {
  number: 'number',
  string: 'string',
  boolean: 'boolean',
  integers: 'number | readonly number[]',
  integer: 'number',
  dtype: 'DType',
};

/**
 * The source of js/generated/ops.js: what js/op_functions.js and js/execute.js have to know of each op of the engine.
 *
 * @param {readonly OpDescription[]} described
 * @returns {string}
 */
export function generateOps(described) {
  const ops = opsOf(described);
  for (const op of ops) for (const name of [op.name, ...op.inputs]) checkIdentifier(name, op.name);
  return [
    HEADER,
    '/** The names of the ops that have a number of inputs, at that number. */',
    'export const opsByInputs = {',
    ...byInputCount(ops.filter((op) => op.inputs.length > 0 && !op.isVariadic)),
    '};',
    '',
    '/** Those that take a list of tensors. */',
    `export const listOps = ${quote(ops.filter((op) => op.isVariadic).map(({ name }) => name).join(' '))};`,
    '',
    '/** Those without inputs, and the attributes that are arguments of theirs. */',
    'export const creationOps = {',
    ...ops.filter((op) => op.inputs.length === 0).map((op) => `  ${op.name}: ${quote(argumentsOf(op).join(' '))},`),
    '};',
    '',
    '/** The names of the outputs, of the ops that have several; none of one that gives a list of tensors. */',
    'export const outputNames = {',
    ...ops.filter(hasManyOutputs).map((op) =>
      `  ${op.name}: [${(op.hasVariadicOutput ? [] : op.outputs).map(quote).join(', ')}],`),
    '};',
    '',
    '/** What each input is, of the ops whose inputs are not all values. */',
    'export const inputRoles = {',
    ...ops.filter(hasRoles).map((op) => `  ${op.name}: [${roles(op).map(quote).join(', ')}],`),
    '};',
    '',
    '/** All of them. */',
    'export const opNames = /* @__PURE__ */ Object.freeze([',
    ...ops.map((op) => `  ${quote(op.name)},`),
    ']);',
    '',
  ].join('\n');
}

/**
 * The source of js/generated/ops.d.ts: the types of that, and of the functions and methods that are made of it.
 *
 * @param {readonly OpDescription[]} described
 * @returns {string}
 */
export function generateOpTypes(described) {
  const ops = opsOf(described);
  return [
    HEADER,
    "import type { DType } from '../dtype.js';",
    "import type { Tensor, TensorLike } from '../tensor.js';",
    '',
    'export declare const opsByInputs: Readonly<Record<number, string>>;',
    'export declare const listOps: string;',
    'export declare const creationOps: Readonly<Record<string, string>>;',
    'export declare const outputNames: Readonly<Record<string, readonly string[]>>;',
    "export type InputRole = 'value' | 'index' | 'condition' | 'optional';",
    'export declare const inputRoles: Readonly<Record<string, readonly InputRole[]>>;',
    'export declare const opNames: readonly string[];',
    '',
    '/** A function for each op of the engine. */',
    'export interface Ops {',
    ops.map((op) => indent(opFunction(op), 2)).join('\n\n'),
    '}',
    '',
    '/** The ops of the engine as methods: the first input is the tensor itself. */',
    'export interface TensorOps {',
    ops.filter(hasMethod).map((op) => indent(opMethod(op), 2)).join('\n\n'),
    '}',
    '',
  ].join('\n');
}

/** @param {readonly OpDescription[]} described */
function opsOf(described) {
  return described.filter((op) => op.owner === 'minitensor').sort(byName);
}

/** @param {readonly OpDescription[]} ops */
function byInputCount(ops) {
  const counts = [...new Set(ops.map((op) => op.inputs.length))].sort();
  return counts.map((count) =>
    `  ${count}: ${quote(ops.filter((op) => op.inputs.length === count).map(({ name }) => name).join(' '))},`);
}

/**
 * Of an op without inputs, the attributes before the one that is called dtype are arguments one after the other. The
 * rest are options, which may stand in the place of arguments that are left out.
 *
 * @param {OpDescription} op
 */
function argumentsOf(op) {
  return op.attributes.slice(0, endOfArguments(op)).map(({ name }) => name);
}

/** @param {OpDescription} op */
function endOfArguments(op) {
  return op.attributes.findIndex(({ name }) => name === 'dtype');
}

/** @param {OpDescription} op */
function hasManyOutputs(op) {
  return op.outputs.length > 0;
}

/** @param {OpDescription} op */
function roles(op) {
  const required = op.inputs.length - op.optionalInputs;
  return op.inputs.map((_, i) => (i >= required ? 'optional' : (op.inputRoles[i] ?? 'value')));
}

/** @param {OpDescription} op */
function hasRoles(op) {
  return roles(op).some((role) => role !== 'value');
}

/**
 * Of an op that makes a tensor of nothing there is none, nor of one that takes a list of tensors.
 *
 * @param {OpDescription} op
 */
function hasMethod(op) {
  return op.inputs.length > (op.isVariadic ? 1 : 0);
}

/**
 * The attributes stand behind the inputs, so that they are found there even when optional inputs are left out.
 *
 * @param {OpDescription} op
 * @returns {string[]} lines
 */
function opFunction(op) {
  const parameters = op.inputs.length === 0 ? creationParameters(op) : opParameters(op);
  return [...documentation(op, parameters), `${op.name}: (${listed(parameters)}) => ${resultType(op)};`];
}

/**
 * @param {OpDescription} op
 * @returns {string[]} lines
 */
function opMethod(op) {
  const parameters = opParameters(op).slice(1);
  const lines = documentation(op, parameters, op.inputs[0]);
  return [...lines, `${op.name}(${listed(parameters)}): ${resultType(op)};`];
}

/** @typedef {{ name: string, type: string, isOptional: boolean, notes: readonly string[] }} Parameter */

/**
 * @param {OpDescription} op
 * @returns {Parameter[]}
 */
function creationParameters(op) {
  const end = endOfArguments(op);
  const options = objectType(op.attributes.slice(end), true);
  const own = op.attributes.slice(0, end).map((attribute) => {
    const { name, type, default: value } = attribute;
    const isOptional = mayBeLeftOut(attribute);
    const notes = value === undefined ? [] : [`@param ${name}${defaultOf(value)}`];
    return { name, type: isOptional ? `${TYPES[type]} | ${options}` : TYPES[type], isOptional, notes };
  });
  const notes = attributeNotes(op.attributes.slice(end), 'options');
  return [...own, { name: 'options', type: options, isOptional: true, notes }];
}

/**
 * @param {OpDescription} op
 * @returns {Parameter[]}
 */
function opParameters(op) {
  const required = op.inputs.length - op.optionalInputs;
  const attributes = objectType(op.attributes, false);
  const inputs = op.inputs.map((name, i) => {
    const isOptional = i >= required;
    if (op.isVariadic) return { name, type: 'readonly TensorLike[]', isOptional, notes: [] };
    // The attributes may stand in the place of what is left out.
    const type = isOptional && op.attributes.length > 0 ? `TensorLike | ${attributes}` : 'TensorLike';
    return { name, type, isOptional, notes: [] };
  });
  if (op.attributes.length === 0) return inputs;
  const isOptional = op.optionalInputs > 0 || op.attributes.every(mayBeLeftOut);
  const notes = attributeNotes(op.attributes, 'attributes');
  return [...inputs, { name: 'attributes', type: attributes, isOptional, notes }];
}

/**
 * @param {readonly AttributeDescription[]} attributes
 * @param {boolean} allOptional
 */
function objectType(attributes, allOptional) {
  const fields = attributes.map((attribute) =>
    `${attribute.name}${allOptional || mayBeLeftOut(attribute) ? '?' : ''}: ${TYPES[attribute.type]}`);
  return `{ ${fields.join('; ')} }`;
}

/** @param {AttributeDescription} attribute */
function mayBeLeftOut({ default: value, optional }) {
  return optional === true || value !== undefined;
}

/**
 * @param {readonly AttributeDescription[]} attributes
 * @param {string} parameter
 */
function attributeNotes(attributes, parameter) {
  return attributes.filter(({ default: value }) => value !== undefined)
    .map(({ name, default: value }) => `@param ${parameter}.${name}${defaultOf(value)}`);
}

/** @param {readonly Parameter[]} parameters */
function listed(parameters) {
  return parameters.map(({ name, type, isOptional }) => `${name}${isOptional ? '?' : ''}: ${type}`).join(', ');
}

/** @param {unknown} value */
function defaultOf(value) {
  return value === undefined ? '' : ` ${JSON.stringify(value)} when left out`;
}

/** @param {readonly string[]} lines */
function comment(lines) {
  return ['/**', ...lines.map((line) => (line ? ` * ${line}` : ' *')), ' */'];
}

/** @param {OpDescription} op */
function resultType(op) {
  if (!hasManyOutputs(op)) return 'Tensor';
  return op.hasVariadicOutput ? 'Tensor[]' : `{ ${op.outputs.map((name) => `${name}: Tensor`).join('; ')} }`;
}

/**
 * @param {OpDescription} op
 * @param {readonly Parameter[]} parameters
 * @param {string} [self] the input that is the tensor itself, for a method
 * @returns {string[]} lines
 */
function documentation(op, parameters, self) {
  const summary = sentence(opDocs[op.name]?.summary ?? op.name);
  const notes = parameters.flatMap((parameter) => parameter.notes);
  const lines = [self === undefined ? summary : `${summary} The tensor itself is ${self}.`];
  return comment(notes.length > 0 ? [...lines, '', ...notes] : lines);
}

/**
 * @param {OpDescription} a
 * @param {OpDescription} b
 */
function byName(a, b) {
  return a.name < b.name ? -1 : 1;
}

/**
 * @param {string} name
 * @param {string} op
 */
function checkIdentifier(name, op) {
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new Error(`op ${op}: "${name}" cannot be a name in JavaScript`);
}

/** @param {string} text */
function sentence(text) {
  // The text must not end the comment that it stands in.
  const safe = text.replaceAll('*/', '* /');
  return /^[a-z]\w+ /.test(safe) ? `${safe[0]?.toUpperCase()}${safe.slice(1)}.` : `${safe}.`;
}

/** @param {string} text */
function quote(text) {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/**
 * @param {string[]} lines
 * @param {number} spaces
 */
function indent(lines, spaces) {
  return lines.map((line) => `${' '.repeat(spaces)}${line}`).join('\n');
}
