/*
 * Drops tensors and layers without disposing them, and prints what is alive before and after the collector has run.
 */
import { init } from 'minitensor';

const mt = await init();

function drop() {
  for (let i = 0; i < 900; i++) new mt.Tensor([i]);
  for (let i = 0; i < 100; i++) {
    const layer = new mt.plugins.CustomLayer('dropped');
    layer.addParameter('weight', new mt.Tensor([i]));
    // A function that refers to its layer does not keep it alive.
    layer.setForward(([x]) => x.mul(layer.getParameter('weight')));
  }
}

/** Drops layers whose dispose() fails where the engine's stack ends. */
function dropAtTheEndOfTheStack() {
  const layers = Array.from({ length: 2000 }, () => new mt.plugins.CustomLayer('refused'));
  const dive = () => {
    try {
      dive();
    } catch {
      // Then it is tried here, where there is little more.
    }
    layers.pop()?.dispose();
  };
  try {
    dive();
  } catch {
    // In the outermost frames it works.
  }
}

drop();
const before = mt.memory();
await new Promise((resolve) => setTimeout(resolve, 0)); // from then on the collector watches what was made before
dropAtTheEndOfTheStack();
// Finalizers run in tasks of their own, some time after the collector has.
for (let i = 0; i < 50 && mt.memory().layers + mt.memory().tensors > 0; i++) {
  globalThis.gc?.();
  await new Promise((resolve) => setTimeout(resolve, 10));
}
console.log(JSON.stringify({ before, after: mt.memory() }));
