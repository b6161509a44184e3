import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isNotFound } from '@virgule/client/rest';
import { errorText, isVirguleError } from '@virgule/core/errors';
import { STATE_FOLDER, writeStateFile } from '@virgule/core/fs';
import { orUndefined } from '@virgule/core/objects';
import { planSync } from '@virgule/runtime/sync';
import { cliErrors } from '../terminal/cli-errors.js';
import { isOfProbe, type Fields, type Lab } from './lab.js';

/**
 * Number of messages that are searched for those of this run, and for those of a killed run. No date ends the search: the
 * clock of the platform may be wrong.
 */
const SEARCHED = { now: 1_000, later: 20_000 };

/** Time in which a message of a killed run arrives, in milliseconds: a call can take 90 s. */
const ARRIVAL_MS = 150_000;

/** Describes an error without the words of the platform, which may be private. */
export function describe(error: unknown): string {
  if (!isVirguleError(error)) return errorText(error);
  const { status, apiCode }: Fields = error.details;
  const cause = isVirguleError(error.cause) ? describe(error.cause) : '';
  return [error.code, status, apiCode, cause].filter(Boolean).join(' ');
}

/** Returns the file with the channel of a run that has not been cleaned up. */
const fileOf = ({ bot }: Lab): string =>
  `${STATE_FOLDER}/probe-${encodeURIComponent(String(bot?.botUserId))}`;

/** Notes the channel before the run writes into it. */
export const noteChannel = (lab: Lab): void =>
  writeStateFile(join(lab.options.root, fileOf(lab)), lab.options.channelId);

/**
 * Cleans up after a run that was killed, if it has left its channel.
 *
 * @throws VirguleError `E_PROBE_FAILED` if something may remain.
 */
export async function cleanUpKilled(lab: Lab): Promise<void> {
  const { root, print } = lab.options;
  const channelId = orUndefined(() => readFileSync(join(root, fileOf(lab)), 'utf8'));
  if (channelId === undefined) return;
  print(`  Waiting ${ARRIVAL_MS / 1_000} s for late messages of a run that was killed.\n`);
  await lab.wait(ARRIVAL_MS);
  await cleanUp(lab, channelId);
}

/**
 * Deletes the messages of the probe from a channel, compares the commands that this run registered, and then deletes the
 * file with the channel.
 *
 * @param written - number of messages of this run. @defaultValue any number, of a run that was killed
 * @throws VirguleError `E_PROBE_FAILED` if something may remain.
 */
export async function cleanUp(lab: Lab, channelId: string, written?: number): Promise<void> {
  const { rest, ids, registered } = lab;
  const limit = SEARCHED[written === undefined ? 'later' : 'now'];
  const failures = new Set<string>();
  const fail = (error: unknown): void => void failures.add(describe(error));
  const found = new Set<string>();
  const others = new Set<string>();
  const search = async (): Promise<void> => {
    for await (const message of rest.messages.history(channelId, { limit })) {
      const { id, authorId, isDeleted } = message;
      if (isDeleted || !isOfProbe(message)) continue;
      // Users may copy a message. Answers to commands may have another author than the bot.
      (lab.isBot(authorId) || ids.has(id) ? found : others).add(id);
    }
  };
  // A channel that is not found may only be hidden, so its messages may remain.
  await search().catch(fail);
  // A message of a call without an answer may arrive later. The ids of a killed run are not known.
  const missing = written === undefined ? others.size : written - found.size;
  if (missing > 0) failures.add(`${missing} were not found as messages of the bot`);
  // Someone else may have deleted a message.
  for (const id of found)
    await rest.messages.delete(channelId, id).catch((error) => isNotFound(error) || fail(error));
  found.clear();
  await search().catch(fail);
  if (found.size > 0) failures.add(`${found.size} were not deleted`);
  // A platform may apply a registration late: the commands are compared last.
  const isSame = async ({ items }: NonNullable<typeof registered>) =>
    planSync(items, await rest.commands.list()).empty;
  if (registered && !(await isSame(registered).catch(() => false)))
    failures.add(
      `the registered commands may have changed: \`virgule deploy --from ${registered.saved}\` restores them`,
    );
  const file = fileOf(lab);
  if (failures.size === 0) return rmSync(join(lab.options.root, file), { force: true });
  throw cliErrors.E_PROBE_FAILED({
    reason: `changes may remain in channel ${channelId} (${[...failures].join('; ')})`,
    hint: `Delete the messages of the bot that begin with \`virgule-probe-\`, then delete ${file}.`,
  });
}
