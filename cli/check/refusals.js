/*
 * Why inputs were refused: the most telling reasons of many.
 */
import { DTypeError, MiniTensorError, PluginError } from 'minitensor';

import { Damage, isDamage } from './plugin_memory.js';

/** How many reasons are told. */
const MOST_REASONS = 3;

export class Refusals {
  /**
   * By what is the same in many: all but the numbers.
   * @type {Map<string, { text: string, rank: number, count: number }>}
   */
  #reasons = new Map();

  /** @param {unknown} error */
  add(error) {
    const text = error instanceof Error ? error.message : String(error);
    const key = text.replace(/\d+/g, '0');
    const reason = this.#reasons.get(key) ?? { text, rank: rankOf(error, text), count: 0 };
    reason.count += 1;
    this.#reasons.set(key, reason);
  }

  /** What a problem says of them: those about the dtype last, of the others the most frequent first. */
  toString() {
    const sorted = [...this.#reasons.values()].sort((a, b) => a.rank - b.rank || b.count - a.count);
    const told = sorted.slice(0, MOST_REASONS).map(({ text }) => text);
    const more = sorted.length - told.length;
    return [...told, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
  }
}

/**
 * A Damage when the engine cannot go on.
 * @param {unknown} error that a call has thrown
 * @returns {{ reason: string, isFault: boolean }} false: an error as it should be, by which inputs are refused
 */
export function judge(error) {
  if (isDamage(error)) throw new Damage('', { cause: error });
  const reason = error instanceof Error ? error.message : String(error);
  return { reason, isFault: !(error instanceof MiniTensorError) || error instanceof PluginError };
}

/**
 * @param {unknown} error
 * @param {string} text
 */
function rankOf(error, text) {
  if (/: does not take \w+; it takes |: inputs differ in dtype: /.test(text)) return 2;
  return error instanceof DTypeError ? 1 : 0;
}
