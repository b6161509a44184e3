import { describe, expect, it } from 'vitest';
import { newProblems } from './problems.js';

const at = (where: string | undefined, message = 'is wrong') => ({ code: 'E_X', message, where });
const A = at('commands/a.ts:1:22');
const BOTH = at(undefined, 'commands/a.ts and commands/a/index.ts both define /a.');

describe('newProblems', () => {
  it.each([
    ['no problems', [], [], []],
    ['no problems any more', [], [A], []],
    ['the same', [A], [A], []],
    [
      'the same file, which is wrong in another place',
      [at('commands/a.ts:9', 'now here')],
      [A],
      [],
    ],
    ['the same file, which is wrong as a whole', [at('commands/a.ts')], [A], []],
    ['the same of several files', [BOTH], [BOTH], []],
    ['a first one', [A], [], [A]],
    ['one of several files', [BOTH], [A], [BOTH]],
    ['one in another file', [A, at('commands/b.ts')], [A], [at('commands/b.ts')]],
    [
      'one in a file whose name begins alike',
      [at('commands/a.tsx:1')],
      [A],
      [at('commands/a.tsx:1')],
    ],
  ])('knows what is new: %s', (_, problems, known, found) => {
    expect(newProblems(problems, known)).toEqual(found);
  });
});
