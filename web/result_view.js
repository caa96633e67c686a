import { codeText } from './code_text.js';
import { byId } from './dom.js';
import { briefly, count } from './format_numbers.js';
import { numbersTable } from './numbers_table.js';
import { numbersText } from './numbers_text.js';
import { drawCurve } from './plot.js';

/** @typedef {import('./session.js').Run} Run */
/** @typedef {import('./session.js').Numbers} Numbers */
/** @typedef {import('./plot.js').Curve} Curve */

/** The result of a run, as a curve and as numbers. */
export class ResultView {
  #panel = byId('result', HTMLElement);
  #status = byId('run-status', HTMLElement);
  #plot = byId('plot', HTMLElement);
  #caption = byId('plot-caption', HTMLElement);
  #axisChoice = byId('axis-choice', HTMLElement);
  #axis = byId('axis', HTMLSelectElement);
  #numbers = byId('numbers', HTMLElement);
  #code = byId('code', HTMLElement);
  #copyStatus = byId('copy-status', HTMLElement);
  #label = '';
  /** @type {Run | undefined} */
  #run;
  #drawnWidth = 0;

  constructor() {
    this.#axis.addEventListener('change', () => this.#draw());
    byId('copy', HTMLButtonElement).addEventListener('click', () => this.#copy());
    new ResizeObserver(() => {
      if (this.#plot.clientWidth !== this.#drawnWidth) this.#draw();
    }).observe(this.#plot);
  }

  clear() {
    this.#run = undefined;
    this.#panel.hidden = true;
    this.#status.textContent = '';
  }

  /**
   * @param {string} label what was run
   * @param {Run} run
   */
  show(label, run) {
    this.#label = label;
    this.#run = run;
    this.#copyStatus.textContent = '';
    // What a layer does with a row depends on the whole row.
    const overInput = canBeOverInput(run);
    this.#axisChoice.hidden = !overInput;
    this.#axis.value = overInput && run.call.kind === 'op' ? 'input' : 'index';
    this.#panel.hidden = false;
    this.#numbers.replaceChildren(numbersTable(run.output, run.inputs));
    this.#numbers.scrollTop = 0;
    this.#code.textContent = codeText(run);
    const { dtype, shape, values } = run.output;
    this.#panel.classList.toggle('is-wide', shape.length > 1);
    this.#status.textContent = `Result: ${count(values.length, 'number')}, shape [${shape.join(', ')}], ${dtype}`;
    this.#draw();
  }

  #draw() {
    if (!this.#run) return;
    const caption = captionOf(this.#run.output);
    this.#caption.textContent = caption;
    this.#drawnWidth = this.#plot.clientWidth;
    const curve = curveOf(this.#run, this.#axis.value === 'input');
    const title = `Curve of ${this.#label} over ${curve.xLabel}. ${caption}`;
    this.#plot.replaceChildren(drawCurve({ ...curve, title }, Math.max(this.#drawnWidth, 200)));
  }

  async #copy() {
    if (!this.#run) return;
    try {
      await navigator.clipboard.writeText(numbersText(this.#run.output));
      this.#copyStatus.textContent = 'Copied.';
    } catch {
      getSelection()?.selectAllChildren(this.#numbers);
      this.#copyStatus.textContent = 'The browser does not let the page copy. The table is selected instead.';
    }
  }
}

/** @param {Run} run */
function canBeOverInput({ inputs, output }) {
  return inputs.length === 1 && String(inputs[0]?.shape) === String(output.shape);
}

/**
 * @param {Run} run
 * @param {boolean} overInput
 * @returns {Omit<Curve, 'title'>}
 */
function curveOf({ inputs: [input], output }, overInput) {
  const ys = output.values;
  if (overInput && input) return { ys, xs: input.values, xLabel: input.name, yLabel: 'result' };
  const isFlat = output.shape.length < 2;
  return {
    ys,
    rowLength: isFlat ? Infinity : (output.shape.at(-1) ?? 1),
    xLabel: isFlat ? 'index' : 'index, row after row',
    yLabel: 'result',
  };
}

/** @param {Numbers} output */
function captionOf({ values }) {
  let low = Infinity;
  let high = -Infinity;
  let others = 0;
  for (let i = 0; i < values.length; i++) {
    const value = Number(values[i]);
    if (!Number.isFinite(value)) others += 1;
    else {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  if (values.length === 0) return 'There are no numbers to draw.';
  if (others === values.length) return 'No number is finite, so there is nothing to draw.';
  const rest = others > 0 ? ` ${count(others, 'number')} not finite, left out.` : '';
  return `Lowest ${briefly(low)}, highest ${briefly(high)}.${rest}`;
}
