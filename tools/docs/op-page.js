import { opDocs } from '../op-docs/index.js';

/** @typedef {import('../build/describe-ops.js').OpDescription} OpDescription */
/** @typedef {import('../build/describe-ops.js').AttributeDescription} AttributeDescription */
/** @typedef {import('../op-docs/index.js').OpDoc} OpDoc */

const ATTRIBUTE_TYPES = {
  number: 'number',
  string: 'string',
  boolean: 'boolean',
  integers: 'integer or array of integers',
  integer: 'integer',
  dtype: 'dtype',
};

const ROLES = { index: 'a tensor of integers', condition: 'a tensor of bool', value: 'a tensor' };

const EVERY_ERROR = '`TypeError` for what is no tensor and cannot become one, `ValueError` for an unknown attribute.';

/**
 * The reference page of an op, in Markdown: what the core's table says of it, and what tools/op-docs adds.
 *
 * @param {OpDescription} op
 * @returns {string}
 */
export function opPage(op) {
  const doc = opDocs[op.name];
  if (!doc) throw new Error(`op ${op.name} is not in tools/op-docs`);
  const names = [...op.inputs, ...op.attributes.map(({ name }) => name)];
  /** @param {string} text */
  const paragraph = (text) => sentence(text, names);
  return `${[
    `---\ntitle: ${op.name}\ngroup: Ops\n---`,
    `# ${op.name}`,
    `${paragraph(doc.summary)}${doc.formula ? `\n\n${paragraph(doc.formula)}` : ''}`,
    code('js', calls(op)),
    ...inputs(op),
    ...attributes(op, doc),
    section('Shapes', paragraph(doc.shapes)),
    section('Dtypes', paragraph(doc.dtypes)),
    section('Gradient', op.hasGradient ? paragraph(doc.gradient ?? '') : 'It has none: nothing flows back through it.'),
    section('Errors', [...(doc.errors ? [paragraph(doc.errors)] : []), EVERY_ERROR].join('\n\n')),
    section('Example', code('js', doc.example)),
    section('Elsewhere', elsewhere(op)),
    ...(doc.source ? [section('Source', paragraph(doc.source))] : []),
  ].join('\n\n')}\n`;
}

/** @param {OpDescription} op */
function calls(op) {
  const rest = op.isVariadic ? `...${op.inputs.at(-1)}` : '';
  const names = op.isVariadic ? [...op.inputs.slice(0, -1), rest] : op.inputs;
  if (op.inputs.length === 0) {
    const given = op.attributes.map(({ name }) => name);
    const first = given.indexOf('dtype');
    return `mt.${op.name}(${[...given.slice(0, first), `{ ${given.slice(first).join(', ')} }`].join(', ')})`;
  }
  const options = op.attributes.length > 0 ? [`{ ${op.attributes.map(({ name }) => name).join(', ')} }`] : [];
  // A list of tensors is given as one array.
  const given = op.isVariadic && op.inputs.length === 1 ? [String(op.inputs[0])] : names;
  const lines = [`mt.${op.name}(${[...given, ...options].join(', ')})`];
  if (!op.isVariadic) lines.push(`${op.inputs[0]}.${op.name}(${[...op.inputs.slice(1), ...options].join(', ')})`);
  return lines.join('\n');
}

/** @param {OpDescription} op */
function inputs(op) {
  if (op.inputs.length === 0) return [];
  const required = op.inputs.length - op.optionalInputs;
  const lines = op.inputs.map((name, i) => {
    const role = ROLES[op.inputRoles[i] ?? 'value'];
    const isRest = op.isVariadic && i === op.inputs.length - 1;
    return `- \`${name}\`: ${isRest ? 'any number of tensors' : role}${i >= required ? ', may be left out' : ''}`;
  });
  return [section('Inputs', `${lines.join('\n')}\n\nNumbers, nested arrays and typed arrays stand for tensors.`)];
}

/**
 * @param {OpDescription} op
 * @param {OpDoc} doc
 */
function attributes(op, doc) {
  if (op.attributes.length === 0) return [];
  const rows = op.attributes.map((attribute) => {
    const meaning = doc.attributes?.[attribute.name];
    if (meaning === undefined) throw new Error(`attribute ${attribute.name} of ${op.name} is not in tools/op-docs`);
    const cells = [`\`${attribute.name}\``, ATTRIBUTE_TYPES[attribute.type], defaultOf(attribute), escaped(meaning)];
    return `| ${cells.join(' | ')} |`;
  });
  return [section('Attributes', ['| name | type | default | |', '| --- | --- | --- | --- |', ...rows].join('\n'))];
}

/** @param {AttributeDescription} attribute */
function defaultOf({ default: value, optional }) {
  if (value !== undefined) return `\`${JSON.stringify(value)}\``;
  return optional ? 'none, may be left out' : 'none, must be given';
}

/** @param {OpDescription} op */
function elsewhere(op) {
  const tensors = op.inputs.join(', ');
  const [run, ops, call] = op.outputs.length > 0
    ? ['execute_many', `ops.get("${op.name}")`, 'call_op_many']
    : ['execute', `ops, "${op.name}"`, 'call_op'];
  return `In C++ \`${run}(${ops}, {${tensors}}, attributes)\`, in a compiled plugin `
    + `\`${call}(context, "${op.name}", …)\`.`;
}

/**
 * @param {string} title
 * @param {string} text
 */
function section(title, text) {
  return `## ${title}\n\n${text}`;
}

/**
 * @param {string} language
 * @param {string} text
 */
function code(language, text) {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}

/**
 * Plain text as a sentence of Markdown. A name in front, or what is defined there, keeps its small letter.
 *
 * @param {string} text
 * @param {readonly string[]} names
 */
function sentence(text, names) {
  const [word = ''] = /^[a-z]{2,}(?= [^=])/.exec(text) ?? [];
  const begun = names.includes(word) || word === '' ? text : `${word.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.:!?)]$/.test(begun) ? escaped(begun) : `${escaped(begun)}.`;
}

/** @param {string} text plain */
function escaped(text) {
  return text.replaceAll(/[\\*_<>[\]`|]/g, (sign) => `\\${sign}`);
}
