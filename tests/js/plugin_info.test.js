import { describe, expect, test } from '@jest/globals';
import { PluginInfo, ValueError, VersionInfo } from 'minitensor';

import { expectError, thrownBy, wrong } from './support/errors.js';
import { builderFor, instanceForTests } from './support/instance.js';

const mt = await instanceForTests();

describe('PluginInfo', () => {
  test('is read-only', () => {
    const { info } = builderFor(mt, 'fixed').build();
    for (const field of Object.keys(info)) {
      expect(() => Object.assign(info, { [field]: 'other' })).toThrow(TypeError);
    }
    expect(info.name).toBe('fixed');
  });

  test('prints as name and version', () => {
    expect(`${builderFor(mt, 'fixed').build().info}`).toBe('fixed 1.2.3');
  });

  test('equals one of the same fields', () => {
    const { info } = builderFor(mt, 'a').build();
    expect(info.equals(builderFor(mt, 'a').build().info)).toBe(true);
    expect(info.equals(builderFor(mt, 'b').build().info)).toBe(false);
    expect(info.equals(builderFor(mt, 'a').maxMinitensorVersion(new VersionInfo(1, 0, 0)).build().info)).toBe(false);
    expect(info.equals({ ...info })).toBe(false);
  });

  test('is the same class in every instance', () => {
    expect(mt.plugins.PluginInfo).toBe(PluginInfo);
    expect(mt.plugins.VersionInfo).toBe(VersionInfo);
  });

  test.each([
    undefined,
    null,
    'name',
    {},
    { name: 1 },
    { name: 'x', description: '', author: '' },
    { name: 'x', description: '', author: '', version: '1.0.0', minMinitensorVersion: '0.1.0' },
    { name: 'x', description: '', author: '', version: {}, minMinitensorVersion: {} },
  ])('refuses fields of wrong types (%#)', (fields) => {
    expectError(thrownBy(() => new PluginInfo(wrong(fields))), TypeError, /PluginInfo|VersionInfo/);
  });
});

describe('a CustomPlugin of a PluginInfo that the core refuses', () => {
  test('is not registered, and nothing of it stays', () => {
    const version = new VersionInfo(1, 0, 0);
    const info = new PluginInfo({ name: '', description: '', author: '', version, minMinitensorVersion: version });
    const registry = new mt.plugins.PluginRegistry();
    const plugin = new mt.plugins.CustomPlugin(info);
    expectError(thrownBy(() => registry.register(plugin)), ValueError, 'name is empty');
    expect(registry.listPlugins()).toEqual([]);
  });
});
