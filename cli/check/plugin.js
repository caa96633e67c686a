/*
 * A plugin with all that it registers, in an instance of its own.
 */
import { readFileSync } from 'node:fs';

import { init } from 'minitensor';

import { Allocations } from './allocations.js';
import { checkLayer } from './layer.js';
import { OpCheck } from './op.js';

/** @typedef {import('minitensor').MiniTensor} MiniTensor */
/** @typedef {import('./op.js').Attributes} Attributes */
/** @typedef {import('./op.js').OpReport} OpReport */
/** @typedef {import('./op.js').Problem} Problem */
/** @typedef {import('./layer.js').LayerReport} LayerReport */

/**
 * @typedef {object} CheckOptions
 * @property {string} file
 * @property {Map<string, number[][]>} shapes of the inputs, by op
 * @property {Map<string, Attributes>} attributes by op or layer type
 * @property {readonly string[]} stateful ops that need not give the same twice
 */

/**
 * @typedef {object} PluginReport
 * @property {string} plugin its name and version
 * @property {OpReport[]} ops
 * @property {LayerReport[]} layers
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
export async function checkPlugin({ file, shapes, attributes, stateful }, say) {
  const allocations = new Allocations();
  allocations.install();
  const bytes = readFileSync(file);
  const mt = await init();
  say('loading');
  const info = await mt.plugins.loadPlugin(file);
  const opNames = mt.customOps.list();
  const layerNames = mt.plugins.listLayerTypes();
  requireKnown('--shapes', shapes.keys(), opNames, 'ops');
  requireKnown('--attributes', attributes.keys(), [...opNames, ...layerNames], 'ops and layers');
  requireKnown('--stateful', stateful, opNames, 'ops');
  const ops = opNames.map((name) => new OpCheck(mt, name, allocations, say).run({
    shapes: shapes.get(name),
    attributes: attributes.get(name),
    stateful: stateful.includes(name),
  }));
  const layers = layerNames.map((name) => checkLayer(mt, name, attributes.get(name), say));
  say('unloading');
  mt.plugins.unloadPlugin(info.name);
  const reload = await checkReload(mt, bytes, info.name, allocations, say);
  return { plugin: `${info.name} ${info.version}`, ops, layers, reload };
}

/**
 * @param {string} option
 * @param {Iterable<string>} names that it is given for
 * @param {readonly string[]} known
 * @param {string} kind
 */
function requireKnown(option, names, known, kind) {
  for (const name of names) {
    if (known.includes(name)) continue;
    throw new UnknownName(`${option}: the plugin has no "${name}"; its ${kind} are: ${known.join(', ') || 'none'}`);
  }
}

/**
 * @param {MiniTensor} mt
 * @param {Uint8Array} bytes
 * @param {string} name
 * @param {Allocations} allocations of a plugin that is unloaded
 * @param {(what: string) => void} say
 */
async function checkReload(mt, bytes, name, allocations, say) {
  /** @type {Problem[]} */
  const problems = [];
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
  return { cycles: CYCLES, problems };
}
