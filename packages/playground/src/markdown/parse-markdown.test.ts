import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { id } from '../../test/sample-world.js';
import { parseInline } from './parse-inline.js';
import { parseMarkdown } from './parse-markdown.js';
import type { Inline } from './parse-inline.js';

/** Writes nodes back in a form that is easy to compare. */
function show(nodes: readonly Inline[]): string {
  return nodes
    .map((node) => {
      switch (node.kind) {
        case 'text':
          return node.text;
        case 'break':
          return '⏎';
        case 'code':
          return `{code ${node.text}}`;
        case 'link':
          return `{link ${node.href} ${node.text}}`;
        case 'mention':
          return `{${node.of} ${node.id}}`;
        case 'bold':
        case 'italic':
          return `{${node.kind} ${show(node.children)}}`;
      }
    })
    .join('');
}

describe('parseInline', () => {
  it.each([
    ['plain', 'plain'],
    ['**bold** and *italic* and _too_', '{bold bold} and {italic italic} and {italic too}'],
    ['***both***', '{bold {italic both}}'],
    ['*a **b** c*', '{italic a {bold b} c}'],
    ['**a *b* c**', '{bold a {italic b} c}'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['snake_case_name', 'snake_case_name'],
    ['**open', '**open'],
    ['** not bold **', '** not bold **'],
    ['`code *x*`', '{code code *x*}'],
    ['``a ` b``', '{code a ` b}'],
    ['`open', '`open'],
    ['two\nlines', 'two⏎lines'],
    ['\\*not\\*', '*not*'],
  ])('reads %j as %j', (text, expected) => {
    expect(show(parseInline(text))).toBe(expected);
  });

  it.each([
    ['see https://a.b/c.', 'see {link https://a.b/c https://a.b/c}.'],
    ['(https://a.b)', '({link https://a.b/ https://a.b})'],
    ['https://a.b/x_(y)', '{link https://a.b/x_(y) https://a.b/x_(y)}'],
    ['[name](https://a.b)', '{link https://a.b/ name}'],
    ['[x](javascript:alert(1))', '[x](javascript:alert(1))'],
    ['[x](data:text/html,1)', '[x](data:text/html,1)'],
    ['xhttps://a.b', 'xhttps://a.b'],
    ['http://', 'http://'],
  ])('finds the links of %j', (text, expected) => {
    expect(show(parseInline(text))).toBe(expected);
  });

  it('finds mentions of users, channels and roles', () => {
    const [user, channel, role] = [id(1), id(2), id(3)];
    expect(show(parseInline(`<@${user}> <@!${user}> <#${channel}> <@&${role}>`))).toBe(
      `{user ${user}} {user ${user}} {channel ${channel}} {role ${role}}`,
    );
    expect(show(parseInline('<@nobody>'))).toBe('<@nobody>');
  });

  it('leaves HTML as text', () => {
    const html = '<img src=x onerror=alert(1)><script>alert(1)</script>';
    expect(parseInline(html)).toEqual([{ kind: 'text', text: html }]);
  });

  it.each([
    '*'.repeat(2000),
    '**a'.repeat(600),
    '_*'.repeat(1000),
    '['.repeat(2000),
    '`'.repeat(1999),
  ])('reads 2,000 unusual characters to the end', (text) => {
    expect(show(parseInline(text)).length).toBeGreaterThan(0);
  });
});

describe('parseMarkdown', () => {
  it('reads paragraphs, lists, quotes and fences', () => {
    const text =
      'One\ntwo\n\n- a\n- **b**\n3. c\n4. d\n> said\n> so\n```ts\nlet x;\n\n*y*\n```\nend';
    expect(parseMarkdown(text).map((block) => block.kind)).toEqual([
      'paragraph',
      'list',
      'list',
      'quote',
      'fence',
      'paragraph',
    ]);
    expect(parseMarkdown(text)[2]).toMatchObject({ start: 3 });
    expect(parseMarkdown(text)[4]).toEqual({
      kind: 'fence',
      language: 'ts',
      text: 'let x;\n\n*y*',
    });
  });

  it('treats a fence without an end as one that is still being written', () => {
    expect(parseMarkdown('```\na\nb')).toEqual([{ kind: 'fence', language: '', text: 'a\nb' }]);
    expect(parseMarkdown('```')).toEqual([{ kind: 'fence', language: '', text: '' }]);
  });

  it('reads a fence on one line', () => {
    expect(parseMarkdown('```a b```')).toEqual([{ kind: 'fence', language: '', text: 'a b' }]);
  });

  it('does not take a dash or a number inside a line for a list', () => {
    expect(parseMarkdown('a - b\n2.5 is 1.5 more').map((block) => block.kind)).toEqual([
      'paragraph',
    ]);
  });

  it('is empty for empty text', () => {
    expect(parseMarkdown('')).toEqual([]);
    expect(parseMarkdown('\r\n \r\n')).toEqual([]);
  });
});

/** Returns the visible text, without any marks. */
function visible(nodes: readonly Inline[]): string {
  return nodes
    .map((node) => {
      if (node.kind === 'break') return '\n';
      if (node.kind === 'mention') return node.id;
      return 'children' in node ? visible(node.children) : node.text;
    })
    .join('');
}

function depthOf(nodes: readonly Inline[]): number {
  return Math.max(0, ...nodes.map((node) => ('children' in node ? 1 + depthOf(node.children) : 0)));
}

describe('parseInline on anything', () => {
  const MARKS = ['*', '**', '_', '__', '`', '``', '\\', '<', '>', '@', '#', '\n', ' ', '(', ')'];
  const LETTERS = ['a', 'b1', 'é', '🎲', 'http', 'http://a.b/c', `<@${id(1)}>`];
  const part = fc.constantFrom(...MARKS, ...LETTERS);
  const text = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(''));

  it('shows every letter, once and in order', () => {
    const letters = (all: string): string => all.replaceAll(/[^\p{L}\p{N}🎲]/gu, '');
    const property = fc.property(text, (typed) => {
      expect(letters(visible(parseInline(typed)))).toBe(letters(typed));
    });
    fc.assert(property, { numRuns: 1_000, seed: 20 });
  });

  it('leaves text without marks as one piece', () => {
    const plain = fc.string({
      unit: fc.constantFrom('a', ' ', 'é', '1', '.', ',', '!'),
      minLength: 1,
    });
    const property = fc.property(plain, (typed) => {
      expect(parseInline(typed)).toEqual([{ kind: 'text', text: typed }]);
    });
    fc.assert(property, { numRuns: 200, seed: 20 });
  });

  it('goes no deeper than four emphases, however many are open', () => {
    const property = fc.property(text, (typed) => {
      expect(depthOf(parseInline(typed))).toBeLessThanOrEqual(4);
    });
    fc.assert(property, { numRuns: 500, seed: 20 });
    const deep = '*a **b '.repeat(100) + ' c** d*'.repeat(100);
    expect(depthOf(parseInline(deep))).toBeLessThanOrEqual(4);
  });

  it('opens no address but http and https', () => {
    const scheme = fc.constantFrom(
      'javascript:',
      'data:',
      'file://',
      'http://',
      'HTTPS://',
      'vbscript:',
    );
    const property = fc.property(scheme, text, (start, rest) => {
      const typed = `[x](${start}${rest}) ${start}${rest}`;
      const links = JSON.stringify(parseInline(typed)).matchAll(/"href":"([^"]*)"/g);
      for (const [, href] of links) expect(href).toMatch(/^https?:\/\//);
    });
    fc.assert(property, { numRuns: 500, seed: 20 });
  });
});

describe('parseMarkdown on anything', () => {
  it('keeps all words of a message, whatever its lines start with', () => {
    const start = fc.constantFrom('', '> ', '- ', '1. ', '  * ', '```', '```ts', '# ', '>', '\t');
    const line = fc.tuple(start, fc.constantFrom('', 'alpha', 'beta gamma', '`delta`', '**eps**'));
    const words = (all: string): string[] => all.match(/alpha|beta|gamma|delta|eps/g) ?? [];
    const property = fc.property(fc.array(line, { maxLength: 10 }), (lines) => {
      // A word right after three backticks names the language of a fence, and is not shown.
      const typed = lines.map(([mark, word]) => (mark === '```' ? mark : `${mark} ${word}`));
      const shown = JSON.stringify(parseMarkdown(typed.join('\n')));
      const expected = typed.filter((each) => !each.startsWith('```')).join('\n');
      expect(words(shown)).toEqual(expect.arrayContaining(words(expected)));
      expect(words(shown).length).toBeGreaterThanOrEqual(words(expected).length);
    });
    fc.assert(property, { numRuns: 500, seed: 20 });
  });
});
