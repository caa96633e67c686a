import { opDocs } from './op-docs/index.js';

/** @typedef {import('./build/describe-ops.js').OpDescription} OpDescription */
/** @typedef {import('./build/describe-ops.js').AttributeDescription} AttributeDescription */

const HEADER = `\
// Made by tools/generate-ops.js from the core's own table of ops. Changes belong there.

import { withOptions } from '../op_options.js';

/** @typedef {import('../tensor.js').Tensor} Tensor */
/** @typedef {import('../tensor.js').TensorLike} TensorLike */
/** @typedef {(name: string, inputs: readonly unknown[], attributes?: object) => Tensor} Execute */
/**
 * Of an op with several outputs: by their names, where their number is fixed.
 * @typedef {(name: string, inputs: readonly unknown[], attributes?: object) => Tensor[] | Record<string, Tensor>}
 *   ExecuteMany
 */
`;

const TYPES = {
  number: 'number',
  string: 'string',
  boolean: 'boolean',
  integers: 'number | readonly number[]',
  integer: 'number',
  dtype: "import('../dtype.js').DType",
};

/**
 * The source of js/generated/ops.js: a function for each op of the engine.
 *
 * @param {readonly OpDescription[]} described
 * @returns {string}
 */
export function generateOps(described) {
  const ops = described.filter((op) => op.owner === 'minitensor').sort(byName);
  // TypeScript takes a parameter that nothing uses only under such a name.
  const many = ops.some(hasManyOutputs) ? 'executeMany' : '_executeMany';
  return [
    HEADER,
    '/** The ops of the engine. */',
    'export const opNames = /* @__PURE__ */ Object.freeze([',
    ...ops.map((op) => `  ${quote(op.name)},`),
    ']);',
    '',
    "/** @typedef {'value' | 'index' | 'condition' | 'optional'} InputRole */",
    '/** What each input is, of the ops whose inputs are not all values. */',
    'export const inputRoles = /** @type {Record<string, readonly InputRole[]>} */ ({',
    ...ops.filter(hasRoles).map((op) => `  ${op.name}: [${roles(op).map(quote).join(', ')}],`),
    '});',
    '',
    '/** The names of the outputs, of the ops that have several. */',
    'export const outputNames = /** @type {Record<string, readonly string[]>} */ ({',
    ...ops.filter(hasNamedOutputs).map((op) => `  ${op.name}: [${op.outputs.map(quote).join(', ')}],`),
    '});',
    '',
    '/**',
    ' * A function for each op of the engine.',
    ' *',
    ' * @param {Execute} execute',
    ` * @param {ExecuteMany} ${many}`,
    ' */',
    `export function createOps(execute, ${many}) {`,
    '  return {',
    ops.map((op) => indent(opFunction(op), 4)).join('\n\n'),
    '  };',
    '}',
    '',
    '/** How a tensor runs an op. */',
    "export const executeOp = Symbol('executeOp');",
    '',
    '/** How a tensor runs an op with several outputs. */',
    "export const executeManyOp = Symbol('executeManyOp');",
    '',
    '/** The ops of the engine as methods: the first input is the tensor itself. */',
    'export class TensorOps {',
    ops.filter(hasMethod).map((op) => indent(opMethod(op), 2)).join('\n\n'),
    '}',
    '',
  ].join('\n');
}

/** @param {OpDescription} op */
function hasManyOutputs(op) {
  return op.outputs.length > 0;
}

