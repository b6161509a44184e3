import { join, resolve } from 'node:path';
import { VirguleError, formatError, type SourceLocation } from '@virgule/core/errors';
import { describe, expect, it } from 'vitest';
import { fromSimProblem, ProjectProblems, toSimProblem } from './project-problems.js';

const ROOT = resolve('/home/me/my bot');
const problem = (location?: SourceLocation, details: object = {}) =>
  new VirguleError({
    code: 'E_X',
    kind: 'user',
    message: 'It is wrong.',
    hint: 'Fix it.',
    location,
    details,
  });
const whereOf = (file: string): string | undefined => toSimProblem(problem({ file }), ROOT).where;

describe('ProjectProblems', () => {
  it.each([
    [1, '[E_X] It is wrong.\nTry:  Fix it.'],
    [2, '[E_X] It is wrong.\nTry:  Fix it.\n(and 1 other problem)'],
  ])('names the first, and says how many others there are: %i', (count, text) => {
    const problems = Array.from({ length: count }, () => problem());
    const error = new ProjectProblems(problems);
    expect(error.message).toBe(text);
    expect(error.problems).toEqual(problems);
    expect(error).toBeInstanceOf(Error);
  });
});

describe('toSimProblem', () => {
  it('has what the page shows, and nothing more', () => {
    const error = problem(
      { file: join(ROOT, 'commands', 'a.ts'), line: 3, column: 5 },
      { frame: '> 3 | oops', secret: 'not for the page' },
    );
    expect(toSimProblem(error, ROOT)).toEqual({
      code: 'E_X',
      message: 'It is wrong.',
      hint: 'Fix it.',
      where: join('commands', 'a.ts:3:5'),
      frame: '> 3 | oops',
    });
  });

  it('leaves out what is not known', () => {
    expect(toSimProblem(problem(undefined, { frame: 7 }), ROOT)).toEqual({
      code: 'E_X',
      message: 'It is wrong.',
      hint: 'Fix it.',
      where: undefined,
      frame: undefined,
    });
  });

  it.each([
    ['a file of the project', join(ROOT, 'commands', 'a.ts'), join('commands', 'a.ts')],
    ['a path that is relative already', 'commands/a.ts', 'commands/a.ts'],
    ['a file whose name begins with dots', join(ROOT, '..a.ts'), '..a.ts'],
    ['a file elsewhere', resolve('/home/me/other/a.ts'), resolve('/home/me/other/a.ts')],
    [
      'a folder beside it with a like name',
      resolve('/home/me/my bot 2/a.ts'),
      resolve('/home/me/my bot 2/a.ts'),
    ],
    ['the folder itself', ROOT, ROOT],
  ])('names %s', (_, file, shown) => {
    expect(whereOf(file)).toBe(shown);
  });
});

describe('fromSimProblem', () => {
  it('returns an error that reads the same', () => {
    const error = problem({ file: 'commands/a.ts', line: 3, column: 5 }, { frame: '> 3 | oops' });
    expect(formatError(fromSimProblem(toSimProblem(error, ROOT)))).toBe(formatError(error));
  });

  it('returns an error without a location when there is none', () => {
    const error = fromSimProblem({ code: 'E_Y', message: 'No.' });
    expect(error).toMatchObject({ code: 'E_Y', message: 'No.', location: undefined });
    expect(formatError(error)).not.toContain('  at ');
  });
});
