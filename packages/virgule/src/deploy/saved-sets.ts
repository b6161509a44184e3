import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { errorText } from '@virgule/core/errors';
import { STATE_FOLDER, writeStateFile } from '@virgule/core/fs';
import { syncCommandItemSchema, syncItemOf, type SyncCommandItem } from '@virgule/core/protocol';
import { parseJson } from '@virgule/core/objects';
import * as z from 'zod';
import { createFiles } from '../state/snapshot-files.js';
import { cliErrors } from '../terminal/cli-errors.js';

/** Folder of the replaced sets, relative to the project's root. */
const FOLDER = join(STATE_FOLDER, 'deploys');
/** Maximum number of saved sets; older sets are deleted. */
const MAX_KEPT = 20;

const savedSetSchema = z.object({
  v: z.literal(1),
  /** Id of the application for which the set was registered. */
  applicationId: z.string(),
  commands: z.array(syncCommandItemSchema),
  /** Names of the commands deployed from this folder; null when unknown. */
  own: z.array(z.string()).nullable(),
});

export interface SavedSet {
  readonly applicationId: string;
  readonly commands: readonly SyncCommandItem[];
  readonly own: readonly string[] | null;
}

const filesOf = (root: string) => createFiles(join(root, FOLDER), '.json', writeStateFile);

/**
 * Saves a set that is about to be replaced. Returns the name for a rollback.
 *
 * @throws VirguleError `E_DEPLOY_REFUSED` when the set cannot be written: an unsaved set must not be replaced.
 */
export function saveSet(root: string, set: SavedSet, nowMs: number): string {
  const name = new Date(nowMs).toISOString().replaceAll(/[:.]/g, '-');
  const commands = set.commands.map(syncItemOf);
  try {
    filesOf(root).write(name, `${JSON.stringify({ v: 1, ...set, commands }, null, 2)}\n`);
  } catch (cause) {
    throw cliErrors.E_DEPLOY_REFUSED({ kind: 'refused', unwritable: errorText(cause) }, { cause });
  }
  return name;
}

/** Deletes a saved set whose replacement did not happen. */
export const dropSet = (root: string, name: string): void => filesOf(root).remove(name);

export function pruneSets(root: string): void {
  for (const name of listSets(root).slice(MAX_KEPT)) dropSet(root, name);
}

/** Returns the names of the saved sets, newest first. */
export const listSets = (root: string): readonly string[] =>
  [...filesOf(root).names()].sort().reverse();

/**
 * Reads a set by its name, or by the path of its file.
 *
 * @throws VirguleError `E_SAVED_SET`; for an unknown name, it lists the saved sets.
 */
export async function readSet(root: string, nameOrFile: string): Promise<SavedSet> {
  const known = listSets(root);
  const file = known.includes(nameOrFile)
    ? join(root, FOLDER, `${nameOrFile}.json`)
    : resolve(root, nameOrFile);
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw cliErrors.E_SAVED_SET({ kind: 'unknown', name: nameOrFile, known }, { cause });
  });
  const { data, reason, cause } = parseJson(() => text, savedSetSchema);
  if (reason === undefined) return data;
  const details = { kind: 'invalid', name: nameOrFile, reason } as const;
  throw cliErrors.E_SAVED_SET(details, { cause, location: { file } });
}
