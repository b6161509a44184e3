// `virgule/testing` for `require()`. Before Node.js 24.9, that of jest loads no ES module: this file is the only one of
// Virgule that runs there.
'use strict';

try {
  module.exports = require('../dist/testing.js');
} catch (error) {
  if (process.env.JEST_WORKER_ID === undefined) throw error;
  // As in src/testing/testing-errors.ts, which is an ES module.
  const message = 'jest cannot load virgule/testing with require().';
  const hint =
    'Import virgule/testing in an ES module, and run NODE_OPTIONS=--experimental-vm-modules npx jest.';
  const docsUrl = 'https://virgule.dev/errors/e_test_runner';
  const problem = new Error(`[E_TEST_RUNNER] ${message}\nTry:  ${hint}\nDocs: ${docsUrl}`);
  // The lines of this file and of jest help no one.
  problem.stack = problem.toString();
  throw Object.assign(problem, { code: 'E_TEST_RUNNER', hint, docsUrl });
}
