import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { testingErrors } from './testing-errors.js';

const source = readFileSync(new URL('../../bin/testing.cjs', import.meta.url), 'utf8');
const jestError = new Error('Must use import to load ES Module: dist/testing.js');

/** Runs the file that `require('virgule/testing')` loads, and returns what it exports. */
function requireTesting(env: { readonly JEST_WORKER_ID?: string }, load: () => unknown): unknown {
  const module = { exports: {} };
  runInNewContext(source, { module, require: load, process: { env }, Error });
  return module.exports;
}
const fails = (): never => {
  throw jestError;
};

describe("require('virgule/testing')", () => {
  it('fails with E_TEST_RUNNER in jest, without a stack', () => {
    const { message, hint, docsUrl } = testingErrors.E_TEST_RUNNER({});
    expect(() => requireTesting({ JEST_WORKER_ID: '1' }, fails)).toThrow(
      expect.objectContaining({
        code: 'E_TEST_RUNNER',
        message: `[E_TEST_RUNNER] ${message}\nTry:  ${hint}\nDocs: ${docsUrl}`,
        stack: expect.not.stringMatching(/^ +at /m),
      }),
    );
  });

  it('fails with the error itself anywhere else', () => {
    expect(() => requireTesting({}, fails)).toThrow(jestError);
  });

  it('is the module where it can be loaded, also in jest', () => {
    for (const env of [{}, { JEST_WORKER_ID: '1' }])
      expect(requireTesting(env, () => 'the module')).toBe('the module');
  });
});
