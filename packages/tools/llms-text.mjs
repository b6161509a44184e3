// /llms.txt of the site: the pages of the documentation for programs that read them, see https://llmstxt.org.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SITE = 'https://virgule.dev';
const docs = join(import.meta.dirname, '../../docs');

/** Returns the first sentence of a page, without its links. */
function sentenceOf(text) {
  const body = text.slice(text.search(/^# /m)).replaceAll(/```[^]*?```/g, '');
  const paragraph = body.split(/\n{2,}/).find((part) => /^[\p{L}`*]/u.test(part)) ?? '';
  const plain = paragraph.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll(/\s+/g, ' ');
  return (/^.*?[.:](?=\s|$)/.exec(plain)?.[0] ?? plain).replace(/:$/, '.');
}

/** Returns the file of a link of the sidebar, relative to docs. */
const fileOf = (link) => (link.endsWith('/') ? `${link}index.md` : `${link}.md`);

function lineOf({ text, link }) {
  const file = fileOf(link);
  const about = sentenceOf(readFileSync(join(docs, file), 'utf8'));
  return `- [${text}](${SITE}${file})${about === '' ? '' : `: ${about}`}`;
}

/** Returns the text: the groups of the sidebar, each with its pages. Those of single errors and decisions are left out. */
export function llmsText(sidebar) {
  const groups = sidebar
    .filter(({ text }) => text !== 'Decisions')
    .map(({ text, items }) => {
      const pages = items.filter(({ link }) => existsSync(join(docs, fileOf(link))));
      return [`## ${text}`, '', ...pages.map(lineOf), ''].join('\n');
    });
  return [
    '# Virgule',
    '',
    '> A TypeScript framework for slash-command bots: files in `commands/` are commands, files in `events/` handle events.',
    '',
    'Options are a `z.object` of zod; the returned value of `run` is the answer. `virgule dev` runs the bot on a simulator without an',
    'account, `createTestBot` of `virgule/testing` runs it in tests. The platform does not report who ran a command. Every error has a',
    `code and a page, such as ${SITE}/errors/e_option_order.md.`,
    '',
    ...groups,
  ].join('\n');
}
