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

  it('points the stacks of errors under any key into the sources', () => {
    const { log } = setUp();
    const error = Object.assign(new Error('x'), { stack: 'at generated.js:9:9' });
    log.warn({ reason: error, n: 1 }, 'm');
    expect(error.stack).toBe('at source.ts:9:9');
  });

  it('passes on what throws when it is read', () => {
    const { log, lines } = setUp();
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    log.warn({ err: proxy }, 'm');
    expect(lines).toHaveLength(1);
  });

  it('points the stacks of causes into the sources as well', () => {
    const { log } = setUp();
    const cause = Object.assign(new Error('deep'), { stack: 'at generated.js:9:9' });
    const error = new Error('x', { cause: new Error('middle', { cause }) });
    log.error({ err: error }, 'm');
    expect(cause.stack).toBe('at source.ts:9:9');
  });

  it('ends with causes that lead in a circle, or to what is no error', () => {
    const { log, lines } = setUp();
    const first = new Error('first');
    first.cause = new Error('second', { cause: first });
    log.error({ err: first }, 'm');
    log.error({ err: new Error('x', { cause: 'generated.js' }) }, 'm');
    expect(lines).toHaveLength(2);
  });

  it('points a stack that is logged again, or as a cause, into the sources once', () => {
    let calls = 0;
    const loader = {
      // Lines of a source may be lines of what was made of it too, and would be mapped again.
      mapStack: (stack: string) => {
        calls += 1;
        return stack.replace(/\d+/, (line) => String(Number(line) + 1));
      },
    };
    const log = withSourceStacks(silentLog, loader);
    const error = Object.assign(new Error('x'), { stack: 'at a.ts:1' });
    log.warn({ err: error }, 'm');
    log.error({ err: error }, 'm');
    log.error({ err: Object.assign(new Error('outer', { cause: error }), { stack: '' }) }, 'm');
    expect(error.stack).toBe('at a.ts:2');
    expect(calls).toBe(2);
  });

  it('logs an error that cannot be changed as it is', () => {
    const { log, lines } = setUp();
    const error = Object.freeze(Object.assign(new Error('x'), { stack: 'generated.js' }));
    log.error({ err: error }, 'm');
    expect(lines).toEqual([[{ err: error }, 'm']]);
    // Newer Node.js lets the stack of a frozen error be set all the same.
    expect(['generated.js', 'source.ts']).toContain(error.stack);
  });

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
