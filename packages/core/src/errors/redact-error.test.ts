import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { redactError } from './redact-error.js';
import { VirguleError } from './virgule-error.js';

const SECRET = 'hunter22-made-up';
const redact = (text: string): string => text.replaceAll(SECRET, '[redacted]');

describe('redactError', () => {
  it('returns an error without secrets as it is', () => {
    const error = new Error('no luck', { cause: new Error('none at all') });
    expect(redactError(error, redact)).toBe(error);
  });

  it('takes a secret out of everything of a coded error, and keeps the rest', () => {
    const error = new VirguleError({
      code: 'E_X',
      kind: 'user',
      message: `cannot open ${SECRET}`,
      hint: `Check ${SECRET}.`,
      details: { file: 'a.ts', frame: `> 1 | ${SECRET}`, list: [{ deep: SECRET }], count: 3 },
      location: { file: 'a.ts', line: 1 },
      cause: new TypeError(`bad ${SECRET}`, { cause: SECRET }),
    });
    const clean = redactError(error, redact);
    expect(clean).toBeInstanceOf(VirguleError);
    expect(clean).toMatchObject({
      code: 'E_X',
      kind: 'user',
      message: 'cannot open [redacted]',
      hint: 'Check [redacted].',
      details: {
        file: 'a.ts',
        frame: '> 1 | [redacted]',
        list: [{ deep: '[redacted]' }],
        count: 3,
      },
      location: { file: 'a.ts', line: 1 },
      cause: { name: 'TypeError', message: 'bad [redacted]', cause: '[redacted]' },
    });
    expect(clean.stack).toContain('redact-error.test');
    expect(inspect(clean, { depth: 10 })).not.toContain(SECRET);
  });

  it.each([
    ['in what it carries', Object.assign(new Error('failed'), { request: { url: SECRET } })],
    ['in a message that was changed', Object.assign(new Error('x'), { message: SECRET })],
    ['in no error', { url: SECRET }],
    ['in a string', SECRET],
  ])('leaves no secret that is %s', (_, thrown) => {
    const clean = redactError(thrown, redact);
    expect(inspect(clean, { depth: 10 }) + String(clean)).not.toContain(SECRET);
  });

  it('keeps the code of an error of Node.js', () => {
    const error = Object.assign(new Error(SECRET), { code: 'ECONNREFUSED' });
    expect(redactError(error, redact)).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('ends when errors are each other’s cause', () => {
    const error = new Error(SECRET);
    error.cause = new Error('outer', { cause: error });
    expect(inspect(redactError(error, redact), { depth: 20 })).not.toContain(SECRET);
  });
});
