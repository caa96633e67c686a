import { element } from './dom.js';

/**
 * What an error of the engine may say beside its message. PluginErrors do.
 * @typedef {{ phase?: unknown, hint?: unknown, symbols?: unknown }} ErrorDetails
 */

/**
 * Shows an error in its place. The place is in the page from the beginning, with role="alert", so that screen readers
 * read out what comes into it.
 * @param {HTMLElement} place
 * @param {unknown} error
 */
export function showError(place, error) {
  const { phase, hint, symbols } = /** @type {ErrorDetails} */ (error instanceof Error ? error : {});
  const heading = element('p', { className: 'error-heading' }, [
    element('strong', { className: 'error-name', textContent: error instanceof Error ? error.name : 'Error' }),
  ]);
  if (typeof phase === 'string' && phase !== '') {
    heading.append(' in phase ', element('code', { className: 'error-phase', textContent: phase }));
  }
  const message = error instanceof Error ? error.message : String(error);
  /** @type {HTMLElement[]} */
  const parts = [heading, element('p', { className: 'error-message', textContent: message })];
  // The message has most of them.
  const unnamed = Array.isArray(symbols) ? symbols.filter((symbol) => !message.includes(String(symbol))) : [];
  if (unnamed.length > 0) {
    const items = unnamed.map((symbol) => element('li', {}, [element('code', { textContent: String(symbol) })]));
    parts.push(element('ul', { className: 'error-symbols' }, items));
  }
  if (typeof hint === 'string' && hint !== '') {
    parts.push(element('p', { className: 'error-hint', textContent: `Hint: ${hint}.` }));
  }
  place.replaceChildren(...parts);
}

/** @param {HTMLElement} place */
export function clearError(place) {
  place.replaceChildren();
}

/**
 * Does something that may fail, and shows in its place why it did.
 * @template T
 * @param {HTMLElement} place
 * @param {() => T | Promise<T>} action
 * @returns {Promise<{ value: T } | undefined>} undefined when it failed
 */
export async function showingErrors(place, action) {
  clearError(place);
  try {
    return { value: await action() };
  } catch (error) {
    showError(place, error);
    return undefined;
  }
}
