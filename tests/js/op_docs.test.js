/*
 * Every op of the engine is documented, and the example in its documentation does what it says.
 */
import { describe, expect, test } from '@jest/globals';

import { opNames } from '../../js/generated/ops.js';
import { describeOps } from '../../tools/build/describe-ops.js';
import { opPage } from '../../tools/docs/op-page.js';
import { opDocs } from '../../tools/op-docs/index.js';
import { inProject } from '../../tools/project.js';
import { instanceForTests } from './support/instance.js';

const mt = await instanceForTests();

const described = new Map((await describeOps(inProject('dist/core'))).map((op) => [op.name, op]));

test('the documentation has the ops that the engine has', () => {
  expect(Object.keys(opDocs).sort()).toEqual([...opNames].sort());
});

describe.each(Object.entries(opDocs))('%s', (name, doc) => {
  test('says what it computes, of which shapes and dtypes', () => {
    for (const text of [doc.summary, doc.shapes, doc.dtypes]) expect(text).toMatch(/\S/);
    expect(doc.summary).not.toContain('\n');
    expect(doc.gradient !== undefined).toBe(mt.customOps.describe(name).hasGradient);
  });

  test('has an example that gives what it says', async () => {
    const lines = doc.example.split('\n').filter((line) => line.includes(' // '));
    expect(lines).not.toEqual([]);
    for (const line of lines) {
      const [expression = '', expected = ''] = line.split(/;? \/\/ /);
      const code = encodeURIComponent(`export const evaluate = (mt) => [${expression}, ${expected}];`);
      const { evaluate } = await import(`data:text/javascript,${code}`);
      mt.tidy(() => {
        const [actual, value] = evaluate(mt);
        expect(actual instanceof mt.Tensor ? actual.toArray() : actual).toEqual(value);
      });
    }
  });

  test('says what each attribute is, and which values one of type string takes', () => {
    const attributes = described.get(name)?.attributes ?? [];
    expect(Object.keys(doc.attributes ?? {}).sort()).toEqual(attributes.map((attribute) => attribute.name).sort());
    for (const { name: attribute, type, default: value } of attributes) {
      const meaning = doc.attributes?.[attribute];
      expect(meaning).toMatch(/^[^\n]+[^\n.]$/);
      if (type === 'string' && value !== undefined) expect(meaning).toContain(JSON.stringify(value));
    }
  });

  test('is called with all its attributes on its page, and names keep their small letters there', () => {
    const op = described.get(name);
    if (!op) throw new Error(`the core does not describe ${name}`);
    const page = opPage(op);
    const call = page.split('\n').find((line) => line.startsWith(`mt.${name}(`)) ?? '';
    const names = [...op.inputs, ...op.attributes.map((attribute) => attribute.name)].filter((one) => one.length > 1);
    for (const one of names) {
      expect(call).toMatch(new RegExp(`\\b${one}\\b`));
      const begun = [doc.summary, doc.formula, doc.shapes, doc.gradient].some((text) => text?.startsWith(`${one} `));
      if (begun) expect(page).toContain(`\n${one} `);
    }
  });

  test('has a page of reference with its inputs, attributes and what is said of it', () => {
    const op = described.get(name);
    if (!op) throw new Error(`the core does not describe ${name}`);
    const page = opPage(op);
    expect(page).toContain(`# ${name}\n`);
    expect(page).toContain(`mt.${name}(`);
    for (const title of ['Shapes', 'Dtypes', 'Gradient', 'Errors', 'Example']) expect(page).toContain(`\n## ${title}\n`);
    for (const input of op.inputs) expect(page).toContain(`\n- \`${input}\`: `);
    for (const { name: attribute } of op.attributes) {
      expect(page).toMatch(new RegExp(`^\\| \`${attribute}\` \\| \\w.* \\| \\S.* \\| \\S.* \\|$`, 'm'));
    }
    expect(page).toContain(doc.example);
    expect(page).toContain(op.outputs.length > 0
      ? `\`execute_many(ops.get("${name}"), {${op.inputs.join(', ')}}, attributes)\``
      : `\`execute(ops, "${name}", {`);
    expect(page).toContain(`\`call_op${op.outputs.length > 0 ? '_many' : ''}(context, "${name}", …)\``);
    expect(page).not.toMatch(/undefined/);
  });
});
