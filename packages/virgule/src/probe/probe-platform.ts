import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isNotFound } from '@virgule/client/rest';
import { STATE_FOLDER, writeStateFile } from '@virgule/core/fs';
import { bareAddress } from '@virgule/core/log';
import { orUndefined } from '@virgule/core/objects';
import { PROFILE_MEMBERS } from '@virgule/core/protocol';
import { cliErrors } from '../terminal/cli-errors.js';
import { PLATFORM_FILE } from '../terminal/read-profile.js';
import { EXPERIMENTS, findChannels } from './facts.js';
import { describe, Lab, type LabOptions } from './lab.js';

const UNREACHABLE = { confidence: 'not-reachable', evidence: 'a choice of the bot, or a limit' };
/**
 * Name of the file that a run keeps as long as its messages may remain. Its lines are the bot, the channel, the marker,
 * and the time of the last message before those of the run.
 */
const MARKER_FILE = `${STATE_FOLDER}/probe`;

/**
 * Measures the platform, and writes the result. All messages of the probe are deleted, also after an error or an
 * interrupt. The next run deletes what remains of a run that was killed.
 */
export async function probePlatform(options: LabOptions) {
  const { clock, marker, channelId, root } = options;
  const file = join(root, MARKER_FILE);
  const startMs = clock.monotonic();
  const lab = new Lab(options);
  await using rest = lab.rest;
  // Refuses an unknown channel and a wrong token before anything else.
  lab.channels = await findChannels(lab);
  await using socket = await lab.connect();
  const reason = `the gateway sent no READY (close code ${socket.code()})`;
  if (!socket.ready) throw cliErrors.E_PROBE_FAILED({ reason });
  lab.socket = socket;
  // The file and errors have no password.
  const bot = `bot ${socket.ready.botUserId} on ${bareAddress(options.baseUrl)}`;

  /** Deletes the messages of a run. @throws VirguleError `E_PROBE_FAILED` if some may remain. */
  async function cleanUp(run: readonly string[]): Promise<void> {
    const [of, channel = '', beginning = '', after = ''] = run;
    let failure = of === bot ? '' : 'another bot';
    const attempt = (call: Promise<unknown>): Promise<unknown> =>
      call.catch((error: unknown) => {
        // Someone else may have deleted a message.
        if (!isNotFound(error)) failure = describe(error);
      });
    const search = async (): Promise<void> => {
      for await (const message of rest.messages.history(channel)) {
        if (Date.parse(message.createdAt) < Date.parse(after)) return;
        if (lab.isMarked({ ...message }, beginning)) lab.own.add(message.id);
      }
    };
    if (!failure) await attempt(search());
    for (const id of lab.own) await attempt(rest.messages.delete(channel, id));
    lab.own.clear();
    if (!failure) return rmSync(file, { force: true });
    const remains = `messages of ${of} may remain in channel ${channel} (${failure})`;
    throw cliErrors.E_PROBE_FAILED({
      reason: `${remains}: delete those that begin with ${beginning}, and ${MARKER_FILE}`,
    });
  }

  // A run that was killed has left its marker, without which every message would be deleted.
  const left = orUndefined(() => readFileSync(file, 'utf8'))?.split('\n') ?? [];
  if (left[2]) await cleanUp(left);
  const [newest] = (await rest.messages.list(channelId, { limit: 1 })).messages;
  const run = [bot, channelId, marker, newest?.createdAt ?? ''];
  writeStateFile(file, run.join('\n'));
  const { facts } = lab;
  try {
    for (const { needs, facts: group } of EXPERIMENTS)
      for (const [name, find] of Object.entries(group)) {
        await lab.find(name, find, needs);
        options.onFact(name, facts[name]);
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
    const platform = { ...settings, measured: { v: 1, at, calls, seconds, limits, facts } };
    writeFileSync(join(root, PLATFORM_FILE), `${JSON.stringify(platform, null, 2)}\n`);
    return platform;
  } finally {
    // Neither an interrupt nor the number of calls ends the cleaning.
    rest.observe((_, call) => lab.turn(call));
    await cleanUp(run);
  }
}
