import { lstat, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorText } from '@virgule/core/errors';
import { recordIn } from '@virgule/core/objects';
import { createErrors } from './create-errors.js';
import type { Decisions } from './scaffold.js';
import { findBlockingFile, type TargetFolder } from './target-folder.js';
import type { TemplateFile } from './templates.js';

/**
 * Files to write, existing files to keep, lines that a kept `.gitignore` lacks, because secrets may be committed, and packages
 * that a kept `package.json` lacks.
 */
type WritePlan = Awaited<ReturnType<typeof planFiles>>;

type BotFiles = Pick<Decisions, 'target'> & { readonly files: readonly TemplateFile[] };

/**
 * Returns the files to write and to keep.
 *
 * @throws VirguleError `E_CREATE_FOLDER` if a file exists where a folder is required.
 */
async function planFiles({ target, files }: BotFiles) {
  const keep: string[] = [];
  let ignore: readonly string[] = [];
  let packages: readonly string[] = [];
  if (!target.exists) return { write: files, keep, ignore, packages };
  const write: TemplateFile[] = [];
  for (const file of files) {
    const blocked = await findBlockingFile(target.path, file.path);
    if (blocked !== undefined) {
      const names = [blocked];
      throw createErrors.E_CREATE_FOLDER({ kind: 'not-empty', folder: target.label, names });
    }
    const there = await lstat(join(target.path, file.path)).catch(() => undefined);
    if (there) keep.push(file.path);
    else write.push(file);
    if (there && file.path === '.gitignore') ignore = await missingLines(target, file);
    if (there && file.path === 'package.json') packages = await missingPackages(target, file);
  }
  return { write, keep, ignore, packages };
}

/** Returns the dependencies that the existing file lacks, as words of an install command. */
async function missingPackages(target: TargetFolder, file: TemplateFile) {
  const existing = await readFile(join(target.path, file.path), 'utf8').catch(() => '');
  const { dependencies, devDependencies } = recordIn(existing) ?? {};
  const known = { ...Object(dependencies), ...Object(devDependencies) };
  return Object.entries(recordIn(file.content.toString())?.['dependencies'] ?? {})
    .filter(([name]) => !Object.hasOwn(known, name))
    .map(([name, range]) => `${name}@${String(range).replace('^', '')}`);
}

/** Returns the lines of a file that the existing one lacks. */
async function missingLines(target: TargetFolder, file: TemplateFile): Promise<readonly string[]> {
  const existing = await readFile(join(target.path, file.path), 'utf8').catch(() => '');
  // `/dist`, `dist` and `dist/` all ignore the folder of a build.
  const plain = (line: string): string => line.trim().replace(/^\/|\/$/g, '');
  const lines = new Set(existing.split('\n').map(plain));
  return file.content
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !lines.has(plain(line)));
}

/**
 * Writes all files to a temporary folder on the same disk, then moves the files. After a failure or an abort, the
 * target is unchanged.
 *
 * @throws VirguleError `E_CREATE_FAILED`; the reason of the signal after an abort.
 */
export async function writeProject(bot: BotFiles, signal: AbortSignal): Promise<WritePlan> {
  const { target } = bot;
  const plan = await planFiles(bot);
  const parent = dirname(target.path);
  let created: string | undefined;
  let temporary: string | undefined;
  let done = false;
  try {
    signal.throwIfAborted();
    // The temporary folder is next to a new folder, but inside an existing one, whose parent may not be writable.
    if (!target.exists) created = await mkdir(parent, { recursive: true });
    temporary = await mkdtemp(join(target.exists ? target.path : parent, '.create-virgule-'));
    const staged = join(temporary, 'bot');
    for (const file of plan.write) {
      signal.throwIfAborted();
      const path = join(staged, file.path);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, file.content);
    }
    signal.throwIfAborted();
    if (target.exists) await moveInto(target, staged, plan);
    else await rename(staged, target.path);
    done = true;
    return plan;
  } catch (error) {
    if (signal.aborted) throw error;
    const details = { kind: 'write', folder: target.label, reason: errorText(error) } as const;
    throw createErrors.E_CREATE_FAILED(details, { cause: error });
  } finally {
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
    if (!done && created !== undefined) await rm(created, { recursive: true, force: true });
  }
}

async function moveInto(target: TargetFolder, staged: string, plan: WritePlan): Promise<void> {
  for (const { path } of plan.write) {
    await mkdir(dirname(join(target.path, path)), { recursive: true });
    await rename(join(staged, path), join(target.path, path));
  }
}
