/*
 * That the fixtures are what their scripts write, which say where the numbers come from.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';

import { expect, test } from '@jest/globals';

const folder = path.resolve(import.meta.dirname, '../fixtures');
const scripts = readdirSync(folder).filter((file) => /^generate_\w+\.py$/.test(file));

/** The last digits that NumPy prints and computes are those of this release; Debian's. */
const NUMPY = '1.24.';

/** Why the scripts cannot be run here, or which Python runs them. @returns {{ python?: string, why: string }} */
function findPython() {
  let why = 'there is no python3';
  for (const python of ['python3', '/usr/bin/python3']) {
    const { status, stdout } = spawnSync(python, ['-c', 'import numpy; print(numpy.__version__)'], { encoding: 'utf8' });
    if (status === null) continue;
    const version = stdout.trim();
    if (status === 0 && version.startsWith(NUMPY)) return { python, why: '' };
    why = status === 0 ? `NumPy is ${version}, not ${NUMPY}` : 'python3 has no NumPy';
  }
  return { why };
}

const { python, why } = findPython();

test('there are scripts that make fixtures', () => {
  expect(scripts).toContain('generate_ops.py');
});

if (python === undefined) {
  test.skip(`the fixtures are not compared with what their scripts write, since ${why}`, () => undefined);
} else {
  test.each(scripts)('the fixtures of %s are what it writes', (script) => {
    // NumPy warns of calls whose results it then gives.
    const options = ['-B', '-W', 'ignore::RuntimeWarning'];
    const { status, stderr } = spawnSync(python, [...options, path.join(folder, script), '--check'], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });
}
