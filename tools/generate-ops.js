/** @typedef {import('./build/describe-ops.js').OpDescription} OpDescription */
/** @typedef {import('./build/describe-ops.js').AttributeDescription} AttributeDescription */

const HEADER = `\
// Made by tools/generate-ops.js from the core's own table of ops. Changes belong there.

/** @typedef {import('../tensor.js').Tensor} Tensor */
/** @typedef {import('../tensor.js').TensorLike} TensorLike */
/** @typedef {(name: string, inputs: TensorLike[], attributes?: object) => Tensor} Execute */
`;

const TYPES = {
  number: 'number',
  string: 'string',
  boolean: 'boolean',
  integers: 'readonly number[]',
};

/**
 * The source of js/generated/ops.js: a function for each op of the engine.
 *
 * @param {readonly OpDescription[]} described
 * @returns {string}
 */
export function generateOps(described) {
  const ops = described.filter((op) => op.owner === 'minitensor').sort(byName);
  return [
    HEADER,
    '/** The ops of the engine. */',
    'export const opNames = Object.freeze([',
    ...ops.map((op) => `  ${quote(op.name)},`),
    ']);',
    '',
    '/**',
    ' * A function for each op of the engine.',
    ' *',
    ' * @param {Execute} execute',
    ' */',
    'export function createOps(execute) {',
    '  return {',
    ops.map((op) => indent(opFunction(op), 4)).join('\n\n'),
    '  };',
    '}',
    '',
    '/** How a tensor runs an op. */',
    "export const executeOp = Symbol('executeOp');",
    '',
    '/** The ops of the engine as methods: the first input is the tensor itself. */',
    'export class TensorOps {',
    ops.map((op) => indent(opMethod(op), 2)).join('\n\n'),
    '}',
    '',
  ].join('\n');
}

/**
 * @param {OpDescription} op
 * @returns {string[]} lines
 */
function opFunction(op) {
  for (const name of [op.name, ...op.inputs]) checkIdentifier(name, op.name);
  const inputs = op.inputs.join(', ');
  const parameters = op.attributes.length > 0 ? `${inputs}, attributes` : inputs;
  const rest = op.attributes.length > 0 ? ', attributes' : '';
  return [
    ...documentation(op),
    `${op.name}: (${parameters}) => execute(${quote(op.name)}, [${inputs}]${rest}),`,
  ];
}

/**
 * @param {OpDescription} op
 * @returns {string[]} lines
 */
function opMethod(op) {
  const [self, ...others] = op.inputs;
  const parameters = op.attributes.length > 0 ? [...others, 'attributes'] : others;
  const inputs = ['this', ...others].join(', ');
  const rest = op.attributes.length > 0 ? ', attributes' : '';
  return [
    ...documentation({ ...op, summary: op.summary, inputs: others }, self),
    `${op.name}(${parameters.join(', ')}) {`,
    `  return this[executeOp](${quote(op.name)}, [${inputs}]${rest});`,
    '}',
  ];
}

/**
 * @param {OpDescription} op
 * @param {string} [self] the input that is the tensor itself, for a method
 * @returns {string[]} lines
 */
function documentation(op, self) {
  const lines = [
    self === undefined ? sentence(op.summary) : `${sentence(op.summary)} The tensor itself is ${self}.`,
    '',
    ...op.inputs.map((name) => `@param {TensorLike} ${name}`),
    ...attributeTags(op.attributes),
    '@returns {Tensor}',
    ...(self === undefined ? [] : ['@this {Tensor}']),
  ];
  return ['/**', ...lines.map((line) => (line ? ` * ${line}` : ' *')), ' */'];
}

/**
 * @param {readonly AttributeDescription[]} attributes
 * @returns {string[]} lines
 */
function attributeTags(attributes) {
  if (attributes.length === 0) return [];
  const allOptional = attributes.every((attribute) => attribute.default !== undefined);
  return [
    `@param {object} ${allOptional ? '[attributes]' : 'attributes'}`,
    ...attributes.map(attributeTag),
  ];
}

/** @param {AttributeDescription} attribute */
function attributeTag({ name, type, default: defaultValue }) {
  if (defaultValue === undefined) return `@param {${TYPES[type]}} attributes.${name}`;
  // As a comment and not as [name=value], which TypeScript leaves out of the declarations.
  return `@param {${TYPES[type]}} [attributes.${name}] ${JSON.stringify(defaultValue)} when left out`;
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
