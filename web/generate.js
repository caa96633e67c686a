/**
 * Numbers in equal steps.
 * @param {number} from
 * @param {number} to included
 * @param {number} count
 */
export function linspace(from, to, count) {
  return Array.from({ length: count }, (_, index) =>
    // As a mean of the ends, so that both are met exactly and nothing overflows.
    count === 1 ? from : from * (1 - index / (count - 1)) + to * (index / (count - 1)),
  );
}

/**
 * Random numbers of the standard normal distribution, the same for the same seed.
 * @param {number} count
 * @param {number} seed
 */
export function randomNormal(count, seed) {
  const uniform = mulberry32(seed);
  // Box and Muller, 1958. 1 - u is never 0.
  const one = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return Array.from({ length: count }, one);
}

/**
 * The generator of that name by Tommy Ettinger.
 * @param {number} seed
 */
function mulberry32(seed) {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
