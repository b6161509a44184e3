import { expect, it } from 'vitest';
import { sidebar } from '../../docs/.vitepress/sidebar.ts';
import { llmsText } from './llms-text.mjs';
import { repositoryFiles } from './repository.mjs';

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
