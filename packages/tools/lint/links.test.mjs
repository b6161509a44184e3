import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const pages = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)));

/** Returns the page without fenced code blocks and code spans. */
const prose = (file) =>
  readFileSync(file, 'utf8')
    .replaceAll(/^ *```[^]*?^ *```$/gm, '')
    .replaceAll(/`[^`\n]*`/g, (span) => span.replaceAll(/[[\]()]/g, ''));

/** Returns the anchors of the headings, as the documentation site generates them. */
const anchors = (file) =>
  [...prose(file).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_]+/gu, '-')
      .replaceAll(/^-|-$/g, ''),
  );

/** Returns the file that a relative link names; one of the site may have no extension, but GitHub does not find it then. */
function target(page, path) {
  const file = path === '' ? page : join(dirname(page), path);
  if (existsSync(file) && statSync(file).isFile()) return file;
  return [`${file}.md`, join(file, 'index.md')].find((candidate) => existsSync(candidate));
}

describe('the links of the documentation', () => {
  it.each(pages)('%s links to pages and headings that exist', (page) => {
    const links = [...prose(join(root, page)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link);
    const broken = links
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [path = '', anchor] = link.split('#');
        const file = target(join(root, page), path);
        if (file === undefined) return true;
        return anchor !== undefined && !anchors(file).includes(anchor);
      });
    expect(broken).toEqual([]);
  });
});
