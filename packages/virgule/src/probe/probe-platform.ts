import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isNotFound } from '@virgule/client/rest';
import { STATE_FOLDER, writeStateFile } from '@virgule/core/fs';
import { orUndefined } from '@virgule/core/objects';
import { PROFILE_MEMBERS } from '@virgule/core/protocol';
import { cliErrors } from '../terminal/cli-errors.js';
import { channelTypes, EXPERIMENTS } from './facts.js';
import { Lab, SETTLE_MS, type LabOptions } from './lab.js';

const UNREACHABLE = { confidence: 'not-reachable', evidence: 'a choice of the bot, or a limit' };
/** Maximum number of messages that are searched for those of the probe. */
const MAX_MESSAGES = 1_000;

/**
 * Measures the platform. Everything it writes is deleted, also after an error or an interrupt. The next run deletes what
 * remains of a run that was killed.
 */
export async function probePlatform(options: LabOptions) {
  const { clock, has, marker, channelId, signal } = options;
  const file = join(options.root, STATE_FOLDER, 'probe');
  const startMs = clock.monotonic();
  const lab = new Lab(options);
  await using rest = lab.rest;
  // Refuses an unknown channel and a wrong token before anything else.
  lab.types = await channelTypes(lab);
  await using socket = await lab.connect();
  const reason = `the gateway sent no READY (close code ${socket.code()})`;
  if (!socket.ready) throw cliErrors.E_PROBE_FAILED({ reason });
  lab.socket = socket;
  const { botUserId } = socket.ready;

  /** Deletes the messages of a run, unless someone else has deleted them. */
  async function cleanUp(begin: string, of: string): Promise<void> {
    const own: string[] = [];
    const read = async (): Promise<void> => {
      const messages = rest.messages.history(of, { limit: MAX_MESSAGES });
      for await (const { id, authorId, content } of messages)
        if (authorId === botUserId && content.startsWith(begin)) own.push(id);
    };
    const ignoreGone = (error: unknown): void => {
      if (!isNotFound(error)) throw error;
    };
    await read().catch(ignoreGone);
    for (const id of own) await lab.turn(() => rest.messages.delete(of, id)).catch(ignoreGone);
    rmSync(file, { force: true });
  }

  // A run that was killed has left its marker, without which every message would be deleted.
  const left = orUndefined(() => readFileSync(file, 'utf8')) ?? '';
  const [, begin, of] = /^(probe-\S+) (\S+)$/.exec(left) ?? [];
  if (begin && of) await cleanUp(begin, of);
  const { facts } = lab;
  writeStateFile(file, `${marker} ${channelId}`);
  try {
    for (const { needs, facts: group } of EXPERIMENTS)
      for (const [name, find] of Object.entries(group)) {
        const isPossible = needs === undefined || has.has(needs);
        const missing = () => Promise.reject(new Error(`needs ${needs}`));
        facts[name] = await lab.find(isPossible ? find : missing);
        options.onFact(name, facts[name]);
      }
  } finally {
    // An interrupt does not end the cleaning, which begins once the last call has taken effect.
    lab.signal = new AbortController().signal;
    if (signal.aborted) await lab.wait(SETTLE_MS);
    await cleanUp(marker, channelId);
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
