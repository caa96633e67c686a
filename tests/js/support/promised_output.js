/*
 * Examples say in comments what they print: `console.log(x); // 3`. This holds them to it.
 */
import { execFile } from 'node:child_process';
import process from 'node:process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * The outputs that comments behind console.log promise; … stands for anything.
 * @param {string} source
 */
function promises(source) {
  return [...source.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map((match) => match[1] ?? '');
}

/**
 * Without the quotes and brackets in which consoles and people differ.
 * @param {string} text
 */
function comparable(text) {
  return text.replaceAll(/[[\](){}'"\s,]+/g, ' ').trim();
}

/** @param {string} promise */
function pattern(promise) {
  const parts = comparable(promise)
    .split('…')
    .map((part) => part.replaceAll(/[.*+?^$|\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}

/**
 * Runs a script and compares.
 * @param {string} file
 * @param {string} source
 * @returns {Promise<{ stdout: string, missing: string[] }>} `missing`: what it should have printed
 */
export async function runExample(file, source) {
  const { stdout } = await run(process.execPath, [file]);
  const lines = stdout.split('\n').map(comparable);
  const missing = promises(source).filter((promise) => !lines.some((line) => pattern(promise).test(line)));
  return { stdout, missing };
}
