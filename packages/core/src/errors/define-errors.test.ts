import { describe, expect, it } from 'vitest';
import { bugError, defineErrors, userError, userErrorByKind } from './define-errors.js';
import { VirguleError } from './virgule-error.js';

const errors = defineErrors({
  E_PORT_BUSY: userError<{ port: number }>(({ port }) => [
    `Port ${port} is already in use.`,
    `Stop the other program, or pass --port ${port + 1}.`,
  ]),
  E_LOST: bugError<{ what: string; seen?: number }>(({ what }) => [`${what} was lost.`]),
  E_MAYBE: userError<{ name?: string | undefined }>(({ name }) => [
    `${name ?? 'Something'} is unknown.`,
    name && `Did you mean ${name}?`,
  ]),
  E_NAME: userErrorByKind<{ kind: 'file'; file: string } | { kind: 'folder'; folder: string }>({
    file: ({ file }) => [`${file} has no name.`, 'Rename it.'],
    folder: ({ folder }) => [`${folder} has no name.`, `Rename ${folder}.`],
  }),
});

describe('defineErrors', () => {
  it('has one factory for each code', () => {
    expect(Object.keys(errors)).toEqual(['E_PORT_BUSY', 'E_LOST', 'E_MAYBE', 'E_NAME']);
  });

  it('creates an error with message and hint from its details', () => {
    const error = errors.E_PORT_BUSY({ port: 7300 });
    expect(error).toBeInstanceOf(VirguleError);
    expect(error).toMatchObject({
      code: 'E_PORT_BUSY',
      kind: 'user',
      message: 'Port 7300 is already in use.',
      hint: 'Stop the other program, or pass --port 7301.',
      details: { port: 7300 },
    });
  });

  it('uses the kind of the row, and has no hint where the row has none', () => {
    expect(errors.E_LOST({ what: 'The socket' })).toMatchObject({ kind: 'bug', hint: undefined });
  });

  it('takes the texts of the kind that the details name', () => {
    expect(errors.E_NAME({ kind: 'file', file: 'a' })).toMatchObject({
      code: 'E_NAME',
      message: 'a has no name.',
      hint: 'Rename it.',
      details: { kind: 'file' },
    });
    expect(errors.E_NAME({ kind: 'folder', folder: 'b' }).hint).toBe('Rename b.');
  });

  it('keeps details that the message does not mention', () => {
    expect(errors.E_LOST({ what: 'The socket', seen: 3 }).details).toEqual({
      what: 'The socket',
      seen: 3,
    });
  });

  it('has no hint if the row has none for these details', () => {
    expect(errors.E_MAYBE({}).hint).toBeUndefined();
    expect(errors.E_MAYBE({ name: 'run' }).hint).toBe('Did you mean run?');
  });

  it('accepts a cause and a location', () => {
    const cause = new Error('EADDRINUSE');
    const location = { file: 'virgule.config.ts', line: 7 };
    expect(errors.E_PORT_BUSY({ port: 1 }, { cause, location })).toMatchObject({ cause, location });
    expect(errors.E_PORT_BUSY({ port: 1 }, {})).not.toHaveProperty('cause');
  });

  it('creates a new error each time', () => {
    expect(errors.E_LOST({ what: 'A' })).not.toBe(errors.E_LOST({ what: 'A' }));
  });

  it('has the stack of the caller', () => {
    expect(errors.E_LOST({ what: 'A' }).stack).toContain('define-errors.test');
  });
});
