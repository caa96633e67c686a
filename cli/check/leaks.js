/*
 * Memory that grows from call to call.
 */

/** Calls after which something that grew each time is a leak. */
const LEAK_CALLS = 8;

/**
 * @param {import('./allocations.js').Allocations} allocations
 * @param {() => void} call
 * @returns {number} bytes that the plugin keeps in each call
 */
export function leakOf(allocations, call) {
  /** @type {number[]} */
  const held = [];
  for (let count = 0; count <= LEAK_CALLS; count++) {
    call();
    held.push(allocations.bytes);
  }
  // A cache may grow now and then; a leak grows each time.
  const growth = held.slice(1).map((bytes, i) => bytes - (held[i] ?? 0));
  return growth.every((bytes) => bytes > 0) ? (growth.at(-1) ?? 0) : 0;
}
