import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isNotFound, type Message } from '@virgule/client/rest';
import { errorText, isVirguleError } from '@virgule/core/errors';
import { STATE_FOLDER, writeStateFile } from '@virgule/core/fs';
import { isRecord, recordIn } from '@virgule/core/objects';
import type { SyncCommandItem } from '@virgule/core/protocol';
import { planSync } from '@virgule/runtime/sync';
import { cliErrors } from '../terminal/cli-errors.js';
import type { Fields, Lab } from './lab.js';

/** Content of the file that has everything a run may leave on the platform. It is written before the platform changes. */
export interface Journal {
  readonly channelId: string;
  /** Beginning of each message. */
  readonly marker: string;
  /** Ids of the messages that may exist, by the word after their marker, as far as a response or an event has shown them. */
  readonly messages: Record<string, string[]>;
  /** Time of the last change, in milliseconds since 1970. */
  readonly atMs?: number;
  /** Commands that were registered before the run registered them again. */
  commands?: readonly SyncCommandItem[];
}

/**
 * Number of messages that are searched for those of this run, whose ids are known as a rule, and for those of a killed run.
 * No date ends the search: the clock of the platform may be wrong.
 */
const SEARCHED = { now: 1_000, later: 20_000 };

/** Time in which a message arrives whose call has no answer, in milliseconds: a call can take 90 s. */
const ARRIVAL_MS = 150_000;

/** Limit of a registration, in milliseconds: a longer wait could undo a deploy that comes in between. */
export const SOON = { deadlineMs: 5_000 };

/** Pattern of names and codes of an interface, and of what only ids, tokens and addresses contain. */
const NAME = /^[a-z_$][\w$.:/-]{0,63}$/i;
const ID = /\d{5}|\d[a-z]|[\da-f]{16}/i;

/** Returns a name of the interface; `…` for a text that may be content, an id or a token. */
export const shownName = (name: string): string => (NAME.test(name) && !ID.test(name) ? name : '…');

/** Returns the code of an error; `…` for a code that may be content, an id or a token. */
export const shownCode = (code: unknown): string =>
  /^\d{1,6}$/.test(String(code)) ? String(code) : shownName(String(code));

/** Describes an error without the words of the platform, which may be private. */
export function describe(error: unknown): string {
  if (!isVirguleError(error)) return errorText(error);
  const { status, apiCode }: Fields = error.details;
  const cause = isVirguleError(error.cause) ? describe(error.cause) : '';
  const code = apiCode && shownCode(apiCode);
  return [error.code, status, code, cause].filter(Boolean).join(' ');
}

/** Returns the key of a message in the journal: the word after the marker. */
export const keyOf = (content: unknown): string => String(content).split(' ')[1] ?? '';

const journalFile = ({ botUserId }: Lab): string =>
  `${STATE_FOLDER}/probe-${encodeURIComponent(botUserId)}`;

/** Writes the journal, unless the run is being cleaned up. */
export function saveJournal(lab: Lab): void {
  if (lab.limit === Number.POSITIVE_INFINITY) return;
  const journal: Journal = { ...lab.journal, atMs: lab.options.clock.now() };
  writeStateFile(join(lab.options.root, journalFile(lab)), JSON.stringify(journal));
}

/**
 * Cleans up after a run that was killed, if it has left its journal.
 *
 * @throws VirguleError `E_PROBE_FAILED` if the journal is invalid, or if something may remain.
 */
export async function cleanUpKilled(lab: Lab): Promise<void> {
  const file = journalFile(lab);
  const path = join(lab.options.root, file);
  if (!existsSync(path)) return;
  const left = recordIn(readFileSync(path, 'utf8'));
  // Without its marker, every message of the bot would be deleted.
  if (!left?.['marker'] || !isRecord(left['messages']))
    throw cliErrors.E_PROBE_FAILED({
      reason: `${file} is not a file of the probe`,
      hint: 'Delete the messages of the bot that begin with `probe-`, then delete the file.',
    });
  const journal = left as unknown as Journal;
  const { clock, onWait } = lab.options;
  const leftMs = Math.min((journal.atMs ?? 0) + ARRIVAL_MS - clock.now(), ARRIVAL_MS);
  if (leftMs > 0 && Object.values(journal.messages).some(({ length }) => length === 0)) {
    onWait(leftMs);
    await lab.wait(leftMs);
  }
  await cleanUp(lab, journal);
}

