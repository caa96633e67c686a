/** @typedef {import('./tensor_field.js').Preset} Preset */

/** @typedef {{ config?: string, inputs?: readonly Preset[] }} TargetPreset */

/** @type {TargetPreset} */
const ROWS = {
  config: '{ "size": 4 }',
  inputs: [{ numbers: '[[1, 2, 3, 4],\n [4, -3, 2, -1]]' }, { numbers: '1, 1, 1, 1' }],
};

/**
 * What the fields begin with for the plugins that the page offers, so that one press of Run shows something. Others
 * begin with the fields' own defaults.
 * @type {Record<string, TargetPreset>}
 */
const PRESETS = {
  swish: { inputs: [{ mode: 'line' }] },
  rmsnorm: ROWS,
  RMSNorm: ROWS,
};

/**
 * @param {string} name of an op or a layer type
 * @returns {TargetPreset}
 */
export function presetFor(name) {
  return Object.hasOwn(PRESETS, name) ? (PRESETS[name] ?? {}) : {};
}
