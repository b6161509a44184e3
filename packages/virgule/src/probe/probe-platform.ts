import { readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { errorText, isVirguleError } from '@virgule/core/errors';
import { orUndefined } from '@virgule/core/objects';
import { PROFILE_MEMBERS } from '@virgule/core/protocol';
import { cliErrors } from '../terminal/cli-errors.js';
import { PLATFORM_FILE, readPlatformFile } from '../terminal/read-profile.js';
import { checkChannel, EXPERIMENTS, SETTLE_MS } from './facts.js';
import { cleanUp, cleanUpKilled, describe, saveJournal } from './journal.js';
import { Lab, settingsOf, type Fields, type LabOptions } from './lab.js';
import { keepRefusals } from './refusals.js';

const UNREACHABLE = { confidence: 'not-reachable', evidence: 'no experiment shows it' };
/**
 * Measures the platform, and writes the result. A fact that is neither found nor disproved is kept from an earlier result,
 * and so are settings that were written by hand. All messages of the probe are deleted, even after an error or an
 * interrupt. The next run deletes the messages of a run that was killed.
 */
export async function probePlatform(options: LabOptions) {
  const { clock, root } = options;
  const startMs = clock.monotonic();
  const file = join(root, PLATFORM_FILE);
  // A link stays a link.
  const target = orUndefined(() => realpathSync(file)) ?? file;
  const readText = () => orUndefined(() => readFileSync(target, 'utf8'));
  let text = readText();
  const save = (platform: Fields): void => {
    const written = `${JSON.stringify(platform, null, 2)}\n`;
    try {
      // Renamed, so that a full disk leaves the earlier file. `.virgule` may be on another disk.
      writeFileSync(`${target}.new`, written);
      if (readText() !== text) throw new Error('it was changed during the run');
      renameSync(`${target}.new`, target);
      text = written;
    } catch (error) {
      const reason = `${PLATFORM_FILE} cannot be replaced (${errorText(error)})`;
      const hint = `Compare it with ${PLATFORM_FILE}.new, which has the result if the folder is writable.`;
      throw cliErrors.E_PROBE_FAILED({ reason, hint });
    }
  };
  const lab = new Lab(options);
  lab.earlier = { ...(await readPlatformFile(root)) };
  await using rest = lab.rest;
  // Refuses an unknown channel and a wrong token before anything else.
  await checkChannel(lab);
  await using socket = await lab.connect();
  const reason = `the gateway sent no READY (close code ${socket.code()})`;
  if (!socket.ready) throw cliErrors.E_PROBE_FAILED({ reason });
  lab.botUserId = socket.ready.botUserId;
  await cleanUpKilled(lab);
  const shown: Record<string, unknown> = {};
  const showFacts = (): void => {
    for (const [name, fact] of Object.entries(lab.facts)) {
      if (name in shown && isDeepStrictEqual(shown[name], fact['value'])) continue;
      shown[name] = fact['value'];
      options.onFact(name, fact);
    }
  };
  lab.limit = lab.calls + options.maxCalls;
  saveJournal(lab);
  let platform;
  try {
    for (const [needs, group] of Object.entries(EXPERIMENTS))
      for (const [names, find] of Object.entries(group)) {
        lab.notes = [];
        let failure = 'nothing showed it';
        const missing = new Error(`needs ${needs}`);
        const found = options.has.has(needs) ? find(lab) : Promise.reject(missing);
        const value = await found.catch((error: unknown) => {
          if (isVirguleError(error) && error.code === 'E_PROBE_FAILED') throw error;
          failure = describe(error);
        });
        lab.check();
        const [first = '', ...others] = names.split(' ');
        lab.keep(first, value, value === undefined ? [failure] : lab.notes);
        for (const name of others) lab.keep(name, undefined, [failure]);
        keepRefusals(lab);
        showFacts();
      }
    const before: Fields = Object(lab.earlier['measured']);
    const kept: Record<string, Fields> = {};
    for (const name of PROFILE_MEMBERS) {
      const { value } = (lab.facts[name] ??= UNREACHABLE);
      const fact: Fields = Object(Object(before['facts'])[name]);
      const [member = '', part] = name.split('.');
      const setting = part ? Object(lab.earlier[member])[part] : lab.earlier[member];
      if (value !== undefined || setting === undefined) continue;
      // Without a fact of this value, the setting was written by hand.
      if (!isDeepStrictEqual(setting, fact['value'])) kept[name] = { value: setting };
      else if (!lab.found[name]?.size) lab.facts[name] = { at: before['at'], ...fact };
    }
    showFacts();
    const limits = rest.limits().buckets.map(({ route, limit }) => ({ route, limit }));
    const seconds = Math.round((clock.monotonic() - startMs) / 1_000);
    const at = new Date(clock.now()).toISOString();
    const { calls, bodies } = lab;
    const facts = structuredClone(lab.facts);
    const measured = { v: 1, at, calls, seconds, limits, facts, bodies };
    platform = { ...settingsOf({ ...lab.facts, ...kept }), measured };
    save(platform);
  } finally {
    // Neither an interrupt nor the number of calls ends the cleaning.
    lab.limit = Number.POSITIVE_INFINITY;
    await cleanUp(lab, lab.journal);
  }
  // The deletions have shown their responses and events, too.
  await lab.wait(SETTLE_MS);
  save(platform);
  return platform;
}
