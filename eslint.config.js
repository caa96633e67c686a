import js from '@eslint/js';
import stylistic from '@stylistic/eslint-plugin';
import { defineConfig, globalIgnores } from 'eslint/config';
import globals from 'globals';

import { noAny } from './tools/lint/no-any.js';

// Emscripten joins library scripts with its own code, where these are variables.
const EMSCRIPTEN = [
  'addToLibrary', 'EXPORTED_FUNCTIONS', 'Module', 'wasmExports', 'wasmMemory', 'wasmTable', 'updateMemoryViews',
  '_malloc', '_free',
  'HEAP8', 'HEAPU8', 'HEAP16', 'HEAPU16', 'HEAP32', 'HEAPU32', 'HEAPF32', 'HEAPF64',
  'UTF8ToString', 'stringToUTF8', 'lengthBytesUTF8', 'stackSave', 'stackRestore',
  // Of src/minitensor/loader/dynamic_linker.js.
  'compiledPlugins', 'pluginFunctions', 'pluginLinker', '_mt_linker_run',
];

/** @type {import('eslint').Linter.RulesRecord} */
const LAYOUT = {
  '@stylistic/arrow-parens': 'error',
  '@stylistic/arrow-spacing': 'error',
  '@stylistic/block-spacing': 'error',
  '@stylistic/brace-style': ['error', '1tbs', { allowSingleLine: true }],
  '@stylistic/comma-dangle': ['error', 'always-multiline'],
  '@stylistic/comma-spacing': 'error',
  '@stylistic/eol-last': 'error',
  '@stylistic/indent': ['error', 2, {
    SwitchCase: 1,
    // One long chain or condition may be laid out as it reads best.
    ignoredNodes: ['ConditionalExpression', 'TemplateLiteral *'],
  }],
  '@stylistic/key-spacing': 'error',
  '@stylistic/keyword-spacing': 'error',
  '@stylistic/max-len': ['error', { code: 120, ignoreUrls: true, ignoreRegExpLiterals: true }],
  '@stylistic/no-multiple-empty-lines': ['error', { max: 1, maxBOF: 0, maxEOF: 0 }],
  '@stylistic/no-trailing-spaces': 'error',
  '@stylistic/quotes': ['error', 'single', { avoidEscape: true }],
  '@stylistic/semi': 'error',
  '@stylistic/space-before-blocks': 'error',
  '@stylistic/space-in-parens': 'error',
  '@stylistic/space-infix-ops': 'error',
};

/** @type {import('eslint').Linter.RulesRecord} */
const CODE = {
  'curly': ['error', 'multi-line'],
  'eqeqeq': 'error',
  'max-lines': ['error', 400],
  'no-else-return': 'error',
  'no-eval': 'error',
  'no-implied-eval': 'error',
  'no-new-func': 'error',
  'no-shadow': 'error',
  'no-throw-literal': 'error',
  'no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
  'no-useless-rename': 'error',
  'no-var': 'error',
  'object-shorthand': 'error',
  'prefer-arrow-callback': 'error',
  'prefer-const': 'error',
  'prefer-template': 'error',
  'minitensor/no-any': 'error',
};

export default defineConfig([
  globalIgnores(['build/', 'dist/', 'docs/api/']),
  {
    plugins: { '@stylistic': stylistic, 'minitensor': { rules: { 'no-any': noAny } } },
    extends: [js.configs.recommended],
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    languageOptions: { ecmaVersion: 2024 },
    rules: { ...LAYOUT, ...CODE },
  },
  {
    files: ['*.config.js', 'cli/**', 'tools/**', 'tests/**', 'examples/**', 'bench/**'],
    languageOptions: { globals: globals.nodeBuiltin },
  },
  {
    files: ['tests/browser/**', 'web/**', 'bench/**'],
    languageOptions: { globals: globals.browser },
  },
  {
    // A library prints nothing, and knows what it runs on in one place only.
    files: ['js/**'],
    languageOptions: { globals: globals['shared-node-browser'] },
    rules: { 'no-console': 'error' },
  },
  {
    files: ['js/generated/**'],
    rules: { 'max-lines': 'off', '@stylistic/max-len': 'off' },
  },
  {
    // A row of a table of cases reads best on a line of its own, and the cases of one thing in one file.
    files: ['tests/**'],
    rules: {
      'max-lines': 'off',
      '@stylistic/max-len': ['error', { code: 120, ignoreStrings: true, ignoreRegExpLiterals: true }],
    },
  },
  {
    files: ['bindings/**/*.js', 'src/**/*.js', 'tests/cpp/**/*.js'],
    languageOptions: {
      sourceType: 'script',
      globals: Object.fromEntries(['WebAssembly', ...EMSCRIPTEN].map((name) => [name, 'readonly'])),
    },
    // A script may also say itself what it uses.
    rules: { 'no-redeclare': ['error', { builtinGlobals: false }] },
  },
]);
