import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createErrors } from './create-errors.js';

export interface Template {
  readonly name: string;
  readonly description: string;
  readonly folder: string;
}

/** A file of a new bot. */
export interface TemplateFile {
  /** Relative to the bot's folder, with `/` on every system. */
  readonly path: string;
  readonly content: Buffer | string;
}

/** A template's folder inside this repository also holds what building and running it leaves behind. */
const LEFT_OUT = new Set(['node_modules', 'dist', '.virgule', '.turbo']);
/** `build.mjs` has the same rule. */
const isLeftOut = (name: string): boolean =>
  LEFT_OUT.has(name) || (name.startsWith('.env') && name !== '.env.example');

/** The templates, by name. */
export async function listTemplates(templatesFolder: string): Promise<readonly Template[]> {
  const names = await readdir(templatesFolder);
  return Promise.all(
    names.toSorted().map(async (name) => {
      const folder = join(templatesFolder, name);
      const { description } = await readPackageJson(folder);
      return { name, folder, description: typeof description === 'string' ? description : '' };
    }),
  );
}

/** @throws VirguleError `E_CREATE_TEMPLATE_UNKNOWN`, which names those that exist. */
export function findTemplate(templates: readonly Template[], name: string): Template {
  const found = templates.find((template) => template.name === name);
  if (found) return found;
  const known = templates.map((template) => template.name);
  throw createErrors.E_CREATE_TEMPLATE_UNKNOWN({ template: name, templates: known });
}

/** The files of a new bot called `name`, sorted by path. */
export async function readTemplate(
  template: Template,
  name: string,
): Promise<readonly TemplateFile[]> {
  const files: TemplateFile[] = [];
  for (const path of await listFiles(template.folder, '')) {
    const content = await readFile(join(template.folder, path));
    if (path === 'package.json') {
      const { description: _, ...rest } = JSON.parse(content.toString('utf8')) as Record<
        string,
        unknown
      >;
      files.push({ path, content: `${JSON.stringify({ ...rest, name }, null, 2)}\n` });
    } else {
      // npm leaves a .gitignore out of what it publishes, so it travels under another name.
      files.push({ path: path.replace(/(^|\/)_gitignore$/, '$1.gitignore'), content });
    }
  }
  return files.toSorted((left, right) => (left.path < right.path ? -1 : 1));
}

async function listFiles(root: string, below: string): Promise<string[]> {
  const paths: string[] = [];
  for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
    if (isLeftOut(entry.name)) continue;
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) paths.push(...(await listFiles(root, path)));
    else paths.push(path);
  }
  return paths;
}

async function readPackageJson(folder: string): Promise<Record<string, unknown>> {
  // Our own file, made by our own build: an object.
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Record<
    string,
    unknown
  >;
}
