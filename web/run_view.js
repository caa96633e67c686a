import { AttributeFields } from './attribute_fields.js';
import { ConfigField } from './config_field.js';
import { byId } from './dom.js';
import { clearError, showError } from './error_view.js';
import { presetFor } from './presets.js';
import { ResultView } from './result_view.js';
import { InputError } from './session.js';
import { TargetSelect } from './target_select.js';
import { TensorField } from './tensor_field.js';

/** @typedef {import('./session.js').Session} Session */
/** @typedef {import('./session.js').Target} Target */
/** @typedef {import('./session.js').Input} Input */
/** @typedef {import('./presets.js').TargetPreset} TargetPreset */
/** @typedef {import('./minitensor.js').OpDescription} OpDescription */

/** Runs the ops and layers of the loaded plugins, and makes layers. */
export class RunView {
  #session;
  #select;
  #form = byId('run-form', HTMLFormElement);
  #empty = byId('run-empty', HTMLElement);
  #summary = byId('target-summary', HTMLElement);
  #inputPlace = byId('inputs', HTMLElement);
  #button = byId('run-button', HTMLButtonElement);
  #addButton = byId('add-input', HTMLButtonElement);
  #removeButton = byId('remove-input', HTMLButtonElement);
  #error = byId('run-error', HTMLElement);
  #attributes = new AttributeFields();
  #config = new ConfigField();
  #result = new ResultView();
  /** @type {TensorField[]} */
  #fields = [];
  /** @type {TargetPreset} */
  #preset = {};

  /** @param {Session} session */
  constructor(session) {
    this.#session = session;
    this.#select = new TargetSelect(byId('target', HTMLSelectElement), () => this.#showTarget());
    byId('attributes', HTMLElement).append(this.#attributes.element, this.#config.element);
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#addButton.addEventListener('click', () => this.#addField(`x${this.#fields.length}`));
    this.#removeButton.addEventListener('click', () => this.#removeField());
    session.addEventListener('change', () => this.#update());
    this.#update();
  }

  #update() {
    this.#select.show(this.#session.plugins, this.#session.layers);
    const hasTarget = this.#select.target !== undefined;
    this.#form.hidden = !hasTarget;
    this.#empty.hidden = hasTarget;
  }

  /** Called when another target is chosen, or the chosen one has gone. */
  #showTarget() {
    const { target } = this.#select;
    clearError(this.#error);
    this.#result.clear();
    this.#fields = [];
    this.#inputPlace.replaceChildren();
    if (!target) return;
    const type = this.#typeOf(target);
    this.#preset = presetFor(type);
    this.#button.textContent = target.kind === 'type' ? 'Create the layer' : 'Run';
    this.#attributes.show([]);
    this.#config.element.hidden = target.kind !== 'type';
    if (target.kind === 'op') {
      const op = this.#session.describeOp(target.name);
      this.#summary.textContent = summaryOf(op);
      this.#attributes.show(op.attributes);
      for (const name of op.inputs) this.#addField(name);
    } else if (target.kind === 'type') {
      this.#summary.textContent = 'A layer type. A layer of it keeps parameters of its own, and you can run it.';
      this.#config.value = this.#preset.config ?? '{}';
    } else {
      this.#summary.textContent = `A layer of type ${type}.`;
      this.#addField('x0');
    }
    this.#updateButtons();
  }

  /** @param {Target} target */
  #typeOf(target) {
    if (target.kind !== 'layer') return target.name;
    return this.#session.layers.find(({ id }) => id === target.id)?.type ?? '';
  }

  /** @param {string} name */
  #addField(name) {
    const field = new TensorField(name, this.#preset.inputs?.[this.#fields.length]);
    this.#fields.push(field);
    this.#inputPlace.append(field.element);
    this.#updateButtons();
  }

  #removeField() {
    this.#fields.pop()?.element.remove();
    this.#updateButtons();
    if (this.#removeButton.hidden) this.#addButton.focus();
  }

  /** How many inputs an op takes is known; a layer takes what its forward function makes of them. */
  #updateButtons() {
    const isLayer = this.#select.target?.kind === 'layer';
    this.#addButton.hidden = !isLayer;
    this.#removeButton.hidden = !isLayer || this.#fields.length < 2;
  }

  #submit() {
    const { target } = this.#select;
    if (!target) return;
    clearError(this.#error);
    this.#result.clear();
    try {
      if (target.kind === 'type') this.#createLayer(target.name);
      else this.#run(target);
    } catch (error) {
      const field = error instanceof InputError ? this.#fields.find(({ name }) => name === error.input) : undefined;
      if (field && error instanceof Error) field.reject(error.message);
      else showError(this.#error, error);
    }
  }

  /** @param {string} type */
  #createLayer(type) {
    const config = this.#config.read();
    if (!config) return;
    const { id } = this.#session.createLayer(type, config);
    this.#select.choose({ kind: 'layer', id });
  }

  /** @param {Target} target */
  #run(target) {
    const attributes = this.#attributes.read();
    /** @type {Input[]} */
    const inputs = [];
    for (const field of this.#fields) {
      const input = field.read();
      if (!input) return;
      inputs.push(input);
    }
    if (!attributes) return;
    const run =
      target.kind === 'layer'
        ? this.#session.runLayer(target.id, inputs)
        : this.#session.runOp(target.name, inputs, attributes);
    this.#result.show(this.#select.label, run);
  }
}

/** @param {OpDescription} op */
function summaryOf({ name, inputs, summary, hasGradient }) {
  const call = `${name}(${inputs.join(', ')})`;
  return `${call}${summary === '' ? '' : ` = ${summary}`}. It has ${hasGradient ? 'a' : 'no'} gradient.`;
}
