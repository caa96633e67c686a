/*
 * A plugin with all that it registers, in an instance of its own.
 */
import { readFileSync } from 'node:fs';

import { PluginError, init } from 'minitensor';

import { LayerCheck } from './layer.js';
import { OpCheck } from './op.js';
import { DAMAGED, Damage, PluginMemory, isDamage } from './plugin_memory.js';

/** @typedef {import('minitensor').MiniTensor} MiniTensor */
/** @typedef {import('./inputs.js').Attributes} Attributes */
/** @typedef {import('./op.js').OpReport} OpReport */
/** @typedef {import('./op.js').Problem} Problem */
/** @typedef {import('./layer.js').LayerReport} LayerReport */

/**
 * @typedef {object} CheckOptions
 * @property {string} file
 * @property {Map<string, number[][]>} shapes of the inputs, by op or layer type
 * @property {Map<string, Attributes>} attributes by op or layer type
 * @property {readonly string[]} stateful ops and layer types that need not give the same twice
 */

/**
 * @typedef {object} PluginReport
 * @property {string} plugin its name and version
 * @property {OpReport[]} ops
 * @property {LayerReport[]} layers
 * @property {string[]} untested what was left out, since the engine could not go on
 * @property {{ cycles: number, problems: Problem[] }} reload
 */

/** An option is about something that the plugin does not have. */
export class UnknownName extends Error {}

/** First those until memory has the size that it needs, then those that must not make it grow. */
const WARM_UP = 20;
const CYCLES = 200;

/**
 * @param {CheckOptions} options
 * @param {(what: string) => void} say what is being done
 * @returns {Promise<PluginReport>}
 */
export async function checkPlugin(options, say) {
  const memory = new PluginMemory();
  memory.install();
  const mt = await init();
  say('loading');
  const { name, version } = await load(mt, options.file);
  /** @type {PluginReport} */
  const report = {
    plugin: `${name} ${version}`, ops: [], layers: [], untested: [], reload: { cycles: 0, problems: [] },
  };
  const parts = partsOf(mt, memory, options, report, say);
  memory.stopGuarding();
  parts.push({ name: 'unloading', run: () => checkReload(mt, options.file, name, memory, report.reload, say) });
  for (const [number, part] of parts.entries()) {
    try {
      await part.run();
    } catch (error) {
      if (!(error instanceof Damage) && !isDamage(error)) throw error;
      if (!(error instanceof Damage)) {
        report.reload.problems.push({ check: 'faults', message: `${DAMAGED} It was at: ${part.name}` });
      }
      report.untested = parts.slice(number + 1).map((left) => left.name);
      break;
    }
  }
  return report;
}

/**
 * @param {MiniTensor} mt
 * @param {string} file
 */
async function load(mt, file) {
  try {
    return await mt.plugins.loadPlugin(file);
  } catch (error) {
    if (isDamage(error)) throw new PluginError(`${DAMAGED} It was at: loading`, { cause: error });
    throw error;
  }
}

/**
 * @param {MiniTensor} mt
 * @param {PluginMemory} memory
 * @param {CheckOptions} options
 * @param {PluginReport} report to add to
 * @param {(what: string) => void} say
 * @returns {{ name: string, run: () => unknown }[]} one for each op and layer type. A Damage when it was the last
 */
function partsOf(mt, memory, { shapes, attributes, stateful }, report, say) {
  const opNames = mt.customOps.list();
  const layerNames = mt.plugins.listLayerTypes();
  const names = [...opNames, ...layerNames];
  requireKnown('--shapes', shapes.keys(), names);
  requireKnown('--attributes', attributes.keys(), names);
  requireKnown('--stateful', stateful, names);
  const choicesFor = (/** @type {string} */ name) =>
    ({ shapes: shapes.get(name), attributes: attributes.get(name), stateful: stateful.includes(name) });
  return [
    ...opNames.map((name) => ({ name: `op "${name}"`, run: () => {
      const check = new OpCheck(mt, name, memory, say);
      report.ops.push(check.report);
      check.run(choicesFor(name));
    } })),
    ...layerNames.map((name) => ({ name: `layer "${name}"`, run: () => {
      const check = new LayerCheck(mt, name, memory, say);
      report.layers.push(check.report);
      check.run(choicesFor(name));
    } })),
  ];
}

/**
 * @param {string} option
 * @param {Iterable<string>} names that it is given for
 * @param {readonly string[]} known
 */
function requireKnown(option, names, known) {
  for (const name of names) {
    if (known.includes(name)) continue;
    const list = known.join(', ') || 'none';
    throw new UnknownName(`${option}: the plugin has no "${name}"; its ops and layers are: ${list}`);
  }
}

/**
 * @param {MiniTensor} mt
 * @param {string} file
 * @param {string} name of the plugin, which is loaded
 * @param {PluginMemory} memory
 * @param {PluginReport['reload']} report to add to
 * @param {(what: string) => void} say
 */
async function checkReload(mt, file, name, { allocations }, report, say) {
  const { problems } = report;
  say('unloading');
  mt.plugins.unloadPlugin(name);
  const bytes = readFileSync(file);
  if (allocations.bytes > 0) {
    problems.push({ check: 'unload', message: `${allocations.bytes} bytes are not given back at unload` });
  }
  allocations.forget();
  let early = allocations.shared;
  for (let cycle = 1; cycle <= WARM_UP + CYCLES; cycle++) {
    if (cycle % 10 === 0) say(`loading and unloading, time ${cycle}`);
    await mt.plugins.loadPlugin(bytes);
    mt.plugins.unloadPlugin(name);
    if (cycle === WARM_UP) early = allocations.shared;
  }
  report.cycles = CYCLES;
  const late = allocations.shared;
  if (late.memory > early.memory || late.table > early.table) {
    const memory = `memory grew from ${early.memory} to ${late.memory} bytes`;
    const table = `the table from ${early.table} to ${late.table} entries`;
    problems.push({ check: 'reload', message: `loading and unloading ${CYCLES} times: ${memory}, ${table}` });
  }
  const left = mt.memory();
  const kinds = Object.entries(left).filter(([, count]) => count > 0).map(([kind, count]) => `${count} ${kind}`);
  if (kinds.length > 0) problems.push({ check: 'unload', message: `after unloading there are ${kinds.join(', ')}` });
  if (allocations.linked === 0) {
    problems.push({ check: 'leaks', message: 'what the plugin allocates could not be counted in this engine' });
  }
}
