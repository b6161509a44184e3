/**
 * The pages of `docs/errors`, generated from the comment above each entry of the tables of errors: a summary, what it
 * means, and the tags `@example` (the printed error, without its last line) and `@fix`. The last comment `// Group: …` above
 * an entry names its group.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './repository.mjs';

const SITE = 'https://virgule.dev';
/** An entry of a table, with the comment above it if there is one. */
const ENTRY =
  /(?:^ {2}\/\*\*\n((?: {3}\*.*\n)*?) {3}\*\/\n)?^ {2}(E_[A-Z_]+): (?:\{$|(?:user|bug|call)Error)/gm;

/** Returns every error of the tables: its code, the file of its table, and the parts of its comment. */
export function listErrors() {
  const packages = join(root, 'packages');
  return readdirSync(packages).flatMap((name) => {
    const sources = join(packages, name, 'src');
    return filesIn(sources)
      .filter((file) => file.endsWith('-errors.ts'))
      .flatMap((file) => {
        const text = readFileSync(join(sources, file), 'utf8');
        return [...text.matchAll(ENTRY)].map(({ 1: comment = '', 2: code, index }) => ({
          code,
          file: `packages/${name}/src/${file}`,
          ...partsOf(comment, groupAt(text, index)),
        }));
      });
  });
}

function filesIn(folder) {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
}

/** Returns the group that the last comment before an entry names. */
const groupAt = (text, index) => text.slice(0, index).match(/.*^ {2}\/\/ Group: ([^\n]+)$/ms)?.[1];

function partsOf(comment, group) {
  const text = comment.replaceAll(/^ {3}\* ?/gm, '');
  const [intro, ...tags] = text.split(/^(?=@\w+)/m);
  const [summary, ...meaning] = intro.trim().split(/\n{2,}/);
  const tag = (name) =>
    tags
      .find((part) => part.startsWith(`@${name}`))
      ?.slice(name.length + 1)
      .trim() ?? '';
  return {
    summary,
    meaning: meaning.join('\n\n'),
    example: tag('example'),
    fix: tag('fix'),
    group,
  };
}

/** Returns the file of a page, from the root of the repository. */
export const fileOfPage = (code) => `docs/errors/${code.toLowerCase()}.md`;

/** Returns the text of a page. */
export function errorPage({ code, summary, meaning, example, fix, group }) {
  const plain = summary.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '');
  // As the formatter quotes it.
  const quote = plain.includes("'") ? '"' : "'";
  return `---
title: ${code}
description: ${quote}${plain.replaceAll('\n', ' ')}${quote}
group: ${group}
---

# ${code}

${summary}

\`\`\`text
${example}
Docs: ${SITE}/errors/${code.toLowerCase()}
\`\`\`

## What it means

${meaning}

## What to do

${fix}
`;
}
