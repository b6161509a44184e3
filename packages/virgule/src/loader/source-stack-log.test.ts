import { silentLog } from '@virgule/core/log';
import { describe, expect, it } from 'vitest';
import { withSourceStacks } from './source-stack-log.js';

function setUp() {
  const lines: [details: object, message: string][] = [];
  const keep = (details: object, message: string) => void lines.push([details, message]);
  const loader = { mapStack: (stack: string) => stack.replaceAll('generated.js', 'source.ts') };
  const log = withSourceStacks(
    { ...silentLog, debug: keep, info: keep, warn: keep, error: keep },
    loader,
  );
  return { log, lines };
}

describe('withSourceStacks', () => {
  it.each(['debug', 'info', 'warn', 'error'] as const)(
    'points stacks into the sources at level %s',
    (level) => {
      const { log, lines } = setUp();
      const error = new Error('x');
      error.stack = 'Error: x\n    at run (generated.js:1:1)';
      log[level]({ err: error, command: 'a' }, 'failed');
      expect(lines).toEqual([[{ err: error, command: 'a' }, 'failed']]);
      expect(error.stack).toBe('Error: x\n    at run (source.ts:1:1)');
    },
  );

  it.each([
    [{}],
    [{ err: 'text' }],
    [{ err: { stack: 'generated.js' } }],
    [{ stack: 'generated.js' }],
  ])('leaves %j as it is', (details) => {
    const { log, lines } = setUp();
    const copy = structuredClone(details);
    log.warn(details, 'm');
    expect(lines).toEqual([[copy, 'm']]);
  });

  it('takes an error without a stack', () => {
    const { log, lines } = setUp();
    const error = new Error('x');
    delete error.stack;
    log.error({ err: error }, 'm');
    expect(lines).toHaveLength(1);
  });
});
