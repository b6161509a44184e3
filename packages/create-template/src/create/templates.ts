import { readFile, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { createErrors } from './create-errors.js';

export interface Template {
  readonly name: string;
  readonly description: string;
  readonly folder: string;
}

export interface TemplateFile {
  /** Path in the folder of the bot, with `/` on every system. */
  readonly path: string;
  readonly content: Buffer | string;
}

/** Entries that are not part of a template: output of building and running it in this repository. */
const EXCLUDED = new Set(['node_modules', 'dist', '.virgule', '.turbo']);
/** Returns whether a file is excluded; `build.mjs` has the same rule. */
const isExcluded = (name: string): boolean =>
  EXCLUDED.has(name) || (name.startsWith('.env') && name !== '.env.example');

export async function listTemplates(templatesFolder: string): Promise<readonly Template[]> {
  return Promise.all(
    (await readdir(templatesFolder)).toSorted().map(async (name) => {
      const folder = join(templatesFolder, name);
      // The build of this package writes this file.
      const packageJson = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
        readonly description?: string;
      };
      return { name, folder, description: packageJson.description ?? '' };
    }),
  );
}

export function describeTemplates(templates: readonly Template[]): readonly string[] {
  const width = Math.max(...templates.map(({ name }) => name.length));
  return templates.map(({ name, description }) => `${name.padEnd(width)}  ${description}`);
}

/** Returns a template by name. @throws VirguleError `E_CREATE_ARGUMENTS`. */
export function findTemplate(templates: readonly Template[], name: string): Template {
  const found = templates.find((template) => template.name === name);
  if (found) return found;
  const known = templates.map((template) => template.name);
  throw createErrors.E_CREATE_ARGUMENTS({ kind: 'template', template: name, templates: known });
}

/** Samples, which a bare bot does not have. The command `hello` and its test remain. */
const isSample = (path: string): boolean =>
  /^(?:commands|events|tests)\//.test(path) &&
  !/^(?:commands\/hello|tests\/bot\.test)\./.test(path);

/** Returns the files of a new bot with the package name `name`, sorted by path. */
export async function readTemplate(
  template: Template,
  name: string,
  bare = false,
): Promise<readonly TemplateFile[]> {
  const files: TemplateFile[] = [];
  const entries = await readdir(template.folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    const path = relative(template.folder, file).replaceAll(sep, '/');
    if (entry.isDirectory() || path.split('/').some(isExcluded)) continue;
    if (bare && isSample(path)) continue;
    const content = await readFile(file);
    if (path === 'package.json') {
      const read = JSON.parse(content.toString('utf8')) as Record<string, unknown>;
      const { description: _, ...rest } = read;
      files.push({ path, content: `${JSON.stringify({ ...rest, name }, null, 2)}\n` });
    } else if (bare && path === 'README.md') {
      const isKept = (line: string): boolean => !isSample(/^\| `(.+?)`/.exec(line)?.[1] ?? '');
      files.push({ path, content: content.toString('utf8').split('\n').filter(isKept).join('\n') });
    } else {
      // npm does not publish a .gitignore, so the file is published under another name.
      files.push({ path: path.replace(/(^|\/)_gitignore$/, '$1.gitignore'), content });
    }
  }
  return files.toSorted((left, right) => (left.path < right.path ? -1 : 1));
}
