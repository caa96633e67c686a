/**
 * Something to be timed. When `run` gives a Promise, it is waited for.
 *
 * @typedef {{ name: string, run: () => unknown }} Subject
 */

const WARM_UP_MS = 100;
const BATCH_MS = 20;

/**
 * The time of one run of each subject in ms, the median over rounds. The subjects take turns within each round, so that
 * whatever else the machine does meets all of them.
 *
 * @param {readonly Subject[]} subjects
 * @param {number} rounds
 * @returns {Promise<Map<string, number>>}
 */
export async function measure(subjects, rounds) {
  const counts = new Map();
  for (const subject of subjects) counts.set(subject, await warmUp(subject));
  /** @type {Map<string, number[]>} */
  const times = new Map(subjects.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < subjects.length; turn++) {
      const subject = /** @type {Subject} */ (subjects[(round + turn) % subjects.length]);
      const count = counts.get(subject);
      times.get(subject.name)?.push((await time(subject, count)) / count);
    }
  }
  return new Map([...times].map(([name, list]) => [name, median(list)]));
}

/**
 * @param {Subject} subject
 * @returns {Promise<number>} how many runs make up a batch
 */
async function warmUp(subject) {
  const start = performance.now();
  let runs = 0;
  let last = 0;
  for (let count = 1; performance.now() - start < WARM_UP_MS; count *= 2) {
    last = (await time(subject, count)) / count;
    runs += count;
  }
  return Math.max(1, Math.min(runs, Math.round(BATCH_MS / last)));
}

/**
 * @param {Subject} subject
 * @param {number} count
 */
async function time({ run }, count) {
  const start = performance.now();
  const first = run();
  if (first instanceof Promise) {
    await first;
    for (let i = 1; i < count; i++) await run();
  } else {
    for (let i = 1; i < count; i++) run();
  }
  return performance.now() - start;
}

/** @param {readonly number[]} list that is not empty */
export function median(list) {
  const sorted = [...list].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = 0, high = 0] = sorted.slice(middle - 1 + (sorted.length % 2), middle + 1);
  return sorted.length % 2 ? low : (low + high) / 2;
}
