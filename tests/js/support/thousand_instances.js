/*
 * Makes and closes a thousand instances, and prints the memory of the process after two hundred and at the end.
 */
import process from 'node:process';

import { init } from 'minitensor';

let early = 0;
for (let count = 1; count <= 1000; count++) {
  const mt = await init();
  const x = new mt.Tensor([1, 2]);
  mt.add(x, x);
  mt.close();
  if (count % 100 === 0) globalThis.gc?.();
  if (count === 200) early = process.memoryUsage().rss;
}
console.log(JSON.stringify({ early, late: process.memoryUsage().rss }));
