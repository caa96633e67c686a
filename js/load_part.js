import { PluginError } from './errors.js';
import { messageOf } from './source_text.js';

/**
 * Loads a module of this package that most programs never need. A PluginError when it is not there: some servers have
 * files of one version only while pages of an older one are open.
 * @template T
 * @param {() => Promise<T>} load an import, written out, so that bundlers see it
 * @returns {Promise<T>}
 */
export async function loadPart(load) {
  try {
    return await load();
  } catch (cause) {
    throw new PluginError(`loadPlugin: a part of MiniTensor itself cannot be loaded: ${messageOf(cause)}`, {
      phase: 'fetch',
      hint: 'publish all files of MiniTensor or of the bundle together, and load the page anew',
      cause,
    });
  }
}
