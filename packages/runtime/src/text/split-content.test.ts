import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openFence, cutContent, splitContent } from './split-content.js';

const words = (count: number): string =>
  Array.from({ length: count }, (_, n) => `word${n}`).join(' ');
const lines = (count: number, text = 'a line of text'): string =>
  Array.from({ length: count }, (_, n) => `${n} ${text}`).join('\n');
const FENCE_LINE = /^ {0,3}(?:`{3,}|~{3,})[^\n]*$/gm;
/** Returns whether no character of a text is cut in half. */
const isWhole = (text: string): boolean => !/\p{Surrogate}/u.test(text);
/** A text without what a split may change. */
const essence = (text: string): string => text.replace(FENCE_LINE, '').replace(/\s+/g, '');

describe('splitContent', () => {
  it('leaves a text alone that fits', () => {
    for (const text of ['Hello', 'x'.repeat(2_000), ' a \n', '']) {
      expect(splitContent(text)).toEqual([text]);
    }
  });

  it('cuts at the end of a line', () => {
    const text = lines(200);
    const parts = splitContent(text);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.join('\n')).toBe(text);
    for (const part of parts.slice(0, -1)) expect(part.length).toBeGreaterThan(1_900);
  });

  it('cuts between words where no line ends', () => {
    const text = words(600);
    const parts = splitContent(text);
    expect(parts.join(' ')).toBe(text);
    expect(parts.every((part) => !part.startsWith(' ') && !part.endsWith(' '))).toBe(true);
  });

  it('cuts a word that is longer than a message', () => {
    const parts = splitContent('x'.repeat(4_500));
    expect(parts.map((part) => part.length)).toEqual([2_000, 2_000, 500]);
  });

  it('prefers a word to a line that would leave the message half empty', () => {
    const [first = ''] = splitContent(`title\n${words(600)}`);
    expect(first.length).toBeGreaterThan(1_900);
  });

  it('keeps the indentation of the line after a cut', () => {
    const item = '    - an item of a list';
    const [, second = ''] = splitContent(Array.from({ length: 100 }, () => item).join('\n'));
    expect(second.startsWith(item)).toBe(true);
  });

  it('closes a code block at a cut and opens it again in the next message', () => {
    const code = lines(200, 'const x = { a: 1 };');
    const parts = splitContent(`Look:\n\`\`\`ts\n${code}\n\`\`\`\nThat was it.`);
    expect(parts.length).toBeGreaterThan(2);
    expect(parts[0]?.startsWith('Look:\n```ts\n0 const')).toBe(true);
    for (const part of parts.slice(0, -1)) expect(part.endsWith('\n```')).toBe(true);
    for (const part of parts.slice(1)) expect(part.startsWith('```ts\n')).toBe(true);
    expect(parts.at(-1)?.endsWith('```\nThat was it.')).toBe(true);
    const back = parts.map((part) => part.replace(/^```ts\n/, '').replace(/\n```$/, '')).join('\n');
    expect(back).toBe(`Look:\n\`\`\`ts\n${code}\n\`\`\`\nThat was it.`.replace(/^```ts\n/, ''));
  });

  it.each([
    ['lines', lines(200, 'const x = { a: 1 };').replace(/^/gm, '> ')],
    ['one long line', `> ${words(900)}`],
  ])('keeps a code block of %s inside its quote', (_, code) => {
    const parts = splitContent(`> \`\`\`ts\n${code}\n> \`\`\`\nThat was it.`);
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts.slice(0, -1)) expect(part).toMatch(/^> ```ts\n(?:> [^`\n]*\n)+> ```$/);
    expect(parts.at(-1)).toMatch(/^> ```ts\n(?:> [^`\n]*\n)+> ```\nThat was it\.$/);
  });

  it('rather cuts before a code block than through it', () => {
    const text = `${lines(80)}\n~~~\n${lines(60)}\n~~~`;
    const parts = splitContent(text);
    expect(parts[0]).toBe(lines(80));
    expect(parts[1]).toBe(`~~~\n${lines(60)}\n~~~`);
  });

  it('opens no code block again of which only the end is left', () => {
    // The closing marker may be longer than the opening marker, and not fit any more.
    const code = `${'a'.repeat(150)}\n${'b'.repeat(40)}`;
    expect(splitContent(`\`\`\`\n${code}\n${'`'.repeat(12)}\n\nThat was it.`, 200)).toEqual([
      `\`\`\`\n${code}\n\`\`\``,
      'That was it.',
    ]);
  });

  it('cuts no emoji in two, not even one of many parts', () => {
    const family = '👩‍👩‍👧‍👦';
    for (const [emoji, lead] of [
      [family, 0],
      [family, 1],
      ['🎉', 1],
      ['🇫🇷', 3],
      ['é', 1],
    ] as const) {
      const parts = splitContent('x'.repeat(lead) + emoji.repeat(1_500));
      expect(parts.join('')).toBe('x'.repeat(lead) + emoji.repeat(1_500));
      const graphemes = new Intl.Segmenter();
      for (const part of parts) {
        const all = [...graphemes.segment(part)].map(({ segment }) => segment);
        expect(new Set(all.slice(lead && part === parts[0] ? lead : 0))).toEqual(new Set([emoji]));
      }
    }
  });

  it('cuts between two code points what is one character without end', () => {
    const parts = splitContent(`e${'\u0301'.repeat(3_000)}`);
    expect(parts.map((part) => part.length)).toEqual([2_000, 1_001]);
    expect(splitContent(`x${'😀\u200d'.repeat(900)}`).every(isWhole)).toBe(true);
  });

  it('makes no message of white space, and one of nothing else', () => {
    expect(splitContent(`${' '.repeat(2_500)}a`)).toEqual(['a']);
    expect(splitContent(`a${'\n'.repeat(4_500)}b`)).toEqual(['a', 'b']);
    expect(splitContent('\n'.repeat(2_500))).toEqual(['\n'.repeat(2_000)]);
  });

  it('treats a fence of absurd length as text', () => {
    const text = `${'`'.repeat(1_500)}\n${words(400)}`;
    for (const part of splitContent(text)) expect(part.length).toBeLessThanOrEqual(2_000);
    const long = `\`\`\`${'info'.repeat(300)}\n${words(400)}`;
    for (const part of splitContent(long)) expect(part.length).toBeLessThanOrEqual(2_000);
  });

  const piece = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 40 }),
    fc.constantFrom(
      '\n',
      '\n\n',
      ' ',
      '\r\n',
      '\t',
      '🎉',
      '👩‍👩‍👧',
      'x'.repeat(700),
      words(30),
      '    indented',
    ),
  );
  const prose = fc
    .array(piece, { maxLength: 60 })
    .map((pieces) => pieces.join('').replace(/[`~]/g, ''));

  it('loses nothing but white space at the cuts, whatever the text', () => {
    fc.assert(
      fc.property(prose, fc.integer({ min: 150, max: 2_000 }), (text, max) => {
        const parts = splitContent(text, max);
        expect(essence(parts.join(''))).toBe(essence(text));
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(max);
          expect(part.length > 0 || text === '').toBe(true);
          // Half a character is only in a part when it was in the text.
          expect(isWhole(part) || !isWhole(text)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('loses nothing but fences at the cuts of code blocks, and leaves every message whole', () => {
    const block = fc
      .record({
        marker: fc.constantFrom('```', '~~~', '````'),
        info: fc.constantFrom('', 'ts', 'c++'),
        code: prose.map((text) => text.replace(/\r/g, '')),
      })
      .map(({ marker, info, code }) => `\n${marker}${info}\n${code}\n${marker}\n`);
    fc.assert(
      fc.property(
        fc.array(fc.oneof(prose, block), { maxLength: 6 }).map((all) => all.join('')),
        fc.integer({ min: 200, max: 2_000 }),
        (text, max) => {
          const parts = splitContent(text, max);
          expect(essence(parts.join('\n'))).toBe(essence(text));
          for (const part of parts) {
            expect(part.length).toBeLessThanOrEqual(max);
            expect(parts.length === 1 || openFence(part) === null).toBe(true);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('splits a text of 120,000 characters into as many messages as it needs', () => {
    const parts = splitContent(
      `${'```\n'.repeat(5_000)}${' '.repeat(50_000)}${'x'.repeat(50_000)}`,
    );
    expect(parts.length).toBeLessThan(60);
    expect(parts.length).toBeGreaterThan(30);
  });

  it('splits quotes in quotes without a fence in linear time', () => {
    expect(splitContent(`${'> '.repeat(990)}x\n`.repeat(50))).toHaveLength(50);
  });
});

describe('cutContent', () => {
  it('cuts nothing off a text that fits', () => {
    expect(cutContent('x'.repeat(2_000))).toBeNull();
  });

  it('returns the first message, and what the next one starts with', () => {
    expect(cutContent(`\`\`\`js\n${'a'.repeat(100)}\n${'b'.repeat(100)}`, 200)).toEqual({
      part: `\`\`\`js\n${'a'.repeat(100)}\n\`\`\``,
      opening: '```js\n',
      rest: 'b'.repeat(100),
    });
  });
});

describe('openFence', () => {
  it.each([
    ['no fence', 'text', null],
    ['an open one', 'a\n```js\nb', '```js'],
    ['one that was closed', '```\na\n```\nb', null],
    ['one of tildes', '~~~\na', '~~~'],
    ['a shorter one inside', '````\n```\na', '````'],
    ['a longer one at its end', '```\na\n`````\nb', null],
    ['another kind inside', '~~~\n```\na', '~~~'],
    ['backticks inside a line', 'a ```js\nb', null],
    ['a line of backticks with backticks behind it', '``` a `b`\nc', null],
    ['one that is indented as code', '    ```\na', null],
    ['one with Windows line ends', '```js\r\na', '```js'],
    ['one in a quote', '> ```js\n> a', '> ```js'],
    ['one in a quote in a quote', '> > ~~~\n> > a\n> > ```', '> > ~~~'],
    ['one that was closed in its quote', '> ```\n> a\n> ```\n> b', null],
    ['one whose quote ended', '> ```js\n> a\n\nb', null],
    ['one after the end of another quote', '> ```js\n> a\n```ts\nb', '```ts'],
  ])('finds %s', (_, text, opening) => {
    expect(openFence(text)?.opening ?? null).toBe(opening);
  });
});
