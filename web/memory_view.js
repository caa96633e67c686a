import { byId } from './dom.js';
import { count } from './format_numbers.js';

/** @typedef {import('./session.js').Session} Session */

/**
 * Says what is alive in the engine.
 * @param {Session} session
 */
export function startMemoryView(session) {
  const place = byId('memory', HTMLElement);
  const update = () => {
    const { plugins, ops, layers, tensors, bytes } = session.memory();
    place.textContent = [
      count(plugins, 'plugin'),
      count(ops, 'custom op'),
      count(layers, 'layer'),
      count(tensors, 'tensor'),
      `${count(bytes, 'byte')} of numbers`,
    ].join(', ');
  };
  session.addEventListener('change', update);
  update();
}
