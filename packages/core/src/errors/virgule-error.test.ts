import { beforeAll, describe, expect, it, vi } from 'vitest';
import type * as original from './virgule-error.js';
import { VirguleError, isVirguleError, type VirguleErrorInit } from './virgule-error.js';

const init: VirguleErrorInit = {
  code: 'E_PORT_BUSY',
  kind: 'user',
  message: 'Port 7300 is already in use.',
};

describe('VirguleError', () => {
  it('has the properties it was created with', () => {
    const error = new VirguleError({
      ...init,
      hint: 'Stop the other program, or pass another --port.',
      details: { port: 7300 },
      location: { file: 'virgule.config.ts', line: 7, column: 3 },
    });
    expect(error).toMatchObject({
      name: 'VirguleError',
      code: 'E_PORT_BUSY',
      kind: 'user',
      message: 'Port 7300 is already in use.',
      hint: 'Stop the other program, or pass another --port.',
      details: { port: 7300 },
      location: { file: 'virgule.config.ts', line: 7, column: 3 },
    });
  });

  it('is an Error with a stack and a readable text', () => {
    const error = new VirguleError(init);
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).toBe('VirguleError: Port 7300 is already in use.');
    expect(error.stack).toContain('virgule-error.test');
  });

  it('has empty details and no other optional properties by default', () => {
    const error = new VirguleError(init);
    expect(error.details).toEqual({});
    expect([error.hint, error.location, error.cause]).toEqual([undefined, undefined, undefined]);
  });

  it('keeps a cause of any type', () => {
    const cause = new TypeError('fetch failed');
    expect(new VirguleError({ ...init, cause }).cause).toBe(cause);
    expect(new VirguleError({ ...init, cause: null }).cause).toBeNull();
    expect(new VirguleError({ ...init, cause: 'ECONNRESET' }).cause).toBe('ECONNRESET');
  });

  it('has no own property cause without a cause', () => {
    expect(new VirguleError({ ...init, cause: undefined })).not.toHaveProperty('cause');
  });

  it('copies the details', () => {
    const details = { port: 7300 };
    const error = new VirguleError({ ...init, details });
    details.port = 7301;
    expect(error.details).toEqual({ port: 7300 });
  });

  it('links to the page of its code', () => {
    expect(new VirguleError({ ...init, code: 'E_TOKEN_MISSING' }).docsUrl).toMatch(
      /^https:\/\/.+\/e_token_missing$/,
    );
  });
});

describe('isVirguleError', () => {
  it('recognizes an error, and its code if one is specified', () => {
    const error: unknown = new VirguleError(init);
    expect(isVirguleError(error)).toBe(true);
    expect(isVirguleError(error, 'E_PORT_BUSY')).toBe(true);
    expect(isVirguleError(error, 'E_TOKEN_MISSING')).toBe(false);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'E_PORT_BUSY'],
    ['another error', new Error('Port 7300 is already in use.')],
    ['an error with a code', Object.assign(new Error('busy'), { code: 'E_PORT_BUSY' })],
    ['an object that looks alike', { ...init, name: 'VirguleError' }],
    ['a function', () => init],
  ])('does not recognize %s', (_what, value) => {
    expect(isVirguleError(value)).toBe(false);
    expect(isVirguleError(value, 'E_PORT_BUSY')).toBe(false);
    expect(value instanceof VirguleError).toBe(false);
  });
});

describe('two copies of the package in one process', () => {
  let copy: typeof original;

  beforeAll(async () => {
    vi.resetModules();
    copy = await import('./virgule-error.js');
  });

  it('are two classes', () => {
    expect(copy.VirguleError).not.toBe(VirguleError);
  });

  it('recognize the errors of each other', () => {
    const ours: unknown = new VirguleError(init);
    const theirs: unknown = new copy.VirguleError(init);
    expect(theirs instanceof VirguleError).toBe(true);
    expect(ours instanceof copy.VirguleError).toBe(true);
    expect(isVirguleError(theirs, 'E_PORT_BUSY')).toBe(true);
    expect(copy.isVirguleError(ours, 'E_PORT_BUSY')).toBe(true);
  });

  it('does not make every error an instance of a class that extends it', () => {
    class Special extends VirguleError {}
    const init = { code: 'E_X', kind: 'user', message: 'x', details: {} } as const;
    const special = new Special({ ...init, hint: undefined, location: undefined });
    const plain = new VirguleError({ ...init, hint: undefined, location: undefined });
    expect([special instanceof Special, special instanceof VirguleError]).toEqual([true, true]);
    expect(plain instanceof Special).toBe(false);
  });

  it('do not recognize other errors', () => {
    expect(copy.isVirguleError(new Error('busy'))).toBe(false);
  });
});
