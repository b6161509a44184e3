import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../core/test/fixtures/property-runs.js';
import { CHANNEL } from '../../test/ids.js';
import { faultOf, markdownTexts } from '../../test/markdown-texts.js';
import { closeMarkdown } from './close-markdown.js';

describe('closeMarkdown', () => {
  it.each([
    ['plain', 'plain'],
    ['some **bold', 'some **bold**'],
    ['some **bold ', 'some **bold**'],
    ['some **bold*', 'some **bold**'],
    ['some **bold** text', 'some **bold** text'],
    ['some *', 'some'],
    ['some **', 'some'],
    ['***both', '***both***'],
    ['***both*', '***both***'],
    ['***both**', '***both***'],
    ['**a *b', '**a *b***'],
    ['_a __b', '_a __b___'],
    ['~~gone', '~~gone~~'],
    ['~~gone~', '~~gone~~'],
    ['about ~5', 'about ~5'],
    ['||secret', '||secret||'],
    ['| a | b', '| a | b'],
    ['2 * 3 ** 4', '2 * 3 ** 4'],
    ['snake_case_name', 'snake_case_name'],
    ['`code', '`code`'],
    ['`*code', '`*code`'],
    ['``a ` b', '``a ` b``'],
    ['``a ``', '``a ``'],
    ['``a `', '``a``'],
    ['**see `code', '**see `code`**'],
    ['a `', 'a'],
    ['\\*no', '\\*no'],
    ['**no\\', '**no**'],
    ['* item **a', '* item **a**'],
    ['* one *\n* two', '* one *\n* two'],
    ['**a\n\nb', '**a\n\nb'],
    ['**a **b', '**a **b**'],
    ['***both** it* and', '***both** it* and'],
    ['***both* it** and *more', '***both* it** and *more*'],
    ['**a\n> b', '**a\n> b'],
    ['> **a\n> b', '> **a\n> b**'],
  ])('closes the formats of %j: %j', (text, closed) => {
    expect(closeMarkdown(text)).toBe(closed);
  });

  it.each([
    ['see [the', 'see'],
    ['see [the docs]', 'see'],
    ['see [the docs](https://a.b/c', 'see'],
    ['see [the docs](https://a.b/c)', 'see [the docs](https://a.b/c)'],
    ['**see [the', '**see**'],
    ['a [ ] task', 'a [ ] task'],
    [`a ${'['.repeat(2_000)}`, 'a'],
    ['see https://a.b/c', 'see'],
    ['see https://a.b/c.', 'see'],
    ['see https://a.b/_c_ and *d', 'see https://a.b/_c_ and *d*'],
    ['**https://a.b** and', '**https://a.b** and'],
    [`hello <@${CHANNEL.slice(0, 9)}`, 'hello'],
    [`hello <@${CHANNEL}>`, `hello <@${CHANNEL}>`],
  ])('leaves out half a link: %j becomes %j', (text, closed) => {
    expect(closeMarkdown(text)).toBe(closed);
  });

  it.each([
    ['a\n```', 'a'],
    ['a\n```ts', 'a'],
    ['a\n```ts\nlet *x', 'a\n```ts\nlet *x\n```'],
    ['```ts\nlet x\n``', '```ts\nlet x\n```'],
    ['```ts\nlet x\n```\n**b', '```ts\nlet x\n```\n**b**'],
    ['```ts\na\n\n*b\n```\nc', '```ts\na\n\n*b\n```\nc'],
    ['> ```\n> a', '> ```\n> a\n> ```'],
    ['~~~~\na', '~~~~\na\n~~~~'],
    ['1. a\n   ```sh\n   b', '1. a\n   ```sh\n   b\n   ```'],
    ['- a\n\n  ```\n  b\n  ``', '- a\n\n  ```\n  b\n  ```'],
    ['', ''],
  ])('closes the code block of %j: %j', (text, closed) => {
    expect(closeMarkdown(text)).toBe(closed);
  });

  it.each([
    ['- ', ''],
    ['tea:\n- ', 'tea:'],
    ['- tea\n-', '- tea'],
    ['tea:\n* ', 'tea:'],
    ['**tea**\n1. ', '**tea**'],
    ['tea\n##', 'tea'],
    ['> tea\n>', '> tea'],
    ['> tea\n> - ', '> tea'],
    ['```ts\na\n```\n- ', '```ts\na\n```'],
    ['five\n-5', 'five\n-5'],
    ['in 1.', 'in 1.'],
  ])('leaves out the mark of a block without text: %j becomes %j', (text, closed) => {
    expect(closeMarkdown(text)).toBe(closed);
  });

  it('shows no mark, and only what the whole text shows, wherever a text is cut', () => {
    fc.assert(
      fc.property(markdownTexts, (text) => {
        for (let cut = 0; cut <= text.length; cut += 1)
          expect(faultOf(closeMarkdown(text.slice(0, cut)), text)).toBeUndefined();
      }),
      { numRuns: runs(1_000) },
    );
  });
});
