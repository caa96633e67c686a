/*
 * Runs the soak test as often as its argument says, and prints the numbers; ends with 1 when anything has grown.
 */
import process from 'node:process';

import { soak } from './soak.js';

// What the process takes for itself varies; a leak of 2 kB in each of 5,000 rounds would be more than this.
const RSS_TOLERANCE = 8 * 2 ** 20;

for await (const { what, rounds, milliseconds, early, late } of soak(Number(process.argv[2]))) {
  console.log(`${what}: ${rounds} rounds of ${milliseconds.toFixed(3)} ms`);
  for (const key of /** @type {const} */ (['bytes', 'slots', 'used', 'rss'])) {
    const isFlat = key === 'rss' ? late.rss - early.rss < RSS_TOLERANCE : late[key] === early[key];
    console.log(`  ${key.padEnd(5)} ${early[key]} -> ${late[key]}${isFlat ? '' : '  GROWN'}`);
    if (!isFlat) process.exitCode = 1;
  }
}
