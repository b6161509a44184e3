import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sidebar } from '../../docs/.vitepress/sidebar.ts';
import { llmsText } from './llms-text.mjs';

const docs = join(import.meta.dirname, '../../docs');

it('llms.txt has each page with its address and its first sentence', () => {
  const text = llmsText(sidebar);
  const lines = text.split('\n').filter((line) => line.startsWith('- '));
  expect(lines.length).toBeGreaterThan(60);
  for (const line of lines)
    expect(line).toMatch(/^- \[[^\]]+\]\(https:\/\/virgule\.dev\/[\w/-]+\.md\): .{10,280}\.$/);
  expect(text).toContain(
    '- [Answers](https://virgule.dev/guide/answers.md): The return value of a handler is the answer.',
  );
});

it('the sidebar has every page', () => {
  const linked = (items) =>
    items.flatMap(({ link, items: inner = [] }) => [link, ...linked(inner)]);
  const pages = readdirSync(docs, { recursive: true })
    .filter((file) => file.endsWith('.md') && !/^(?:node_modules|\.vitepress)\b/.test(file))
    .map((file) => `/${file.replace(/(?:index)?\.md$/, '')}`);
  const links = new Set(linked(sidebar));
  expect(pages.filter((page) => page !== '/' && !links.has(page))).toEqual([]);
});
