import { readFileSync } from 'node:fs';

import { describe, expect, test } from '@jest/globals';

import { inProject } from '../../tools/project.js';
import { examplePlugin } from '../js/support/plugin_files.js';
import { minitensor, temporaryFolder } from './support/command.js';

const folder = temporaryFolder();
const COMMANDS = ['new', 'build', 'inspect', 'check', 'keygen', 'sign', 'verify'];

describe('minitensor', () => {
  test.each([['--help'], ['-h'], ['help']])('%s lists the commands', async (arg) => {
    const { code, stdout, stderr } = await minitensor([arg]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const name of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
  });

  test('has every command in its documentation, and no other', () => {
    const guide = readFileSync(inProject('docs/command-line.md'), 'utf8');
    const names = [...guide.matchAll(/^\| \[`(\w+)/gm)].map(([, name]) => name);
    expect(names).toEqual(COMMANDS);
  });

  test('--version prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'));
    expect(await minitensor(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  test.each(COMMANDS)('%s --help says how it is used', async (name) => {
    const { code, stdout, stderr } = await minitensor([name, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^Usage: minitensor ${name} .*\\[options\\]\n`));
    expect(await minitensor(['help', name])).toEqual({ code, stdout, stderr });
  });

  /** @type {[string[], string][]} */
  const wrong = [
    [[], 'minitensor: a command is missing'],
    [['nonsense'], 'minitensor: there is no command "nonsense"'],
    [['toString'], 'minitensor: there is no command "toString"'],
    [['help', 'toString'], 'minitensor: there is no command "toString"'],
    [['help', 'nonsense'], 'minitensor: there is no command "nonsense"'],
    [['\x1b[31m'], 'minitensor: there is no command "\\u001b[31m"'],
    [['inspect'], 'minitensor inspect: FILE is missing'],
    [['inspect', 'a', 'b'], 'minitensor inspect: "b" is one argument too many'],
    [['inspect', 'a', '--nonsense'], "minitensor inspect: unknown option '--nonsense'"],
    [['sign', 'a', '--key'], "minitensor sign: option '--key <value>' argument missing"],
    [['sign', 'a'], 'minitensor sign: --key is missing, the file of the private key'],
    [['verify', 'a'], 'minitensor verify: --key is missing, the file of a public key'],
    [['build', '--release', '--debug'], 'minitensor build: --release and --debug exclude each other'],
    [['new', 'x', '--language', 'rust'], 'minitensor new: --language must be c or c++, not "rust"'],
    [['new', 'x', '--directory', ''], 'minitensor new: --directory must not be empty'],
    ...['edit_cache', 'rebuild_cache', 'preinstall'].map((name) => /** @type {[string[], string]} */ ([
      ['new', name], `minitensor new: NAME must not be "${name}", which means something else already`,
    ])),
    [['keygen', '--out', ''], 'minitensor keygen: --out must be the name of files, not ""'],
    [['keygen', '--out', 'keys/'], 'minitensor keygen: --out must be the name of files, not "keys/"'],
    [['sign', 'a', '--key', 'b', '--out', ''], 'minitensor sign: --out must not be empty'],
    [
      ['sign', 'file:///a%2Fb', '--key', 'b'],
      'minitensor sign: "file:///a%2Fb" is no file of this machine: File URL path must not include encoded / characters',
    ],
  ];
  test.each(wrong)('%j is wrong usage', async (args, message) => {
    const { code, stdout, stderr } = await minitensor(args, { cwd: folder });
    const [first, second] = stderr.split('\n');
    expect({ code, stdout, first }).toEqual({ code: 2, stdout: '', first: message });
    expect(second).toMatch(/^minitensor.* --help says how it is used\.$/);
  });

  test('says in one line, without a stack trace, that a file is not there', async () => {
    for (const args of [['inspect', 'no.wasm'], ['check', 'no.wasm'], ['verify', 'no.wasm', '--key', 'no.pem']]) {
      const { code, stdout, stderr } = await minitensor(args, { cwd: folder });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^minitensor \w+: .*no such file or directory/);
      expect(stderr).not.toMatch(/^ +at /m);
    }
  });

  test('says that a file is a folder', async () => {
    for (const args of [['check', '.'], ['sign', '.', '--key', 'k'], ['verify', 'x', '--key', '.']]) {
      const { code, stdout, stderr } = await minitensor(args, { cwd: folder });
      expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: `minitensor ${args[0]}: . is a folder\n` });
    }
  });

  test('colours only what a terminal shows, unless it is told to', async () => {
    const args = ['inspect', examplePlugin('swish')];
    const plain = await minitensor(args);
    expect(plain.stdout).not.toContain('\x1b');
    expect((await minitensor(args, { env: { FORCE_COLOR: '0' } })).stdout).toBe(plain.stdout);
    const coloured = await minitensor(args, { env: { FORCE_COLOR: '1' } });
    expect(coloured.stdout).toContain('\x1b[1mplugin\x1b[22m');
    // eslint-disable-next-line no-control-regex
    expect(coloured.stdout.replaceAll(/\x1b\[\d+m/g, '')).toBe(plain.stdout);
  });
});
