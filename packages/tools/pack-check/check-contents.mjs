import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { readJson } from '../repository.mjs';
import { expect, run } from './run-or-throw.mjs';

/**
 * Files that no published package may contain; templates in `dist/templates` may. The sources are published: the
 * declaration maps lead to them.
 */
const unwanted =
  /(^|\/)tests?\/|\.test(-d)?\.|\.tsbuildinfo$|(^|\/)(tsconfig.*\.json|turbo\.json|build\.mjs|\.env(\..*)?)$/;

/** Files that a package must contain in addition to those of its package.json. */
const alsoRequired = {
  '@virgule/simulator': ['dist/page/index.html', 'dist/page/THIRD_PARTY.txt'],
  'create-virgule': ['dist/templates/basic/package.json', 'dist/templates/basic/_gitignore'],
};

/** Returns every file that a package.json refers to. */
function referencedFiles({ bin = {}, exports = {} }) {
  const targets = (entry) =>
    typeof entry === 'string' ? [entry] : Object.values(entry).flatMap(targets);
  return [...Object.values(bin), ...targets(exports)].map((path) => path.replace(/^\.\//, ''));
}

/**
 * Checks the contents of every tarball: no unwanted and no missing files.
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
    expect(wrong.length === 0, `${name} contains unwanted files: ${wrong.join(', ')}`);
    const required = [
      ...referencedFiles(JSON.parse(text)),
      'README.md',
      'LICENSE',
      ...(alsoRequired[name] ?? []),
    ];
    const missing = required.filter((path) => !files.includes(path));
    expect(missing.length === 0, `${name} does not contain: ${missing.join(', ')}`);
    const folder = mkdtempSync(join(tmpdir(), 'virgule-contents-'));
    await run(['tar', '-xzf', tarball, '-C', folder]);
    const maps = files.filter((path) => path.endsWith('.map') && !path.includes('/page/'));
    for (const map of maps) {
      const { sources } = readJson(join(folder, 'package', map));
      const absent = sources.filter(
        (path) => !files.includes(posix.join(posix.dirname(map), path)),
      );
      expect(
        absent.length === 0,
        `${name}: ${map} leads to ${absent.join(', ')}, which is missing`,
      );
    }
    const ownMaps = files.filter(
      (path) =>
        /^dist\/(?!page).*\.js$/.test(path) &&
        readFileSync(join(folder, 'package', path), 'utf8').includes('sourceMappingURL=data:'),
    );
    expect(ownMaps.length === 0, `${name}: tools read a source map in ${ownMaps.join(', ')}`);
    rmSync(folder, { recursive: true });
    expect(!text.includes('workspace:'), `${name} depends on a "workspace:" version`);
    lines.push(
      `${name}: ${files.length} files, ${(statSync(tarball).size / 1000).toFixed(0)} kB packed`,
    );
  }
  return lines;
}
