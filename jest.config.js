/** @param {string} name of a folder below tests/ */
function project(name) {
  return {
    displayName: name,
    rootDir: '.',
    // Elsewhere are copies of package.json, and two of the same name confuse Jest.
    roots: ['<rootDir>/tests'],
    testMatch: [`<rootDir>/tests/${name}/**/*.test.js`],
    testEnvironment: '<rootDir>/tests/support/jest_environment.js',
    // What runs is what Node runs.
    transform: {},
  };
}

export default {
  projects: ['js', 'cli', 'browser', 'package'].map(project),
  // Of a single test.
  testTimeout: 30_000,
};
