import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText } from '@virgule/core/errors';
import { STATE_FOLDER, writeStateFile } from '@virgule/core/fs';
import * as z from 'zod';
import { cliErrors } from '../terminal/cli-errors.js';

/** Record of the commands deployed from this folder; path relative to the project's root. */
const FILE = join(STATE_FOLDER, 'deployed.json');

const recordSchema = z.looseObject({
  v: z.literal(1),
  /** Names of the commands, by application. */
  applications: z.record(z.string(), z.array(z.string())),
});

/**
 * Returns the names of the commands that were last deployed from this folder for an application; `null` without a
 * record.
 *
 * @throws VirguleError `E_DEPLOY_RECORD` when the record cannot be read: ignoring it would delete commands of other
 * programs.
 */
export async function readRecord(
  root: string,
  applicationId: string,
): Promise<readonly string[] | null> {
  return (await readAll(root))[applicationId] ?? null;
}

export async function writeRecord(root: string, applicationId: string, names: readonly string[]) {
  const applications = { ...(await readAll(root)), [applicationId]: [...names].sort() };
  writeStateFile(join(root, FILE), `${JSON.stringify({ v: 1, applications }, null, 2)}\n`);
}

async function readAll(root: string): Promise<Readonly<Record<string, readonly string[]>>> {
  let text: string;
  try {
    text = await readFile(join(root, FILE), 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return {};
    throw invalid(errorText(cause), cause);
  }
  try {
    return recordSchema.parse(JSON.parse(text)).applications;
  } catch (cause) {
    throw invalid('it is damaged', cause);
  }
}

const invalid = (reason: string, cause: unknown) =>
  cliErrors.E_DEPLOY_RECORD({ file: FILE, reason }, { cause });
