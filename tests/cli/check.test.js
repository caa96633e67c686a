/*
 * `minitensor check`. What a plugin does wrong is known from its source: tests/plugins/wrong.c does one thing in each.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';

import { describe, expect, test } from '@jest/globals';

import { inProject } from '../../tools/project.js';
import { examplePlugin, testPlugin } from '../js/support/plugin_files.js';
import { minitensor, temporaryFolder } from './support/command.js';

const folder = temporaryFolder();

/** @param {string} file @param {...string} options */
async function check(file, ...options) {
  const { code, stdout, stderr } = await minitensor(['check', file, '--json', ...options]);
  return { code, stderr, report: stdout ? JSON.parse(stdout) : null };
}

/** @typedef {{ check: string, message: string }} Problem */

describe('check finds nothing wrong', () => {
  test('with an op in C, the float64 gradients of which it compares closely', async () => {
    const { code, stderr, report } = await check(examplePlugin('swish'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(report).toMatchObject({
      ok: true,
      plugin: 'swish 1.0.0',
      ops: [{ name: 'swish', inputs: 1, refused: 0, dtypes: ['float32', 'float64'], problems: [] }],
      layers: [],
      reload: { cycles: 200, problems: [] },
    });
    const [{ accepted, gradient }] = report.ops;
    expect(accepted).toBeGreaterThan(40);
    expect(gradient.compared).toBeGreaterThan(100);
    expect(gradient.worst).toBeLessThan(1e-7);
  });

  test('with an op of two inputs and a layer in C++, the configuration of which it finds', async () => {
    const { code, report } = await check(examplePlugin('rmsnorm'));
    expect(code).toBe(0);
    expect(report.ops).toMatchObject([{ name: 'rmsnorm', inputs: 2, problems: [] }]);
    expect(report.ops[0].refused).toBeGreaterThan(report.ops[0].accepted);
    expect(report.layers).toEqual([
      {
        name: 'RMSNorm',
        config: { size: 4 },
        parameters: ['weight'],
        accepted: expect.any(Number),
        stateful: false,
        problems: [],
      },
    ]);
    expect(report.layers[0].accepted).toBeGreaterThan(1);
  });

  test('with a right op, of which the wrong ones below differ in one thing', async () => {
    expect((await check(testPlugin('wrong_nothing'))).report.ok).toBe(true);
  });

  test('with ops that take integers, and no others', async () => {
    const { code, report } = await check(testPlugin('cpp_dtypes'));
    expect(code).toBe(0);
    const [isPositive, next, seven] = [...report.ops].sort(
      (/** @type {{ name: string }} */ a, /** @type {{ name: string }} */ b) => (a.name < b.name ? -1 : 1),
    );
    expect(next).toMatchObject({ name: 'cpp_next', dtypes: ['int32', 'int64', 'uint8'], problems: [] });
    expect(next.accepted).toBeGreaterThan(50);
    const numbers = ['float32', 'float64', 'int32', 'int64', 'uint8'];
    expect(isPositive).toMatchObject({ dtypes: numbers, problems: [] });
    expect(seven).toMatchObject({ dtypes: [...numbers, 'bool'], problems: [] });
  });

  test('with an op that takes floats with integers, which it tries as places in them', async () => {
    const { code, report } = await check(testPlugin('dtypes_gather'));
    expect(code).toBe(0);
    expect(report.ops).toMatchObject([{ inputs: 2, dtypes: ['float32', 'int64'], problems: [] }]);
    expect(report.ops[0].accepted).toBeGreaterThan(5);
    expect(report.ops[0].gradient.compared).toBeGreaterThan(5);
  });

  test('with an op whose results are integers, and says that they have no gradient', async () => {
    const { code, report } = await check(testPlugin('dtypes_argmax'));
    expect(code).toBe(0);
    expect(report.ops[0]).toMatchObject({ gradient: { compared: 0, output: 'int64' }, problems: [] });
    const { stdout } = await minitensor(['check', testPlugin('dtypes_argmax')]);
    expect(stdout).toMatch(/^not compared: the gradient of dtypes_argmax, as its results are int64, which have none$/m);
  });

  test('with a right layer, of which the wrong ones below differ in one thing', async () => {
    const { code, report } = await check(testPlugin('wrong_layer_nothing'));
    expect(code).toBe(0);
    expect(report.layers).toMatchObject([{ name: 'Scale', parameters: ['weight'], problems: [] }]);
  });

  test('with a plugin of exceptions, containers and static objects', async () => {
    expect((await check(testPlugin('cpp_plugin'))).report).toMatchObject({ reload: { problems: [] } });
  });
});

describe('check finds', () => {
  /** @type {[string, string, string | RegExp][]} */
  const wrong = [
    ['gradient', 'gradients', /^backward says \S+ for input 0 at \[[\d, ]*\], finite differences \S+ ± \S+: float64 \[/],
    ['attribute', 'gradients', /^backward says .* float64 \[.*\], scale = 0\.5$/],
    ['writes_input', 'inputs unchanged', 'forward writes to input 0: float32 []'],
    ['backward_writes_input', 'inputs unchanged', /^backward writes to input 0: float/],
    ['leaks', 'leaks', /^forward keeps 48 bytes in each call: float/],
    ['float32', 'dtypes', /^forward in float32 and float64 gives /],
    ['tail', 'determinism', /^the same inputs give another result the second time: float/],
    ['counts_calls', 'determinism', /^the same inputs give another result the second time: float/],
    ['backward_refuses', 'gradients', /^backward refuses what forward takes \(.*not today\): float/],
    ['refuses', 'inputs', /^it takes none of the \d+ inputs that were tried \(.*takes nothing\); give it others with --shapes/],
    ['traps_when_empty', 'faults', /^forward: .*unreachable: float32 \[0\]$/],
  ];
  test.each(wrong)('an op that is wrong: %s', async (name, kind, message) => {
    const { code, stderr, report } = await check(testPlugin(`wrong_${name}`));
    expect({ code, stderr, ok: report.ok }).toEqual({ code: 1, stderr: '', ok: false });
    const problem = report.ops[0].problems.find((/** @type {Problem} */ found) => found.check === kind);
    expect(problem.message).toMatch(message);
  });

  /** @type {[string, string][]} */
  const damages = [
    ['output', 'forward writes beyond the end of its output: float32 [3, 4]'],
    ['small', 'forward writes beyond the end of its output: float32 [4]'],
    ['gradient', 'backward writes beyond the end of the gradient for input 0: float32 []'],
    ['grad_output', 'backward writes to the gradient of the output: float32 []'],
    ['forward_output', 'backward writes to the output: float32 []'],
    ['twice', 'forward frees memory twice: float32 []'],
    ['freed', 'forward writes to memory that it has freed: float32 []'],
    ['block', 'forward writes beyond the end of memory that it has allocated: float32 []'],
  ];
  test.each(damages)('an op that damages memory: %s', async (name, message) => {
    const { code, stderr, report } = await check(testPlugin(`damages_${name}`));
    expect({ code, stderr, ok: report.ok }).toEqual({ code: 1, stderr: '', ok: false });
    expect(report.ops[0].problems).toEqual([{ check: 'faults', message }]);
    expect(report).toMatchObject({ untested: [], reload: { cycles: 200, problems: [] } });
  });

  test('that memory is damaged where no guard is, by what becomes of the engine', async () => {
    const { code, stderr, report } = await check(testPlugin('damages_engine'));
    expect({ code, stderr, ok: report.ok }).toEqual({ code: 1, stderr: '', ok: false });
    const message = 'the plugin has damaged memory: does it write outside its output, or free twice? It was at: float32 []';
    expect(report.ops[0].problems).toEqual([{ check: 'faults', message }]);
    expect(report).toMatchObject({ untested: ['unloading'], reload: { cycles: 0, problems: [] } });
    const { stdout } = await minitensor(['check', testPlugin('damages_engine')]);
    expect(stdout).toMatch(/^not tested, as the engine cannot go on: unloading$/m);
    expect(stdout).not.toMatch(/^loaded and unloaded/m);
  });

  /** @type {[string, string, string | RegExp][]} */
  const dtypes = [
    ['int64', 'faults', /^forward: .*unreachable: int64 \[\]$/],
    ['mix', 'faults', /^forward: .*unreachable: float32 \[\], int64 \[\]$/],
    ['attribute', 'gradients', /^backward says .* float32 \[.*\], scale = 0\.5$/],
    ['gradient', 'determinism', /^the same inputs give another gradient the second time: float32 \[/],
    ['negative_size', 'faults', /^forward: .*output_shape: negative size in shape \[-1\]: float32 \[\]$/],
    ['only_7x7', 'inputs', /^it takes none of the 18 inputs that were tried \(op "dtypes_only_7x7": wants 7x7\); give /],
  ];
  test.each(dtypes)('an op of declared dtypes that is wrong: %s', async (name, kind, message) => {
    const { code, stderr, report } = await check(testPlugin(`dtypes_${name}`));
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(report.ops[0].problems).toEqual([{ check: kind, message: expect.stringMatching(message) }]);
  });

  /** @type {[string, string, string | RegExp][]} */
  const layers = [
    ['input', 'inputs unchanged', /^forward writes to input 0: float32 \[\]$/],
    ['parameter', 'parameters unchanged', /^forward writes to the parameter "weight": float32 \[1\]$/],
    ['random', 'determinism', /^the same inputs give another result the second time: float32 \[\]$/],
    ['leaks', 'leaks', /^forward keeps 77 bytes in each call: float/],
    ['traps', 'faults', /^forward: .*unreachable: float32 \[3, 4\]$/],
    ['refuses', 'inputs', /^it takes none of the \d+ inputs that were tried \(.*takes nothing\); give it others with --sh/],
    ['three', 'inputs', /^it takes none of the \d+ inputs that were tried \(.*wants 3 inputs\); give it others with --/],
  ];
  test.each(layers)('a layer that is wrong: %s', async (name, kind, message) => {
    const { code, stderr, report } = await check(testPlugin(`wrong_layer_${name}`));
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(report.layers[0].problems).toEqual([{ check: kind, message: expect.stringMatching(message) }]);
  });

  test('memory that is not given back at unload', async () => {
    const { code, report } = await check(testPlugin('wrong_leaks_at_unload'));
    expect(code).toBe(1);
    expect(report.ops[0].problems).toEqual([]);
    expect(report.reload.problems).toEqual([{ check: 'unload', message: '1000 bytes are not given back at unload' }]);
  });

  test('what a plugin leaks that is too large to be instantiated without waiting', async () => {
    const name = Buffer.from('\x07padding');
    // A custom section of 2 MiB: its size is 0x200000, in LEB128.
    const padding = Buffer.alloc(0x200000 - name.length);
    const section = Buffer.concat([Buffer.from([0, 0x80, 0x80, 0x80, 0x01]), name, padding]);
    const file = path.join(folder, 'large.wasm');
    writeFileSync(file, Buffer.concat([readFileSync(testPlugin('wrong_leaks')), section]));
    const { report } = await check(file);
    const [problem] = report.ops[0].problems;
    expect(problem.message).toMatch(/^forward keeps 48 bytes in each call/);
    expect(report.reload.problems.map((/** @type {Problem} */ found) => found.check)).toEqual(['unload']);
  }, 120_000);

  test('an op that aborts, and one that uses up the stack', async () => {
    const { code, report } = await check(testPlugin('faults_in_op'));
    expect(code).toBe(1);
    // That one asks for too much memory, and is told so.
    const faulty = report.ops.filter((/** @type {{ name: string }} */ { name }) => name !== 'fill_memory');
    expect(faulty).toHaveLength(report.ops.length - 1);
    for (const { problems } of faulty) {
      expect(problems.map((/** @type {Problem} */ found) => found.check)).toContain('faults');
    }
  });

  test('an op that hangs, and ends it', async () => {
    const file = path.join(folder, 'hängt.wasm');
    copyFileSync(testPlugin('wrong_hangs'), file);
    const { code, stdout, stderr } = await minitensor(['check', file, '--timeout', '2']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      'minitensor check: the check did not end within 2 s; it was at: op "wrong_hangs", float32 []\nhint: give it longer: --timeout\n',
    );
  });

  test('a plugin that does not load, and says why', async () => {
    const { code, stderr } = await check(testPlugin('missing_import'));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^minitensor check: .*missing_import/);
    expect(stderr).not.toMatch(/^ +at /m);
  });

  test('that a file is too large to be a plugin, as inspect does', async () => {
    const file = path.join(folder, 'huge.wasm');
    writeFileSync(file, '');
    truncateSync(file, 3 * 2 ** 30);
    const [checked, inspected] = await Promise.all([minitensor(['check', file]), minitensor(['inspect', file])]);
    expect(checked.stderr).toMatch(/^minitensor check: plugin file .* is too large: it has 3221225472 bytes/);
    expect(checked).toEqual({ ...inspected, stderr: inspected.stderr.replace('minitensor inspect', 'minitensor check') });
  });

  test('that a file is no plugin', async () => {
    const { code, stderr } = await check(inProject('README.md'));
    expect(code).toBe(1);
    expect(stderr).toMatch(/^minitensor check: plugin file .*README\.md is of an unknown kind/);
  });
});

describe('check', () => {
  test('prints a table of the ops, and the problems', async () => {
    const good = await minitensor(['check', examplePlugin('swish')]);
    expect(good.stdout).toMatch(/^swish 1\.0\.0\n\n +taken +refused +dtypes +gradient +result\nop swish +\d+ +0 +float32, float64 +\d+ compared, off by \de-\d+ +ok\n\nloaded and unloaded 200 times: ok\n\nNo problem was found\.\n$/);
    const bad = await minitensor(['check', testPlugin('wrong_float32')]);
    expect(bad.stdout).toMatch(/^problem {2}op "wrong_float32": dtypes: forward in float32 and float64 gives /m);
    expect(bad.stdout).toMatch(/\n\n1 problem found\.\n$/);
  });

  test('prints what docs/command-line.md shows', async () => {
    const guide = readFileSync(inProject('docs/command-line.md'), 'utf8');
    const { stdout } = await minitensor(['check', examplePlugin('swish')]);
    expect(guide).toContain(`\`\`\`text\n${stdout}\`\`\``);
  });

  test('takes shapes and attributes for an op', async () => {
    const { code, report } = await check(
      examplePlugin('swish'), '--shapes', 'swish=3x2', '--attributes', 'swish={"beta": 2}',
    );
    expect(code).toBe(0);
    // float32 and float64, each with usual values and with special ones.
    expect(report.ops[0]).toMatchObject({ accepted: 4, gradient: { compared: 6 } });
  });

  test('takes large shapes', async () => {
    const { code, report } = await check(
      examplePlugin('swish'), '--shapes', 'swish=400x400', '--attributes', 'swish={"beta": 2}',
    );
    expect(code).toBe(0);
    expect(report.ops[0]).toMatchObject({ accepted: 4, problems: [] });
  }, 120_000);

  test('takes shapes for a type of layer, and leaves out what compares two results of it', async () => {
    const three = await check(testPlugin('wrong_layer_three'), '--shapes', 'Scale=2,2,2');
    expect(three.code).toBe(0);
    expect(three.report.layers).toMatchObject([{ accepted: 2, problems: [] }]);
    const random = await check(testPlugin('wrong_layer_random'), '--stateful', 'Scale');
    expect(random.code).toBe(0);
    expect(random.report.layers).toMatchObject([{ stateful: true, problems: [] }]);
  });

  test('takes a file: URL', async () => {
    const { code, stdout } = await minitensor(['check', pathToFileURL(examplePlugin('swish')).href]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/No problem was found/) });
  });

  test('does not take names of ops for those of JavaScript', async () => {
    const { code, report } = await check(testPlugin('constructor'));
    expect(code).toBe(0);
    expect(report.ops).toMatchObject([{ name: 'constructor', problems: [] }]);
  });

  test('says that nothing but loading was tested of a plugin without ops and layers', async () => {
    const { code, stdout } = await minitensor(['check', testPlugin('no_ops')]);
    expect(code).toBe(0);
    expect(stdout).toBe([
      'no_ops 1.0.0', '', 'it has no ops and no layers: nothing but loading was tested',
      'loaded and unloaded 200 times: ok', '', 'No problem was found.', '',
    ].join('\n'));
  });

  test('compares no two results of an op that is said to have a state, and says so', async () => {
    const { code, report } = await check(testPlugin('wrong_counts_calls'), '--stateful', 'wrong_counts_calls');
    expect(code).toBe(0);
    expect(report.ops[0]).toMatchObject({ stateful: true, gradient: { compared: 0 }, problems: [] });
    const { stdout } = await minitensor(['check', testPlugin('wrong_counts_calls'), '--stateful', 'wrong_counts_calls']);
    expect(stdout).toMatch(/^not compared, as --stateful says: two results of wrong_counts_calls$/m);
    // All else is as before.
    const leaks = await check(testPlugin('wrong_leaks'), '--stateful', 'wrong_leaks');
    expect(leaks.report.ops[0].problems.map((/** @type {Problem} */ found) => found.check)).toEqual(['leaks']);
  });

  /** @type {[string[], string][]} */
  const usage = [
    [['--timeout', 'soon'], '--timeout must be a number of seconds from 0 to 86400, not "soon"'],
    [['--timeout', '0'], '--timeout must be a number of seconds from 0 to 86400, not "0"'],
    [['--shapes', 'swish'], '--shapes cannot be read: "swish"'],
    [['--shapes', 'swish=3y4'], '--shapes cannot be read: "swish=3y4"'],
    [['--attributes', 'swish={beta: 2}'], '--attributes cannot be read: "swish={beta: 2}"'],
    [['--attributes', 'swish=[2]'], '--attributes cannot be read: "swish=[2]"'],
    [
      ['--shapes', 'swish=99999999x99999999'],
      '--shapes: 99999999x99999999 has 9999999800000000 elements, and an input has at most 16777216 here',
    ],
    [['--shapes', 'nosuch=2x3'], '--shapes: the plugin has no "nosuch"; its ops and layers are: swish'],
    [['--attributes', 'nosuch={"beta": 2}'], '--attributes: the plugin has no "nosuch"; its ops and layers are: swish'],
    [['--stateful', 'swish,constructor'], '--stateful: the plugin has no "constructor"; its ops and layers are: swish'],
  ];
  test.each(usage)('%j is wrong usage', async (options, message) => {
    const { code, stderr } = await minitensor(['check', examplePlugin('swish'), ...options]);
    expect(code).toBe(2);
    expect(stderr).toContain(`minitensor check: ${message}\n`);
  });

  test.each(/** @type {const} */ (['SIGINT', 'SIGTERM']))('ends with its child on %s, though that hangs', async (signal) => {
    const main = inProject('dist/cli/main.js');
    const running = spawn(process.execPath, [main, 'check', testPlugin('wrong_hangs')], { detached: true });
    const group = /** @type {number} */ (running.pid);
    const isAlive = () => {
      try {
        return process.kill(-group, 0);
      } catch {
        return false;
      }
    };
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect(isAlive()).toBe(true);
    running.kill(signal);
    expect(await once(running, 'close')).toEqual([null, signal]);
    for (let tries = 0; tries < 100 && isAlive(); tries++) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isAlive()).toBe(false);
  });
});
