import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { init } from 'minitensor';

const FILE = fileURLToPath(new URL('../build/wasm/my_plugin.wasm', import.meta.url));

const mt = await init();

before(() => mt.plugins.loadPlugin(FILE));
after(() => mt.close());

test('gives known values', () => {
  const y = mt.tidy(() => mt.customOps.execute('my_plugin', [[-3, -1, 0, 1, 3]]).toArray());
  assert.deepEqual(y, [-0.75, -0.5, 0, 0.5, 0.75]);
});

test('gives known gradients', () => {
  const gradients = mt.tidy(() => {
    const ofInputs = mt.customOps.gradients('my_plugin', [[-3, -1, 0, 1, 3]], [1, 1, 1, 1, 2]);
    return ofInputs.map((gradient) => gradient.toArray());
  });
  assert.deepEqual(gradients, [[0.0625, 0.25, 1, 0.25, 0.125]]);
});

test('leaves nothing behind', () => {
  assert.equal(mt.memory().tensors, 0);
});
