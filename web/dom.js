/**
 * The element of the page with this id, which must be of this class.
 * @template {Element} T
 * @param {string} id
 * @param {new () => T} Class
 * @returns {T}
 */
export function byId(id, Class) {
  const found = document.getElementById(id);
  if (!(found instanceof Class)) throw new Error(`index.html has no ${Class.name} with the id "${id}"`);
  return found;
}

/**
 * Makes an element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Partial<HTMLElementTagNameMap[K]>} [properties] as JavaScript names them: className, textContent, …
 * @param {readonly (Node | string)[]} [children]
 * @returns {HTMLElementTagNameMap[K]}
 */
export function element(tag, properties = {}, children = []) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

let lastId = 0;

/**
 * An id that no other element has.
 * @param {string} prefix
 */
export function newId(prefix) {
  return `${prefix}-${++lastId}`;
}
