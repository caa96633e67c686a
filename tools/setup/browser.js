import { isExecutable, which } from './run.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

const MAC_APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * A Chromium or Chrome for the browser tests: $CHROMIUM_PATH, else the usual
 * names. (system.js installs it where it can.)
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | null}
 */
export function findBrowser(env) {
  if (env.CHROMIUM_PATH && isExecutable(env.CHROMIUM_PATH)) return env.CHROMIUM_PATH;
  for (const name of NAMES) {
    const file = which(name, env);
    if (file) return file;
  }
  return MAC_APPLICATIONS.find(isExecutable) ?? null;
}
