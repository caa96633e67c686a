/*
 * The one import of the engine. The address holds wherever web/ and dist/ lie side by side, under any folder of a site,
 * and also where web/ is the root of the site and dist/ is below it: `..` of the root is the root.
 */
export * from '../dist/index.js';

/** @typedef {Awaited<ReturnType<typeof import('../dist/index.js').init>>} MiniTensor */
/** @typedef {InstanceType<MiniTensor['Tensor']>} Tensor */
/** @typedef {MiniTensor['plugins']} Plugins */
/** @typedef {Awaited<ReturnType<Plugins['inspectPlugin']>>} PluginInspection */
/** @typedef {ReturnType<Plugins['createLayer']>} CustomLayer */
/** @typedef {ReturnType<MiniTensor['customOps']['describe']>} OpDescription */
/** @typedef {OpDescription['attributes'][number]} AttributeSpec */
/** @typedef {NonNullable<Parameters<Plugins['createLayer']>[1]>} Attributes */
/** @typedef {ConstructorParameters<MiniTensor['Tensor']>[0]} ArraySource */
/** @typedef {ReturnType<MiniTensor['memory']>} MemoryReport */

/** The folder of the plugins that the package ships. */
export const EXAMPLES = new URL('../dist/examples/plugins/', import.meta.url);
