import { describe, expect, it } from 'vitest';
import { redactUncaught } from './redact-uncaught.js';
import { createRedactor } from './redactor.js';

const SECRET = 'hunter22-made-up';

/** A process in which something was thrown that no one catches. */
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
    ['without secrets', new Error('no luck')],
    [
      'that cannot be shown',
      Object.defineProperty(new Error(SECRET), 'stack', {
        get() {
          throw new Error(SECRET);
        },
      }),
    ],
  ])('leaves an exception %s to Node.js', (_, thrown) => {
    expect(crash(thrown)).toEqual({ written: '', code: undefined });
  });

  it.each([[{ listeners: 1 }], [{ captures: true }]])(
    'leaves every exception to those who listen to it: %j',
    (others) => {
      expect(crash(new Error(SECRET), others)).toEqual({ written: '', code: undefined });
    },
  );
});
