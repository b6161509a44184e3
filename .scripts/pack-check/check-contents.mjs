import { statSync } from 'node:fs';
import { expect, run } from './run-or-throw.mjs';

/** What no published package holds; `dist/templates` is a bot of its own, tests included. */
const unwanted =
  /(^|\/)(src|tests?)\/|\.test(-d)?\.|\.tsbuildinfo$|(^|\/)(tsconfig.*\.json|turbo\.json|build\.mjs|\.env(\..*)?)$/;

/** What a package has to hold, beside what its own package.json points to. */
const alsoNeeded = {
  '@virgule/simulator': ['dist/page/index.html'],
  'create-virgule': ['dist/templates/basic/package.json', 'dist/templates/basic/_gitignore'],
};

/** Every file that a package's own package.json points to. */
function promisedFiles({ bin = {}, exports = {} }) {
  const targets = (entry) =>
    typeof entry === 'string'
      ? [entry]
      : Object.entries(entry)
          .filter(([condition]) => condition !== 'virgule-source')
          .flatMap(([, target]) => targets(target));
  return [...Object.values(bin), ...targets(exports)].map((path) => path.replace(/^\.\//, ''));
}

/**
 * Looks into every tarball: nothing too much, nothing missing.
 *
 * @param {Record<string, string>} tarballs paths by package name
 * @returns {Promise<string[]>} the size of each, as lines
 */
export async function checkContents(tarballs) {
  const lines = [];
  for (const [name, tarball] of Object.entries(tarballs)) {
    const list = await run(['tar', '-tzf', tarball]);
    const entries = list.split('\n').filter(Boolean);
    const files = entries.map((path) => path.replace(/^package\//, ''));
    const text = await run(['tar', '-xzOf', tarball, 'package/package.json']);
    const wrong = files.filter(
      (path) => unwanted.test(path) && !path.startsWith('dist/templates/'),
    );
    expect(wrong.length === 0, `${name} carries what it should not: ${wrong.join(', ')}`);
    const needed = [
      ...promisedFiles(JSON.parse(text)),
      'README.md',
      'LICENSE',
      ...(alsoNeeded[name] ?? []),
    ];
    const missing = needed.filter((path) => !files.includes(path));
    expect(missing.length === 0, `${name} lacks: ${missing.join(', ')}`);
    expect(!text.includes('workspace:'), `${name} depends on a "workspace:" version`);
    lines.push(
      `${name}: ${files.length} files, ${(statSync(tarball).size / 1000).toFixed(0)} kB packed`,
    );
  }
  return lines;
}
