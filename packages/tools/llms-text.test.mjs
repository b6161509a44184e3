import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sidebar } from '../../docs/.vitepress/sidebar.ts';
import { llmsText } from './llms-text.mjs';
import { repositoryFiles, root } from './repository.mjs';

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
  const pages = repositoryFiles('docs')
    .filter((file) => file.endsWith('.md') && !file.includes('.vitepress'))
    .map((file) => file.replace(/^docs/, '').replace(/(?:index)?\.md$/, ''));
  const links = new Set(linked(sidebar));
  expect(pages.filter((page) => page !== '/' && !links.has(page))).toEqual([]);
});

it('no page and no template has a second schema of a tool for a model', () => {
  const files = ['docs', 'templates'].flatMap((folder) => repositoryFiles(folder));
  const code = files.filter((file) => /\.(md|[cm]?[jt]sx?)$/.test(file));
  expect(code.length).toBeGreaterThan(200);
  const isSchema = /\binputSchema:|\bjsonSchema\(|\bzodSchema\(|\btool\(\{/;
  const found = code.filter((file) => isSchema.test(readFileSync(join(root, file), 'utf8')));
  expect(found).toEqual([]);
});
