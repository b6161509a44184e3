import { join } from 'node:path';
import { errorText } from '@virgule/core/errors';
import { writeStateFile } from '@virgule/core/fs';
import { PROFILE_MEMBERS } from '@virgule/core/protocol';
import { showControls } from '@virgule/core/text';
import { cliErrors } from '../terminal/cli-errors.js';
import { PLATFORM_FILE, readPlatformFile } from '../terminal/read-profile.js';
import { cleanUp, cleanUpKilled, describe, noteChannel } from './clean-up.js';
import { checkChannel, EXPERIMENTS } from './facts.js';
import { Lab, settingsOf, type Fields, type LabOptions } from './lab.js';

/**
 * Measures the platform, and writes the result. A fact that is neither found nor disproved is kept from an earlier result,
 * and so are settings that were written by hand. All messages of the probe are deleted, even after an error or an
 * interrupt. The next run deletes the messages of a run that was killed.
 */
export async function probePlatform(options: LabOptions) {
  const { clock, root, channelId } = options;
  const startMs = clock.monotonic();
  const earlier: Fields = { ...(await readPlatformFile(root)) };
  const before: Fields = Object(earlier['measured']);
  const lab = new Lab(options);
  await using rest = lab.rest;
  // Refuses an unknown channel and a wrong token before anything else.
  await checkChannel(lab);
  await using socket = await lab.connect();
  const reason = `the gateway sent no READY (close code ${socket.code()})`;
  if (!socket.ready) throw cliErrors.E_PROBE_FAILED({ reason });
  lab.bot = socket.ready;
  await cleanUpKilled(lab);
  const factOf = (name: string): Fields => {
    const fact: Fields = Object(Object(before['facts'])[name]);
    const isKept = !lab.seen[name]?.values.length && fact['value'] !== undefined;
    return isKept ? { at: before['at'], ...fact } : lab.fact(name);
  };
  lab.limit = lab.calls + options.maxCalls;
  noteChannel(lab);
  try {
    for (const [needs, group] of Object.entries(EXPERIMENTS))
      for (const [names, find] of Object.entries(group)) {
        lab.notes = [];
        let failure = 'nothing showed it';
        const missing = new Error(`needs ${needs}`);
        const found = options.has.has(needs) ? find(lab) : Promise.reject(missing);
        const value = await found.catch((error: unknown) => void (failure = describe(error)));
        lab.signal?.throwIfAborted();
        const [first = ''] = names.split(' ');
        if (value !== undefined) lab.keep(first, value);
        for (const name of names.split(' ')) {
          if (!lab.seen[name]) lab.keep(name, undefined, [failure]);
          options.print(describeFact(name, factOf(name)));
        }
      }
    const all = [...PROFILE_MEMBERS, ...Object.keys(lab.seen)];
    const facts = Object.fromEntries(all.map((name) => [name, factOf(name)]));
    const values = PROFILE_MEMBERS.map((name) => {
      const setting = name.split('.').reduce((part: unknown, key) => Object(part)[key], earlier);
      return [name, lab.seen[name]?.values.length ? facts[name]?.['value'] : setting];
    });
    const limits = rest.limits().buckets.map(({ route, limit }) => ({ route, limit }));
    const seconds = Math.round((clock.monotonic() - startMs) / 1_000);
    const at = new Date(clock.now()).toISOString();
    const measured = { v: 1, at, calls: lab.calls, seconds, limits, facts };
    const platform = { ...settingsOf(Object.fromEntries(values)), measured };
    try {
      writeStateFile(join(root, PLATFORM_FILE), `${JSON.stringify(platform, null, 2)}\n`);
    } catch (error) {
      throw cliErrors.E_STATE_UNWRITABLE({ folder: PLATFORM_FILE, reason: errorText(error) });
    }
    return platform;
  } finally {
    // Neither an interrupt nor the number of calls ends the cleaning.
    lab.limit = Number.POSITIVE_INFINITY;
    lab.signal = undefined;
    await cleanUp(lab, channelId, lab.written);
  }
}

function describeFact(name: string, { value, evidence, at }: Fields): string {
  const shown = value === undefined ? `? ${String(evidence)}` : JSON.stringify(value);
  const kept = typeof at === 'string' ? `, as measured at ${at}` : '';
  return `  ${name.padEnd(26)}  ${showControls(shown + kept)}\n`;
}
