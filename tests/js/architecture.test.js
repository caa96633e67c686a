import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { afterEach, describe, expect, test } from '@jest/globals';

import { checkCppRooms } from '../../tools/architecture/cpp.js';
import { checkJavaScriptRooms } from '../../tools/architecture/javascript.js';
import { checkExportedSymbols, checkListedSources } from '../../tools/architecture/lists.js';
import { PROJECT, inProject } from '../../tools/project.js';

/** @type {string[]} */
const trees = [];

afterEach(() => {
  for (const root of trees.splice(0)) rmSync(root, { recursive: true });
});

/**
 * @param {Record<string, string>} files by path
 * @returns {string} the root of a checkout that has just these
 */
function tree(files) {
  const root = mkdtempSync(path.join(os.tmpdir(), 'minitensor-tree-'));
  trees.push(root);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.join(root, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  return root;
}

describe('this checkout', () => {
  test('has no include that points upward', () => {
    expect(checkCppRooms(PROJECT)).toEqual([]);
  });

  test('has no import that points upward', () => {
    expect(checkJavaScriptRooms(PROJECT)).toEqual([]);
  });

  test('compiles every source', () => {
    expect(checkListedSources(PROJECT)).toEqual([]);
  });

  test('defines every symbol that it exports to JavaScript', () => {
    expect(checkExportedSymbols(PROJECT)).toEqual([]);
  });

  test('can be installed from any npm registry', () => {
    expect(readFileSync(inProject('package-lock.json'), 'utf8')).not.toContain('"resolved"');
  });
});

describe('rooms of C++', () => {
  test('an include from a higher room is found, with its file and line', () => {
    const root = tree({ 'src/minitensor/tensor/tensor.cpp': '#include <vector>\n\n#include "minitensor/ops/op.h"\n' });
    expect(checkCppRooms(root)).toEqual([
      { file: 'src/minitensor/tensor/tensor.cpp', line: 3, rule: 'tensor must not include ops: "minitensor/ops/op.h"' },
    ]);
  });

  test('an include from the same or a lower room is fine', () => {
    const root = tree({
      'src/minitensor/ops/op.cpp': '#include "minitensor/ops/op.h"\n#include "minitensor/base/error.h"\n',
      'bindings/engine.cpp': '#include "bindings/engine.h"\n#include "minitensor/loader/plugin_loader.h"\n',
    });
    expect(checkCppRooms(root)).toEqual([]);
  });

  test.each([
    ['src/minitensor/loader/a.cpp', 'bindings/engine.h', 'loader must not include bindings'],
    ['src/minitensor/plugin/a.cpp', 'minitensor/sdk/plugin_api.h', 'only loader includes sdk'],
    ['bindings/a.cpp', 'minitensor/sdk/plugin_api.h', 'only loader includes sdk'],
    ['src/minitensor/sdk/plugin/a.hpp', 'minitensor/base/error.h', 'sdk knows nobody'],
    ['src/minitensor/base/a.cpp', 'text.h', 'includes are written from the root'],
    ['src/minitensor/attic/a.cpp', 'minitensor/base/error.h', '"attic" is no room'],
    ['examples/plugins/x/a.cpp', 'minitensor/base/error.h', 'plugins include sdk only'],
  ])('%s must not include "%s"', (file, included, rule) => {
    const root = tree({ [file]: `#include "${included}"\n` });
    expect(checkCppRooms(root)).toEqual([{ file, line: 1, rule: `${rule}: "${included}"` }]);
  });

  test('dlopen outside the loader is found', () => {
    const root = tree({ 'src/minitensor/plugin/a.cpp': 'void* f() {\n  return dlopen("x", 0);\n}\n' });
    expect(checkCppRooms(root)).toEqual([
      { file: 'src/minitensor/plugin/a.cpp', line: 2, rule: 'only loader calls dlopen' },
    ]);
  });
});

describe('rooms of JavaScript', () => {
  test.each([
    ['js/a.js', "import x from '../web/x.js';", 'js imports from js only: "../web/x.js"'],
    ['js/a.js', "export * from 'lodash';", 'js imports from js only: "lodash"'],
    ['js/deep/a.js', "/** @typedef {import('../../tools/x.js').X} X */", 'js imports from js only: "../../tools/x.js"'],
    ['js/a.js', "const fs = await import(/* why */ 'node:fs');", 'only js/load.js and js/thread.js know Node: "node:fs"'],
    ['cli/a.js', "import '../js/tensor.js';", 'cli imports from cli and the package only: "../js/tensor.js"'],
    ['cli/a.js', "import x from 'lodash';", 'cli imports from cli and the package only: "lodash"'],
    ['cli/a.js', "import 'minitensor/dist/core.js';", 'cli imports from cli and the package only: "minitensor/dist/core.js"'],
    ['web/a.js', "import '../js/tensor.js';", 'web imports from web and the package only: "../js/tensor.js"'],
    ['web/a.js', "import '../dist/tensor.js';", 'web imports from web and the package only: "../dist/tensor.js"'],
  ])('%s: %s is found', (file, line, rule) => {
    expect(checkJavaScriptRooms(tree({ [file]: `\n${line}\n` }))).toEqual([{ file, line: 2, rule }]);
  });

  test('imports of neighbours, of Node in js/load.js and cli/, and of the package in web/ and cli/ are fine', () => {
    const root = tree({
      'cli/main.js': "import './x.js';\nimport 'node:fs';\nimport 'minitensor';\nimport 'minitensor/signature';\n",
      'js/load.js': "import './x.js';\nconst fs = await import('node:fs');\n",
      'web/main.js': "export * from '../dist/index.js';\nimport './dom.js';\n",
    });
    expect(checkJavaScriptRooms(root)).toEqual([]);
  });
});

describe('lists', () => {
  test('a source that no CMakeLists.txt names is found', () => {
    const root = tree({
      'src/minitensor/CMakeLists.txt': 'add_library(core base/error.cpp)\n',
      'src/minitensor/base/error.cpp': '',
      'src/minitensor/base/or.cpp': '',
    });
    expect(checkListedSources(root)).toEqual([
      { file: 'src/minitensor/base/or.cpp', line: 1, rule: 'no CMakeLists.txt lists this file' },
    ]);
  });

  test('an exported symbol that is only declared or called is found', () => {
    const root = tree({
      'src/minitensor/loader/exported_symbols.txt': '# names\nmalloc plugin\nmt_run api\nmt_find api\n',
      'bindings/ops.cpp': 'int mt_find(const char* name);\nint x = mt_find("a");\nvoid* mt_run(int a,\n  int b) {\n}\n',
    });
    expect(checkExportedSymbols(root)).toEqual([
      { file: 'src/minitensor/loader/exported_symbols.txt', line: 4, rule: 'neither bindings, base nor loader defines mt_find' },
    ]);
  });
});
