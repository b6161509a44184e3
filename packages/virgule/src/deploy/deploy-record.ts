import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '@virgule/core/errors';
import { STATE_FOLDER, writeStateFile } from '@virgule/core/fs';
import { parseJson } from '@virgule/core/objects';
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
export async function readRecord(root: string, applicationId: string) {
  return readAll(root)[applicationId] ?? null;
}

export async function writeRecord(root: string, applicationId: string, names: readonly string[]) {
  const applications = { ...readAll(root), [applicationId]: [...names].sort() };
  writeStateFile(join(root, FILE), `${JSON.stringify({ v: 1, applications }, null, 2)}\n`);
}

function readAll(root: string): Readonly<Record<string, readonly string[]>> {
  const text = (): string => readFileSync(join(root, FILE), 'utf8');
  const { data, reason, cause } = parseJson(text, recordSchema);
  if (reason === undefined) return data.applications;
  if (['ENOENT', 'ENOTDIR'].includes(String(errorCode(cause)))) return {};
  throw cliErrors.E_DEPLOY_RECORD({ file: FILE, reason }, { cause });
}
