import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createRest, isNotFound, type Message } from '@virgule/client/rest';
import { STATE_FOLDER, writeStateFile } from '@virgule/core/fs';
import { bareAddress } from '@virgule/core/log';
import { orUndefined } from '@virgule/core/objects';
import { PROFILE_MEMBERS } from '@virgule/core/protocol';
import * as z from 'zod';
import { cliErrors } from '../terminal/cli-errors.js';
import { channelTypes, EXPERIMENTS } from './facts.js';
import { DEADLINE_MS, describe, Lab, type LabOptions } from './lab.js';

const UNREACHABLE = { confidence: 'not-reachable', evidence: 'a choice of the bot, or a limit' };
/** Name of the file that a run keeps as long as its messages may remain. */
const MARKER_FILE = `${STATE_FOLDER}/probe`;
/** Maximum number of pages that are searched for messages of the probe: about 3 minutes. */
const MAX_PAGES = 200;

/** A run whose messages are to be deleted. Without its marker, every message would be deleted. */
const RUN = z.object({
  marker: z.string().min(1),
  channelId: z.string(),
  baseUrl: z.string(),
  botUserId: z.string(),
  /** Last message before those of the run. */
  after: z.object({ id: z.string(), createdAt: z.string() }).optional(),
});
type Run = z.output<typeof RUN>;

/**
 * Measures the platform. Everything it writes is deleted, also after an error or an interrupt. The next run deletes what
 * remains of a run that was killed.
 */
export async function probePlatform(options: LabOptions) {
  const { clock, has, marker, channelId } = options;
  // The file and errors have no password.
  const baseUrl = bareAddress(options.baseUrl);
  const file = join(options.root, MARKER_FILE);
  const startMs = clock.monotonic();
  const lab = new Lab(options);
  await using rest = lab.rest;
  // Deletes as other programs do: a call that failed is repeated.
  await using cleaner = createRest({ ...options, deadlineMs: DEADLINE_MS });
  // Refuses an unknown channel and a wrong token before anything else.
  lab.types = await channelTypes(lab);
  await using socket = await lab.connect();
  const reason = `the gateway sent no READY (close code ${socket.code()})`;
  if (!socket.ready) throw cliErrors.E_PROBE_FAILED({ reason });
  lab.socket = socket;
  const { botUserId } = socket.ready;

  /** Adds the ids of the messages of a run. */
  async function search({ marker, channelId, after }: Run, ids: Set<string>): Promise<void> {
    const isBefore = ({ id, createdAt }: Message): boolean =>
      id === after?.id || Date.parse(createdAt) < Date.parse(after?.createdAt ?? '');
    let before: string | undefined;
    const list = () => cleaner.messages.list(channelId, { before });
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { messages, hasMore, oldestId } = await lab.turn(list);
      for (const message of messages) if (lab.isMarked({ ...message }, marker)) ids.add(message.id);
      if (hasMore === false || messages.length === 0 || messages.some(isBefore)) return;
      before = oldestId ?? messages.at(-1)?.id;
    }
    throw new Error(`only ${MAX_PAGES} pages were searched`);
  }

  /**
   * Deletes the messages of a run, unless someone else has deleted them. Returns the reason why some may remain.
   *
   * @param ids - known messages. @param written - maximum number of messages of the run.
   */
  async function cleanUp(
    run: Run,
    ids = new Set<string>(),
    written = Infinity,
  ): Promise<string | undefined> {
    const reasons = new Set<string>();
    const fail = (error: unknown) => reasons.add(describe(error));
    if (ids.size < written) await search(run, ids).catch(fail);
    for (const id of ids)
      await lab
        .turn(() => cleaner.messages.delete(run.channelId, id))
        .catch((error: unknown) => isNotFound(error) || fail(error));
    if (reasons.size === 0) {
      rmSync(file, { force: true });
      return undefined;
    }
    const where = `in channel ${run.channelId} (${[...reasons].join('; ')})`;
    return `messages of the probe may remain ${where}: delete the messages that begin with ${run.marker}, and ${MARKER_FILE}`;
  }

  // A run that was killed has left its marker.
  const { data: left } = RUN.safeParse(orUndefined(() => JSON.parse(readFileSync(file, 'utf8'))));
  if (left) {
    const isSame = left.baseUrl === baseUrl && left.botUserId === botUserId;
    const other = `${MARKER_FILE} names messages of bot ${left.botUserId} on ${left.baseUrl}: run the probe there, or delete the file`;
    const remains = isSame ? await cleanUp(left) : other;
    if (remains !== undefined) throw cliErrors.E_PROBE_FAILED({ reason: remains });
  }
  const [newest] = (await lab.turn(() => rest.messages.list(channelId, { limit: 1 }))).messages;
  const after = newest && { id: newest.id, createdAt: newest.createdAt };
  const run: Run = { marker, channelId, baseUrl, botUserId, after };
  const { facts } = lab;
  writeStateFile(file, JSON.stringify(run));
  try {
    for (const { needs, facts: group } of EXPERIMENTS)
      for (const [name, find] of Object.entries(group)) {
        const isPossible = needs === undefined || has.has(needs);
        const missing = () => Promise.reject(new Error(`needs ${needs}`));
        facts[name] = await lab.find(isPossible ? find : missing);
        options.onFact(name, facts[name]);
      }
  } finally {
    // An interrupt does not end the cleaning.
    lab.signal = new AbortController().signal;
    const remains = await cleanUp(run, lab.own, lab.messages);
    if (remains !== undefined) options.onRemains(remains);
  }
  const settings: Record<string, unknown> = {};
  for (const name of PROFILE_MEMBERS) {
    const { value } = (facts[name] ??= UNREACHABLE);
    const [member = '', part] = name.split('.');
    if (value === undefined) continue;
    settings[member] = part ? { ...Object(settings[member]), [part]: value } : value;
  }
  const { calls } = lab;
  const limits = rest.limits().buckets.map(({ route, limit }) => ({ route, limit }));
  const seconds = Math.round((clock.monotonic() - startMs) / 1_000);
  const at = new Date(clock.now()).toISOString();
  return { ...settings, measured: { v: 1, at, calls, seconds, limits, facts } };
}
