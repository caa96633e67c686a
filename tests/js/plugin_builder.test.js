import { describe, expect, test } from '@jest/globals';
import { ValueError, VersionInfo } from 'minitensor';

import { callWith, expectError, thrownBy } from './support/errors.js';
import { builderFor, instanceForTests } from './support/instance.js';

const mt = await instanceForTests();
const { plugins } = mt;

/** The setters that are needed, and a value for each. */
const required = /** @type {const} */ ({
  name: 'complete',
  version: new VersionInfo(1, 2, 3),
  description: 'For tests',
  author: 'The tests',
  minMinitensorVersion: new VersionInfo(0, 1, 0),
});

/** @param {readonly string[]} setters */
function builderWith(setters) {
  const builder = new plugins.PluginBuilder();
  for (const [setter, value] of Object.entries(required)) {
    if (setters.includes(setter)) callWith(builder, setter, [value]);
  }
  return builder;
}

/** "minMinitensorVersion", however the message spells it. @param {string} message */
function withoutSpelling(message) {
  return message.replaceAll('_', '').toLowerCase();
}

describe('PluginBuilder', () => {
  test('build gives a CustomPlugin with the metadata', () => {
    const plugin = builderFor(mt, 'complete').maxMinitensorVersion(new VersionInfo(2, 0, 0)).build();
    expect(plugin).toBeInstanceOf(plugins.CustomPlugin);
    const { info } = plugin;
    expect(info).toBeInstanceOf(plugins.PluginInfo);
    expect(JSON.parse(JSON.stringify(info))).toEqual({
      name: 'complete',
      version: '1.2.3',
      description: 'For tests',
      author: 'The tests',
      minMinitensorVersion: '0.1.0',
      maxMinitensorVersion: '2.0.0',
    });
  });

  test('every setter gives the builder', () => {
    const builder = new plugins.PluginBuilder();
    const values = { ...required, maxMinitensorVersion: new VersionInfo(1, 0, 0) };
    for (const [setter, value] of Object.entries(values)) expect(callWith(builder, setter, [value])).toBe(builder);
  });

  test('without a maximum version there is none', () => {
    expect(builderFor(mt, 'complete').build().info.maxMinitensorVersion).toBeUndefined();
  });

  const names = Object.keys(required);
  // Every set of setters but the full one.
  const count = 2 ** names.length - 1;
  const subsets = Array.from({ length: count }, (_, bits) => names.filter((_name, i) => bits & (2 ** i)));

  test.each(subsets.map((given) => ({ given })))('build names all that is missing beside [$given]', ({ given }) => {
    const error = expectError(thrownBy(() => builderWith(given).build()), ValueError, 'missing');
    const listed = withoutSpelling(error.message).split('missing: ')[1]?.split(', ');
    expect(listed).toEqual(names.filter((name) => !given.includes(name)).map(withoutSpelling));
    expect(error.code).toBe('MT_VALUE');
  });

  test('build refuses an empty name', () => {
    expectError(thrownBy(() => builderFor(mt, '').build()), ValueError, 'name is empty');
  });

  test('build takes an empty description and author', () => {
    expect(builderFor(mt, 'x').description('').author('').build().info).toMatchObject({ description: '', author: '' });
  });

  test('build refuses a maximum version below the minimum', () => {
    const builder = builderFor(mt, 'x').minMinitensorVersion(new VersionInfo(0, 2, 0));
    builder.maxMinitensorVersion(new VersionInfo(0, 1, 9));
    expectError(thrownBy(() => builder.build()), ValueError, /0\.1\.9 is below .*0\.2\.0/);
  });

  test('build takes a maximum version equal to the minimum', () => {
    const builder = builderFor(mt, 'x').maxMinitensorVersion(new VersionInfo(0, 1, 0));
    expect(String(builder.build().info.maxMinitensorVersion)).toBe('0.1.0');
  });

  test('a builder can be used again, and what it built does not change', () => {
    const builder = builderFor(mt, 'first');
    const first = builder.build();
    const second = builder.name('second').build();
    expect([first.info.name, second.info.name]).toEqual(['first', 'second']);
  });

  test('text of any language survives', () => {
    const name = 'ядро-コア-🧮-\u0301';
    expect(builderFor(mt, name).build().info.name).toBe(name);
  });

  test.each(['name', 'description', 'author'])('%s refuses what is no text', (setter) => {
    for (const value of [undefined, null, 1, {}, [], Symbol('x'), 'a\ud800b']) {
      expectError(thrownBy(() => callWith(new plugins.PluginBuilder(), setter, [value])), TypeError, setter);
    }
    expectError(thrownBy(() => callWith(builderFor(mt, 'x'), setter, ['a\0b']) && builderFor(mt, 'a\0b').build()),
      ValueError, 'NUL');
  });

  test.each(['version', 'minMinitensorVersion', 'maxMinitensorVersion'])('%s refuses what is no version', (setter) => {
    for (const value of [undefined, null, '1.2.3', 1, { major: 1, minor: 2, patch: 3 }]) {
      expectError(thrownBy(() => callWith(new plugins.PluginBuilder(), setter, [value])), TypeError, setter);
    }
  });
});
