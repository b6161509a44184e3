import { describe, expect, it } from 'vitest';
import { hasNewProblem, problemsTitle } from './problems.js';

describe('problems', () => {
  const problem = { code: 'E_X', message: 'broken', where: 'commands/a.ts:1:2' };

  it('are new when they were not there before', () => {
    expect(hasNewProblem([], [problem])).toBe(true);
    expect(hasNewProblem([problem], [{ ...problem, hint: 'fix it' }])).toBe(false);
    expect(hasNewProblem([problem], [problem, { ...problem, where: 'b' }])).toBe(true);
    expect(hasNewProblem([problem], [])).toBe(false);
  });

  it('have a title', () => {
    expect(problemsTitle([])).toBe('');
    expect(problemsTitle([problem])).toBe('Problem in commands/a.ts:1:2');
    expect(problemsTitle([{ code: 'E_X', message: 'broken' }])).toBe('Problem');
    expect(problemsTitle([problem, problem])).toBe('2 problems');
  });
});
