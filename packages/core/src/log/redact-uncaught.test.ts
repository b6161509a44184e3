import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { redactUncaught } from './redact-uncaught.js';
import { createRedactor } from './redactor.js';

const SECRET = 'hunter22-made-up';

const fail = (): never => {
  throw new Error(SECRET);
};

/** An object with a secret at the given depth. */
const nested = (levels: number): object =>
  levels === 0 ? { headers: SECRET } : { next: nested(levels - 1) };

/** A process with an uncaught exception. */
function crash(thrown: unknown, { listeners = 0, captures = false } = {}) {
  let written = '';
  let code: number | undefined;
  redactUncaught(
    {
      on: (_, listener) => listener(thrown),
      listenerCount: () => listeners,
      hasUncaughtExceptionCaptureCallback: () => captures,
      stderr: { write: (text) => void (written += text) },
      exit: (given) => void (code = given),
    },
    createRedactor([SECRET]),
  );
  return { written, code };
}

describe('redactUncaught', () => {
  it.each([
    ['its message', new Error(`cannot open ${SECRET}`)],
    ['its cause', new Error('failed', { cause: new Error(SECRET) })],
    ['what it carries', Object.assign(new Error('failed'), { config: { url: SECRET } })],
    ['a string', `cannot open ${SECRET}`],
    ['an object', { reason: SECRET }],
    ['what it carries deep down', new Error('failed', { cause: nested(6) })],
    ['a deep object', nested(6)],
    ['a long string', `${'x'.repeat(20_000)}${SECRET}`],
    ['a long message', new Error(`${'x'.repeat(20_000)}${SECRET}`)],
  ])('prints an exception with a secret in %s without it, and ends with 1', (_, thrown) => {
    const { written, code } = crash(thrown);
    expect(code).toBe(1);
    expect(written).toContain('[redacted]');
    expect(written).not.toContain(SECRET);
  });

  it('prints the stack', () => {
    expect(crash(new Error(SECRET)).written).toContain('redact-uncaught.test');
  });

  it.each([
    ['its stack', Object.defineProperty(new Error(SECRET), 'stack', { get: fail })],
    ['its description', Object.assign(new Error(SECRET), { [inspect.custom]: fail })],
  ])('prints an exception that throws when %s is read, without secrets', (_, thrown) => {
    const { written, code } = crash(thrown);
    expect([code, written]).toEqual([1, expect.stringContaining('[redacted]')]);
    expect(written).not.toContain(SECRET);
  });

  it('prints the description of an object that hides a secret', () => {
    const { written, code } = crash({ [inspect.custom]: () => 'no luck', reason: SECRET });
    expect([code, written]).toEqual([1, 'no luck\n']);
  });

  it('leaves an exception without secrets to Node.js', () => {
    expect(crash(new Error('no luck'))).toEqual({ written: '', code: undefined });
  });

  it.each([[{ listeners: 1 }], [{ captures: true }]])(
    'leaves every exception to those who listen to it: %j',
    (others) => {
      expect(crash(new Error(SECRET), others)).toEqual({ written: '', code: undefined });
    },
  );
});
