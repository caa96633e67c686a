import { afterEach, beforeEach, expect } from '@jest/globals';
import { init } from 'minitensor';

/** @typedef {Awaited<ReturnType<typeof init>>} MiniTensor */

/**
 * What an instance holds. A test that fails or refuses something leaves it as it was.
 * @param {MiniTensor} mt
 */
export function stateOf(mt) {
  return {
    memory: mt.memory(),
    ops: mt.customOps.list(),
    plugins: mt.plugins.listPlugins().map(String),
    layerTypes: mt.plugins.listLayerTypes(),
  };
}

/**
 * An instance for the tests of a file, each of which must leave it as it found it.
 * @param {typeof init} [create]
 */
export async function instanceForTests(create = init) {
  const mt = await create();
  /** @type {ReturnType<typeof stateOf> | undefined} */
  let before;
  beforeEach(() => {
    before = stateOf(mt);
  });
  afterEach(() => {
    expect(stateOf(mt)).toEqual(before);
  });
  return mt;
}

/**
 * @param {InstanceType<MiniTensor['plugins']['PluginBuilder']>} builder
 * @param {string} name
 * @param {MiniTensor['plugins']['VersionInfo']} VersionInfo
 */
function describePlugin(builder, name, VersionInfo) {
  return builder
    .name(name)
    .version(new VersionInfo(1, 2, 3))
    .description('For tests')
    .author('The tests')
    .minMinitensorVersion(new VersionInfo(0, 1, 0));
}

/**
 * A complete builder for a plugin of this name.
 * @param {MiniTensor} mt
 * @param {string} name
 */
export function builderFor({ plugins }, name) {
  return describePlugin(new plugins.PluginBuilder(), name, plugins.VersionInfo);
}