/**
 * Deletes the messages of a run, compares the commands that it registered, and then deletes its journal.
 *
 * @throws VirguleError `E_PROBE_FAILED` if something may remain.
 */
export async function cleanUp(lab: Lab, journal: Journal): Promise<void> {
  const { rest } = lab;
  const { channelId, marker, commands, messages } = journal;
  const isNow = journal === lab.journal;
  const failures = new Set<string>();
  const fail = (error: unknown): void => void failures.add(describe(error));
  const limit = SEARCHED[isNow ? 'now' : 'later'];
  const own = new Set(Object.values(messages).flat());
  /** Ids and keys of messages in the list. */
  const found = new Set<string>();
  const keys = new Set<string>();
  /** Messages that may be those of the run, or copies by users: without content or author, or changed by the platform. */
  const others: Pick<Message, 'id' | 'content'>[] = [];
  const search = async (): Promise<void> => {
    for await (const message of rest.messages.history(channelId, { limit })) {
      const { id, authorId, content, isDeleted } = message;
      if (isDeleted) continue;
      const isOfBot = !authorId || lab.isBot(authorId);
      const isMarked = authorId && isOfBot && content?.startsWith(marker);
      // A response may have shown the id of another message.
      if (!isOfBot && content && !content.includes(marker)) own.delete(id);
      if (isMarked || own.has(id)) found.add(id);
      if (isMarked) keys.add(keyOf(content));
      // Messages of users may have only files. Those of the bot without text may be of the run.
      else if (content ? content.includes(marker) : isOfBot) others.push({ id, content });
    }
  };
  // A channel that is not found may only be hidden, so its messages may remain.
  await search().catch(fail);
  for (const id of found) own.add(id);
  const missing = Object.keys(messages).filter((key) => !messages[key]?.length && !keys.has(key));
  // A message of a call without an answer may arrive later.
  if (missing.length > 0 && (isNow || others.length > 0))
    failures.add(`${missing.length} were not found`);
  for (const { id, content } of others) {
    const isCopied = others.some((other) => other.id !== id && other.content === content);
    // The events that show the ids of answers to commands may be those of copies.
    if (content && isCopied && own.delete(id)) failures.add('a user has copied a message');
  }
  // Someone else may have deleted a message.
  for (const id of own)
    await rest.messages.delete(channelId, id).catch((error) => isNotFound(error) || fail(error));
  found.clear();
  await search().catch(fail);
  if (found.size > 0) failures.add(`${found.size} were not deleted`);
  // A platform may apply a registration late: the commands are compared last.
  const change = commands && (await compareCommands(lab, commands, isNow));
  if (change) failures.add(change);
  const file = journalFile(lab);
  if (failures.size === 0) return rmSync(join(lab.options.root, file), { force: true });
  throw cliErrors.E_PROBE_FAILED({
    reason: `changes may remain in channel ${channelId} (${[...failures].join('; ')})`,
    hint: `Delete the messages that begin with ${marker}, ${commands ? `compare the commands with those in ${file}, ` : ''}then delete ${commands ? 'the file' : file}.`,
  });
}

/**
 * Resolves with how the registered commands differ, if they do. Registers commands that this run has lost again. Anyone may have
 * changed commands in the meantime, or since a run that was killed, and their changes stay.
 */
async function compareCommands(
  { rest: { commands } }: Lab,
  items: readonly SyncCommandItem[],
  isNow: boolean,
): Promise<string | undefined> {
  let isLoss = false;
  const change = await commands.list().then(
    (now) => {
      const plan = planSync(items, now);
      isLoss = isNow && plan.change.length === 0 && plan.remove.length === 0;
      return plan.empty ? undefined : 'the registered commands have changed';
    },
    (error: unknown) => `the registered commands could not be read (${describe(error)})`,
  );
  if (!change || !isLoss) return change;
  return commands.replace(items, SOON).then(
    () => `${change}; they were registered once more`,
    (error: unknown) => `${change}; they could not be registered again (${describe(error)})`,
  );
}
