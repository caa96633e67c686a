import { columns, counted, plain } from '../text.js';

/** @typedef {import('./plugin.js').PluginReport} PluginReport */
/** @typedef {import('./op.js').OpReport} OpReport */
/** @typedef {import('./op.js').Problem} Problem */
/** @typedef {import('../terminal.js').Terminal} Terminal */

/**
 * @param {PluginReport} report
 * @returns {{ subject: string, check: string, message: string }[]}
 */
export function problemsOf({ ops, layers, reload }) {
  return [
    ...ops.map(({ name, problems }) => ({ subject: `op "${name}"`, problems })),
    ...layers.map(({ name, problems }) => ({ subject: `layer "${name}"`, problems })),
    { subject: 'the plugin', problems: reload.problems },
  ].flatMap(({ subject, problems }) => problems.map((problem) => ({ subject, ...problem })));
}

/**
 * @param {PluginReport} report
 * @param {Terminal} terminal
 * @returns {string[]}
 */
export function reportLines(report, terminal) {
  const problems = problemsOf(report);
  const head = ['', 'taken', 'refused', 'dtypes', 'gradient', 'result'].map((text) => terminal.paint('bold', text));
  const ops = report.ops.map((op) => [
    `op ${plain(op.name)}`,
    String(op.accepted),
    String(op.refused),
    op.dtypes.join(', '),
    gradientText(op),
    result(op.problems, terminal),
  ]);
  const layers = report.layers.map((layer) => [
    `layer ${plain(layer.name)}`, String(layer.accepted), '', '', '', result(layer.problems, terminal),
  ]);
  const { cycles, problems: reload } = report.reload;
  return [
    plain(report.plugin),
    '',
    ...(ops.length + layers.length > 0 ? [...columns([head, ...ops, ...layers]), ''] : []),
    ...notTested(report),
    ...(cycles > 0 ? [`loaded and unloaded ${cycles} times: ${result(reload, terminal)}`] : []),
    ...problems.map(({ subject, check, message }) =>
      `${terminal.paint('red', 'problem')}  ${plain(`${subject}: ${check}: ${message}`)}`),
    '',
    problems.length === 0
      ? terminal.paint('green', 'No problem was found.')
      : terminal.paint('red', `${counted(problems.length, 'problem')} found.`),
  ];
}

/**
 * @param {PluginReport} report
 * @returns {string[]}
 */
function notTested({ ops, layers, untested }) {
  const stateful = [...ops, ...layers].filter((tested) => tested.stateful).map(({ name }) => plain(name));
  const discrete = ops.filter(({ gradient }) => gradient?.output && gradient.compared === 0);
  const count = ops.length + layers.length + untested.length;
  return [
    ...(count === 0 ? ['it has no ops and no layers: nothing but loading was tested'] : []),
    ...discrete.map(({ name, gradient }) =>
      `not compared: the gradient of ${plain(name)}, as its results are ${gradient?.output}, which have none`),
    ...(stateful.length > 0 ? [`not compared, as --stateful says: two results of ${stateful.join(', ')}`] : []),
    ...(untested.length > 0 ? [`not tested, as the engine cannot go on: ${plain(untested.join(', '))}`] : []),
  ];
}

/** @param {OpReport} op */
function gradientText({ gradient }) {
  if (!gradient) return 'none';
  if (gradient.compared === 0) return 'not compared';
  return `${gradient.compared} compared, off by ${gradient.worst.toExponential(0)}`;
}

/**
 * @param {readonly Problem[]} problems
 * @param {Terminal} terminal
 */
function result(problems, terminal) {
  if (problems.length === 0) return terminal.paint('green', 'ok');
  return terminal.paint('red', [...new Set(problems.map(({ check }) => check))].join(', '));
}