/** @param {OpDescription} op */
function hasNamedOutputs(op) {
  return hasManyOutputs(op) && !op.hasVariadicOutput;
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
 * The inputs as an expression.
 *
 * @param {OpDescription} op
 * @param {readonly string[]} names
 */
function inputList(op, names) {
  if (!op.isVariadic) return `[${names.join(', ')}]`;
  if (names.length === 1) return String(names[0]);
  return `[${names.slice(0, -1).join(', ')}, ...${names.at(-1)}]`;
}

/**
 * The attributes stand behind the inputs, so that they are found there even when optional inputs are left out.
 *
 * @param {OpDescription} op
 * @returns {string[]} lines
 */
function opFunction(op) {
  for (const name of [op.name, ...op.inputs]) checkIdentifier(name, op.name);
  if (op.inputs.length === 0) return creationFunction(op);
  const parameters = [...op.inputs, ...(op.attributes.length > 0 ? ['attributes'] : [])].join(', ');
  const rest = op.attributes.length > 0 ? ', attributes' : '';
  const execute = hasManyOutputs(op) ? 'executeMany' : 'execute';
  const call = `${execute}(${quote(op.name)}, ${inputList(op, op.inputs)}${rest})`;
  return [
    ...documentation(op),
    `${op.name}: (${parameters}) =>`,
    `  ${result(op, call)},`,
  ];
}

/**
 * Of an op without inputs, the attributes before the one that is called dtype are arguments one after the other. The
 * rest are options, which may stand in the place of arguments that are left out.
 *
 * @param {OpDescription} op
 * @returns {string[]} lines
 */
function creationFunction(op) {
  const end = op.attributes.findIndex((attribute) => attribute.name === 'dtype');
  const [own, options] = [op.attributes.slice(0, end), op.attributes.slice(end)];
  const names = own.map((attribute) => attribute.name);
  const optionsType = `{ ${options.map(({ name, type }) => `${name}?: ${TYPES[type]}`).join(', ')} }`;
  const lines = [
    sentence(opDocs[op.name]?.summary ?? op.name),
    '',
    ...own.map(({ name, type, default: value, optional }) => (optional || value !== undefined
      ? `@param {${TYPES[type]} | ${optionsType}} [${name}]`
      : `@param {${TYPES[type]}} ${name}`) + defaultOf(value)),
    '@param {object} [options]',
    ...options.map(({ name, type, default: value }) => `@param {${TYPES[type]}} [options.${name}]${defaultOf(value)}`),
    '@returns {Tensor}',
  ];
  return [
    ...comment(lines),
    `${op.name}: (${[...names, 'options'].join(', ')}) =>`,
    `  execute(${quote(op.name)}, [], withOptions([${names.map(quote).join(', ')}], [${names.join(', ')}], options)),`,
  ];
}

/** @param {unknown} value */
function defaultOf(value) {
  return value === undefined ? '' : ` ${JSON.stringify(value)} when left out`;
}

/** @param {readonly string[]} lines */
function comment(lines) {
  return ['/**', ...lines.map((line) => (line ? ` * ${line}` : ' *')), ' */'];
}

/**
 * @param {OpDescription} op
 * @returns {string[]} lines
 */
function opMethod(op) {
  const others = op.inputs.slice(1);
  const parameters = op.attributes.length > 0 ? [...others, 'attributes'] : others;
  const rest = op.attributes.length > 0 ? ', attributes' : '';
  const execute = hasManyOutputs(op) ? 'executeManyOp' : 'executeOp';
  const call = `this[${execute}](${quote(op.name)}, ${inputList(op, ['this', ...others])}${rest})`;
  return [
    ...documentation({ ...op, inputs: others }, op.inputs[0]),
    `${op.name}(${parameters.join(', ')}) {`,
    `  return ${result(op, call)};`,
    '}',
  ];
}

/** @param {OpDescription} op */
function resultType(op) {
  if (!hasManyOutputs(op)) return 'Tensor';
  return op.hasVariadicOutput ? 'Tensor[]' : `{ ${op.outputs.map((name) => `${name}: Tensor`).join(', ')} }`;
}

/**
 * @param {OpDescription} op
 * @param {string} call
 */
function result(op, call) {
  return hasManyOutputs(op) ? `/** @type {${resultType(op)}} */ (${call})` : call;
}

/**
 * @param {OpDescription} op
 * @param {string} [self] the input that is the tensor itself, for a method
 * @returns {string[]} lines
 */
function documentation(op, self) {
  const summary = sentence(opDocs[op.name]?.summary ?? op.name);
  const required = op.inputs.length - op.optionalInputs;
  const lines = [
    self === undefined ? summary : `${summary} The tensor itself is ${self}.`,
    '',
    ...op.inputs.map((name, i) => inputTag(op, name, i >= required)),
    ...attributeTags(op.attributes, op.optionalInputs > 0),
    `@returns {${resultType(op)}}`,
    ...(self === undefined ? [] : ['@this {Tensor}']),
  ];
  return comment(lines);
}

/**
 * @param {OpDescription} op
 * @param {string} name
 * @param {boolean} isOptional
 */
function inputTag(op, name, isOptional) {
  if (op.isVariadic && name === op.inputs.at(-1)) return `@param {readonly TensorLike[]} ${name}`;
  if (!isOptional) return `@param {TensorLike} ${name}`;
  // The attributes may stand in the place of what is left out.
  const fields = op.attributes.map((attribute) => `${attribute.name}?: ${TYPES[attribute.type]}`);
  return `@param {${['TensorLike', ...(fields.length > 0 ? [`{ ${fields.join(', ')} }`] : [])].join(' | ')}} [${name}]`;
}

/**
 * @param {readonly AttributeDescription[]} attributes
 * @param {boolean} mayMove they may stand in the place of an input
 * @returns {string[]} lines
 */
function attributeTags(attributes, mayMove) {
  if (attributes.length === 0) return [];
  const allOptional = mayMove
    || attributes.every((attribute) => attribute.optional || attribute.default !== undefined);
  return [
    `@param {object} ${allOptional ? '[attributes]' : 'attributes'}`,
    ...attributes.map(attributeTag),
  ];
}

/** @param {AttributeDescription} attribute */
function attributeTag({ name, type, default: defaultValue, optional }) {
  if (optional) return `@param {${TYPES[type]}} [attributes.${name}]`;
  if (defaultValue === undefined) return `@param {${TYPES[type]}} attributes.${name}`;
  // As a comment and not as [name=value], which TypeScript leaves out of the declarations.
  return `@param {${TYPES[type]}} [attributes.${name}]${defaultOf(defaultValue)}`;
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
