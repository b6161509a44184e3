import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { showControls, showOnOneLine, showOutput } from './show-controls.js';

describe('showControls', () => {
  it.each([
    ['\u001B[2J', String.raw`\u001b[2J`],
    ['\u001B]52;c;aGk=\u0007', String.raw`\u001b]52;c;aGk=\u0007`],
    ['\u009B31m', String.raw`\u009b31m`],
    ['\u007F\b\0', String.raw`\u007f\u0008\u0000`],
    ['\u202Efdp.exe\u2066\u200F', String.raw`\u202efdp.exe\u2066\u200f`],
    ['over\rwritten', String.raw`over\u000dwritten`],
    ['a\tb', 'a\tb'],
    ['日本語 👩‍👩‍👧 é', '日本語 👩‍👩‍👧 é'],
    ['one\n13:37:00 ▸ forged\r\n two', 'one\n  13:37:00 ▸ forged\n   two'],
    ['', ''],
  ])('shows %j as %j', (text, shown) => {
    expect(showControls(text)).toBe(shown);
  });

  it('leaves nothing that acts on a terminal, and no line without its indent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = showControls(text, '>> ');
        expect(shown).not.toMatch(/(?![\t\n])[\p{Cc}\p{Bidi_Control}]/u);
        expect(
          shown
            .split('\n')
            .slice(1)
            .every((line) => line.startsWith('>> ')),
        ).toBe(true);
        expect(showOnOneLine(text)).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
      }),
      { seed: 20 },
    );
  });
});

describe('showOnOneLine', () => {
  it('shows line breaks and tabs as well', () => {
    expect(showOnOneLine('a\nb\tc\r\n')).toBe(String.raw`a\nb\tc\u000d\n`);
  });
});

describe('showOutput', () => {
  const RED = '\u001B[31mred\u001B[39m';

  it('keeps colors up to the end of the line, and shows every other sequence', () => {
    expect(showOutput(RED, true)).toBe(`${RED}\u001B[0m`);
    expect(showOutput('\u001B[8mhidden', true)).toBe('\u001B[8mhidden\u001B[0m');
    expect(showOutput('a\u001B[2Jb\u001B[1A', true)).toBe(String.raw`a\u001b[2Jb\u001b[1A`);
    expect(showOutput('plain', true)).toBe('plain');
  });

  it('leaves colors out where there are none', () => {
    expect(showOutput(RED, false)).toBe('red');
  });
});
