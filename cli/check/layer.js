/*
 * One type of layer: made, run, and released.
 */
import { MiniTensorError, PluginError } from 'minitensor';

import { describeInputs, makeInputs, shapeChoices } from './inputs.js';

/** @typedef {import('minitensor').MiniTensor} MiniTensor */
/** @typedef {import('minitensor').CustomLayer} CustomLayer */
/** @typedef {import('./op.js').Attributes} Attributes */
/** @typedef {import('./op.js').Problem} Problem */

/**
 * @typedef {object} LayerReport
 * @property {string} name
 * @property {Attributes | null} config what it was made with
 * @property {string[]} parameters
 * @property {number} accepted how many of the tried inputs it takes
 * @property {Problem[]} problems
 */

/** What is tried for an attribute that must be given, until the type takes one. */
const VALUES = [4, 1, true, '', [4]];
const MOST_INPUTS = 2;

/**
 * @param {MiniTensor} mt
 * @param {string} name
 * @param {Attributes | undefined} config
 * @param {(what: string) => void} say
 * @returns {LayerReport}
 */
export function checkLayer(mt, name, config, say) {
  say(`layer "${name}"`);
  /** @type {LayerReport} */
  const report = { name, config: null, parameters: [], accepted: 0, problems: [] };
  const before = mt.memory();
  try {
    const made = config ? { layer: mt.plugins.createLayer(name, config), config } : create(mt, name, {});
    report.config = made.config;
    report.parameters = [...made.layer.listParameters()];
    try {
      report.accepted = countAccepted(mt, made.layer, say);
    } finally {
      made.layer.dispose();
    }
    if (report.accepted === 0) report.problems.push({ check: 'inputs', message: 'it takes none of the tried inputs' });
  } catch (error) {
    if (!(error instanceof MiniTensorError)) throw error;
    report.problems.push({ check: error instanceof PluginError ? 'faults' : 'create', message: error.message });
  }
  const after = mt.memory();
  if (after.tensors !== before.tensors || after.layers !== before.layers) {
    const left = `${after.layers - before.layers} layers and ${after.tensors - before.tensors} tensors are left`;
    if (report.problems.length === 0) report.problems.push({ check: 'leaks', message: left });
  }
  return report;
}

/**
 * What a configuration must have, the error says that comes without it.
 * @param {MiniTensor} mt
 * @param {string} name
 * @param {Attributes} config
 * @returns {{ layer: CustomLayer, config: Attributes }}
 */
function create(mt, name, config) {
  try {
    return { layer: mt.plugins.createLayer(name, config), config };
  } catch (error) {
    const [, attribute] = (error instanceof Error && /attribute "([^"]+)" is required/.exec(error.message)) || [];
    if (!attribute || Object.hasOwn(config, attribute)) throw error;
    return createWith(mt, name, config, attribute, error);
  }
}

/**
 * @param {MiniTensor} mt
 * @param {string} name
 * @param {Attributes} config
 * @param {string} attribute
 * @param {unknown} reason why it must be given
 */
function createWith(mt, name, config, attribute, reason) {
  for (const value of VALUES) {
    try {
      return create(mt, name, { ...config, [attribute]: value });
    } catch (error) {
      if (!(error instanceof MiniTensorError) || error instanceof PluginError) throw error;
    }
  }
  throw reason;
}

/**
 * @param {MiniTensor} mt
 * @param {CustomLayer} layer
 * @param {(what: string) => void} say
 */
function countAccepted(mt, layer, say) {
  let accepted = 0;
  // How many it takes, a layer does not say.
  for (let count = 1; count <= MOST_INPUTS && accepted === 0; count++) {
    for (const shapes of shapeChoices(count)) {
      for (const dtype of /** @type {const} */ (['float32', 'float64'])) {
        /** @type {import('./inputs.js').Inputs} */
        const inputs = { shapes, dtypes: shapes.map(() => dtype), values: 'signed', seed: accepted };
        say(`layer "${layer.name}", ${describeInputs(inputs)}`);
        if (mt.tidy(() => takes(layer, makeInputs(mt, inputs)))) accepted += 1;
      }
    }
  }
  return accepted;
}

/**
 * @param {CustomLayer} layer
 * @param {readonly import('minitensor').Tensor[]} inputs
 */
function takes(layer, inputs) {
  try {
    layer.forward(inputs);
    return true;
  } catch (error) {
    if (!(error instanceof MiniTensorError) || error instanceof PluginError) throw error;
    return false;
  }
}
