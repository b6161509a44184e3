import { describe, expect, it } from 'vitest';
import { formatError, formatLocation } from './format-error.js';
import { VirguleError, type VirguleErrorInit } from './virgule-error.js';

const init: VirguleErrorInit = {
  code: 'E_COMMAND_CONFLICT',
  kind: 'user',
  message: 'commands/play.ts and commands/play/index.ts both define /play.',
};

/** Returns the lines of an error, without the line of its page. */
function lines(more: Partial<VirguleErrorInit>): string[] {
  const error = new VirguleError({ ...init, ...more });
  const all = formatError(error).split('\n');
  expect(all.pop()).toBe(`Docs: ${error.docsUrl}`);
  return all;
}

const first = `Error [E_COMMAND_CONFLICT] ${init.message}`;

describe('formatError', () => {
  it('removes secrets before it cuts a long message', () => {
    const secret = 'correct-horse-battery';
    const message = `${'x'.repeat(4_985)}${secret}${'y'.repeat(9_000)}`;
    const redact = (text: string): string => text.replaceAll(secret, '[redacted]');
    for (const error of [new Error(message), new VirguleError({ ...init, message }), message]) {
      expect(redact(formatError(error))).toContain('correct');
      expect(formatError(error, { redact })).not.toContain('correct');
    }
  });

  it('shows what happened and where to read more', () => {
    expect(lines({})).toEqual([first]);
  });

  it('shows the location and what to do, in this order', () => {
    const location = { file: 'commands/play/index.ts', line: 3 };
    expect(lines({ hint: 'Delete one of them.', location })).toEqual([
      first,
      '  at commands/play/index.ts:3',
      'Try:  Delete one of them.',
    ]);
  });

  it('shows a hint once that ends the message, as in an error of a test', () => {
    const hint = 'Delete one of them.';
    const location = { file: 'a.ts' };
    const message = `${init.message}\nTry:  ${hint}`;
    expect(lines({ message, hint, location })).toEqual([first, '  at a.ts', `Try:  ${hint}`]);
  });

  it('leaves out the middle of what would fill the terminal', () => {
    const message = `${'a'.repeat(1_000_000)}${'z'.repeat(1_000_000)}`;
    expect(lines({ message })).toEqual([
      `Error [E_COMMAND_CONFLICT] ${'a'.repeat(5_000)}… (1990000 characters) …${'z'.repeat(5_000)}`,
    ]);
    expect(formatError(new Error(message)).length).toBeLessThan(11_000);
  });

  it('shows the source lines around the location', () => {
    const frame = '  2 |\n> 3 | export default 7;';
    expect(lines({ details: { frame }, hint: 'Export a command.' })).toEqual([
      first,
      '',
      ...frame.split('\n'),
      '',
      'Try:  Export a command.',
    ]);
  });

  it('leaves no gap for a frame that is empty', () => {
    expect(lines({ details: { frame: '' } })).toEqual([first]);
  });

  it('can have another title', () => {
    const error = new VirguleError(init);
    expect(formatError(error, { title: 'Warning' })).toMatch(/^Warning \[E_COMMAND_CONFLICT\] /);
    expect(formatError('a text', { title: 'Warning' })).toBe('Warning a text');
  });

  it('shows no other details', () => {
    expect(lines({ details: { frame: 7, port: 7300 } })).toEqual([first]);
  });

  it('shows a stack and asks for a report only when it is a bug', () => {
    const text = lines({ kind: 'bug' }).join('\n');
    expect(text).toContain('report');
    expect(text).toContain('format-error.test');
    expect(lines({ kind: 'user' }).join('\n')).not.toContain('format-error.test');
  });

  it('shows an error of another kind with its stack', () => {
    const text = formatError(new TypeError('x is not a function'));
    expect(text).toContain('TypeError: x is not a function');
    expect(text).toContain('format-error.test');
  });

  it('shows an error without a stack by its message', () => {
    const error = new Error('no stack here');
    delete error.stack;
    expect(formatError(error)).toBe('Error no stack here');
  });

  it.each([
    ['a text', 'Error a text'],
    [undefined, 'Error undefined'],
    [null, 'Error null'],
    [7, 'Error 7'],
  ])('shows a thrown %j, which is not an error', (thrown, text) => {
    expect(formatError(thrown)).toBe(text);
  });

  it('shows control characters of every part as escapes, and indents what follows a line break', () => {
    const foreign = 'x\u001B[2J\u202E\nError [E_FORGED] y';
    const error = new VirguleError({
      code: foreign,
      kind: 'bug',
      message: foreign,
      hint: foreign,
      location: { file: foreign },
      details: { frame: '> 1 | \u001B[2J' },
    });
    for (const each of [error, new Error(foreign), foreign]) {
      const text = formatError(each);
      expect(text).toContain(String.raw`\u001b[2J`);
      expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
      expect(text).not.toMatch(/^Error \[E_FORGED\]/m);
    }
  });

  it('marks the headline as strong, and location and page as dim', () => {
    const error = new VirguleError({ ...init, hint: 'Rename it.', location: { file: 'a.ts' } });
    const style = {
      strong: (text: string) => `<b>${text}</b>`,
      dim: (text: string) => `<i>${text}</i>`,
    };
    expect(formatError(error, style)).toBe(
      [
        `<b>Error [E_COMMAND_CONFLICT]</b> ${init.message}`,
        '<i>  at a.ts</i>',
        'Try:  Rename it.',
        `<i>Docs: ${error.docsUrl}</i>`,
      ].join('\n'),
    );
  });
});

describe('formatLocation', () => {
  it.each([
    [{ file: 'a.ts' }, 'a.ts'],
    [{ file: 'a.ts', line: 7 }, 'a.ts:7'],
    [{ file: 'a.ts', line: 7, column: 3 }, 'a.ts:7:3'],
    [{ file: 'a.ts', column: 3 }, 'a.ts'],
    [{ file: 'a.ts', line: undefined, column: undefined }, 'a.ts'],
  ])('writes %j as %s', (location, text) => {
    expect(formatLocation(location)).toBe(text);
  });
});
