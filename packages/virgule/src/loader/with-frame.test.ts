import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { VirguleError, type SourceLocation } from '@virgule/core/errors';
import { afterAll, describe, expect, it } from 'vitest';
import { withFrame } from './code-frame.js';

function problemAt(location: SourceLocation, details = {}): VirguleError {
  return new VirguleError({
    code: 'E_X',
    kind: 'user',
    message: 'broken',
    hint: 'mend it',
    location,
    details: { name: 'x', ...details },
    cause: 'the cause',
  });
}

describe('withFrame', () => {
  const root = mkdtempSync(join(tmpdir(), 'virgule-frame-'));
  afterAll(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, 'a.ts'), 'one\ntwo\nthree\n');

  it('shows the lines around the place, and keeps all else of the problem', () => {
    const problem = problemAt({ file: 'a.ts', line: 2, column: 1 });
    expect(withFrame(problem, root)).toMatchObject({
      code: 'E_X',
      kind: 'user',
      message: 'broken',
      hint: 'mend it',
      details: { name: 'x', frame: expect.stringContaining('> 2 | two') },
      location: { file: 'a.ts', line: 2, column: 1 },
      cause: 'the cause',
    });
  });

  it.each([
    ['names no line', problemAt({ file: 'a.ts' })],
    ['shows lines already', problemAt({ file: 'a.ts', line: 2 }, { frame: '> 9 | other' })],
    ['names a file that was deleted', problemAt({ file: 'gone.ts', line: 2 })],
  ])('returns a problem unchanged that %s', (_, problem) => {
    expect(withFrame(problem, root)).toBe(problem);
  });
});
