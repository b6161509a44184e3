import { describe, expect, it } from 'vitest';
import { id } from '../../test/sample-world.js';
import { parseInline } from './parse-inline.js';
import { parseMarkdown } from './parse-markdown.js';
import type { Inline } from './nodes.js';

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
  ])('reads 2,000 odd characters to the end', (text) => {
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

  it('takes a fence without an end for one that is still being written', () => {
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
