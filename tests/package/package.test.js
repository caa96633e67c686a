/*
 * The package as a stranger gets it: packed, installed in an empty folder without a network, imported, run and
 * type-checked.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const manifest = JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8'));
const folder = mkdtempSync(path.join(os.tmpdir(), 'minitensor-package-'));
const installed = path.join(folder, 'node_modules/minitensor');

/**
 * @typedef {object} Packed what `npm pack --json` says
 * @property {string} filename
 * @property {number} size
 * @property {number} unpackedSize
 * @property {{ path: string }[]} files
 */

/** @type {Packed} */
let packed;

/**
 * @param {string} program
 * @param {string[]} args
 * @param {string} cwd
 */
async function run(program, args, cwd = folder) {
  // Not the options of the Node that runs Jest.
  const env = { ...process.env, NODE_OPTIONS: '', npm_config_cache: path.join(folder, 'cache') };
  try {
    return (await promisify(execFile)(program, args, { cwd, env })).stdout;
  } catch (error) {
    const { stdout, stderr } = /** @type {{ stdout?: string, stderr?: string }} */ (error);
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}\n${stderr}`, { cause: error });
  }
}

/** @param {string} name @param {string | object} content */
function write(name, content) {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** @param {string} root @returns {string[]} files below it, with forward slashes */
function filesBelow(root) {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(path.join(root, name)).isFile())
    .map((name) => name.replaceAll(path.sep, '/'))
    .sort();
}

beforeAll(async () => {
  const output = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], PROJECT);
  packed = JSON.parse(output)[0];
  write('package.json', { name: 'stranger', version: '1.0.0', type: 'module', private: true });
  const tarball = path.join(folder, packed.filename);
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts', tarball]);
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the tarball', () => {
  test('contains dist/, the guides, the examples and what npm always adds, and nothing else', () => {
    const always = /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|CONTRIBUTING\.md)$/;
    const names = packed.files.map((file) => file.path);
    const guides = readdirSync(path.join(PROJECT, 'docs')).filter((name) => name.endsWith('.md'));
    const examples = filesBelow(path.join(PROJECT, 'examples')).filter((name) => !/(^|\/)(build|node_modules)\//.test(name));
    expect(names.filter((name) => !name.startsWith('dist/') && !always.test(name)).sort()).toEqual(
      [...guides.map((name) => `docs/${name}`), ...examples.map((name) => `examples/${name}`)].sort(),
    );
    expect(names.filter((name) => name.startsWith('dist/')).sort()).toEqual(
      filesBelow(path.join(PROJECT, 'dist')).map((name) => `dist/${name}`),
    );
    expect(names).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'CHANGELOG.md']));
  });

  test('has what its documents link to', () => {
    const documents = packed.files.map((file) => file.path).filter((name) => name.endsWith('.md') && !name.startsWith('dist/'));
    for (const name of documents) {
      const text = readFileSync(path.join(installed, name), 'utf8').replaceAll(/^```.*?^```$/gms, '');
      for (const [, target = ''] of text.matchAll(/\]\(([^)#\s]+)(?:#[^)\s]*)?\)/g)) {
        if (/^https?:/.test(target)) continue;
        const file = path.join(installed, path.dirname(name), target);
        expect({ name, target, exists: existsSync(file) }).toEqual({ name, target, exists: true });
      }
    }
    expect(documents).toContain('docs/write-a-plugin.md');
  });

  test('contains no tests, no sources of the core, no build and no secrets', () => {
    // Those of the command line are what a new project has, and those of examples are to be read.
    const own = packed.files.filter((file) => !/^(dist\/cli\/templates|examples)\//.test(file.path));
    for (const { path: name } of own) {
      expect(name).not.toMatch(/(^|\/)(tests?|build|node_modules|bindings|\.git|\.ci|\.env)(\/|$)|\.test\.js$|\.cpp$|\.js\.map$/);
    }
  });

  test('is what is installed, and its size is printed', () => {
    expect(filesBelow(installed)).toEqual(packed.files.map((file) => file.path).sort());
    const kilobytes = (/** @type {number} */ bytes) => `${(bytes / 1000).toFixed(1)} kB`;
    process.stdout.write(`${packed.filename}: ${kilobytes(packed.size)}, unpacked ${kilobytes(packed.unpackedSize)}\n`);
  });

  test('names no file that it does not have', () => {
    /** @type {(entry: unknown) => string[]} */
    const targets = (entry) =>
      typeof entry === 'string' ? [entry] : Object.values(/** @type {object} */ (entry)).flatMap(targets);
    const names = new Set(packed.files.map((file) => `./${file.path}`));
    for (const target of targets(manifest.exports)) {
      const [start = '', end = ''] = target.split('*');
      expect([...names].filter((name) => name.startsWith(start) && name.endsWith(end))).not.toEqual([]);
    }
  });

  test('brings no other package along', () => {
    expect(readdirSync(path.join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['minitensor']);
  });
});

const PROGRAM = `
  import { readFileSync } from 'node:fs';
  import { fileURLToPath } from 'node:url';
  import { VERSION, init } from 'minitensor';
  import { NotImplementedError, init as initStatic } from 'minitensor/static';
  const mt = await init();
  const file = new URL(import.meta.resolve('minitensor/examples/plugins/swish.wasm'));
  await mt.plugins.loadPlugin(file);
  const swish = mt.customOps.execute('swish', [[0, 1]]).toArray();
  mt.plugins.unloadPlugin('swish');
  await mt.plugins.loadPlugin(fileURLToPath(import.meta.resolve('minitensor/examples/plugins/rmsnorm.wasm')));
  const wasm = readFileSync(fileURLToPath(import.meta.resolve('minitensor/core/minitensor.wasm')));
  const sum = (await init({ wasm })).sum([1, 2, 3]).item();
  const fixed = await initStatic();
  const refused = await fixed.plugins.loadPlugin(file).catch((error) => error instanceof NotImplementedError);
  console.log(JSON.stringify({ VERSION, swish, sum, refused, plugins: mt.plugins.listPlugins().map(String) }));
`;

describe('the installed package', () => {
  test('runs in Node, and loads the plugins that it ships', async () => {
    const output = await run(process.execPath, [write('program.js', PROGRAM)]);
    expect(JSON.parse(output)).toEqual({
      VERSION: manifest.version,
      swish: [0, expect.closeTo(1 / (1 + Math.exp(-1)), 6)],
      sum: 6,
      refused: true,
      plugins: ['rmsnorm 1.0.0'],
    });
  });

  test('runs from another working folder', async () => {
    const output = await run(process.execPath, [write('program.js', PROGRAM)], os.tmpdir());
    expect(JSON.parse(output).sum).toBe(6);
  });

  test('prints nothing of itself', async () => {
    const program = write('silent.js', "import { init } from 'minitensor'; const mt = await init(); mt.add(1, 2).dispose();");
    expect(await run(process.execPath, [program])).toBe('');
  });

  test('keeps its inner files to itself', async () => {
    const program = write('inner.js', "await import('minitensor/dist/core.js').catch((error) => console.log(error.code));");
    expect((await run(process.execPath, [program])).trim()).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });
});

const TYPED = `
  import { MiniTensorError, PluginError, PluginInfo, ValueError, VersionInfo, init } from 'minitensor';
  import { decodeNpy } from 'minitensor/files';
  import { SGD } from 'minitensor/optim';
  import { init as initStatic } from 'minitensor/static';
  const mt = await init();
  const fixed = await initStatic({ wasm: new Uint8Array() });
  const x = new mt.Tensor([[1, 2], [3, 4]], { dtype: 'float64' });
  const y = mt.matmul(x, x.transpose({ axes: [1, 0] })).sum({ axis: [0], keepDims: true });
  const shape: readonly number[] = y.shape;
  new SGD(mt, [decodeNpy(mt, new ArrayBuffer(8))], { lr: 1 }).step();
  const values: Float32Array | Float64Array = y.toTypedArray();
  mt.customOps.register({
    name: 'op',
    numInputs: 2,
    attributes: { scale: 1, mode: { type: 'string' } },
    forward: ([a, b], { scale }) => a.add(b.mul(scale as number)),
    outputShape: ([a]) => a.shape,
  });
  const builder = new mt.plugins.PluginBuilder().name('p').version(new VersionInfo(1, 0, 0));
  const plugin = builder.description('').author('').minMinitensorVersion(VersionInfo.current()).build();
  const info: PluginInfo = plugin.info;
  const loaded: PluginInfo = await mt.plugins.loadPlugin(new URL('file:///x.wasm'));
  const layer = new mt.plugins.CustomLayer('l');
  layer.setForward(([a]) => a.mul(layer.getParameter('w')));
  const kept = mt.tidy(() => ({ a: x.add(1) }));
  try { kept.a.item(); } catch (error) {
    if (error instanceof PluginError) console.log(error.phase, error.symbols.length, error.hint);
    if (error instanceof MiniTensorError) console.log(error.code);
  }
  // @ts-expect-error: an attribute that there is not
  x.sum({ axes: [0] });
  // @ts-expect-error: text is no tensor
  x.add('1');
  // @ts-expect-error: a required attribute
  x.reshape();
  // @ts-expect-error: a dtype that there is not
  new mt.Tensor([1], { dtype: 'int8' });
  // @ts-expect-error: read-only
  info.name = 'other';
  export { fixed, loaded, shape, values, ValueError };
`;

describe('the types of the installed package', () => {
  test.each([
    ['nodenext', 'nodenext'],
    ['node16', 'node16'],
    ['esnext', 'bundler'],
  ])('resolve under --strict with module %s and resolution %s', async (module, moduleResolution) => {
    write(`types-${module}/program.ts`, TYPED);
    write(`types-${module}/package.json`, { type: 'module' });
    const config = write(`types-${module}/tsconfig.json`, {
      compilerOptions: {
        strict: true, noEmit: true, target: 'es2022', lib: ['es2023', 'dom'], types: [], module, moduleResolution,
        // The declarations themselves are checked, too.
        skipLibCheck: false,
      },
      files: ['program.ts'],
    });
    expect(await run(process.execPath, [path.join(PROJECT, 'node_modules/typescript/bin/tsc'), '--project', config])).toBe('');
  });
});
