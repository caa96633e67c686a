/**
 * What went wrong, with what was behind it: fetch itself often says no more than that it failed.
 * @param {unknown} error
 * @returns {string}
 */
export function messageOf(error) {
  if (!(error instanceof Error)) return plain(String(error));
  const behind = error instanceof AggregateError ? error.errors : error.cause === undefined ? [] : [error.cause];
  return [plain(error.message), ...behind.map(messageOf)].filter(Boolean).join(': ');
}

/**
 * An address as messages show it. A data: URL may be very long.
 * @param {string} address
 */
export function shownAddress(address) {
  return plain(address.length > 300 ? `${address.slice(0, 60)}…` : address);
}

// What moves a terminal's cursor, or changes the order in which text is shown.
const CONTROL = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Text with addresses in it, without what nobody should see: names and passwords in a URL, and control characters.
 * @param {string} text
 */
function plain(text) {
  return text.replace(/(:\/\/)[^/?#\s]*@/g, '$1')
    .replace(CONTROL, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
