import { readFileSync, rmSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Command } from '@virgule/client/rest';
import { errorText } from '@virgule/core/errors';
import { writeStateFile } from '@virgule/core/fs';
import { orUndefined } from '@virgule/core/objects';
import { syncItemOf } from '@virgule/core/protocol';
import { planSync } from '@virgule/runtime/sync';
import { cliErrors } from '../terminal/cli-errors.js';
import type { Lab } from './lab.js';

/**
 * Registers the registered commands again, and restores them if that changes more than their ids. Compares them again at the
 * end of the run. Until then, a file has them.
 */
export async function registerAgain(lab: Lab): Promise<void> {
  const { commands } = lab.rest;
  const file = `${lab.file}-commands.json`;
  const hint = `${file} has the commands from before. Compare them with the registered ones, then delete the file.`;
  const registered = await commands.list();
  // A run that was killed may have changed the commands.
  const left = orUndefined((): Command[] => JSON.parse(readFileSync(file, 'utf8')));
  if (left && !planSync(left.map(syncItemOf), registered).empty)
    throw cliErrors.E_PROBE_FAILED({ reason: 'an earlier run may have changed commands', hint });
  const items = registered.map(syncItemOf);
  const whole = registered.map(({ id: _id, createdAt: _createdAt, ...item }) => item);
  // Registering would delete commands that are not in the list, and fields that are not in the interface.
  if (items.length === 0 || !isDeepStrictEqual(whole, items))
    throw new Error('registering could lose commands');
  const isSame = async () => planSync(items, await commands.list()).empty;
  if (!(await isSame())) throw new Error('the list of commands differs each time');

  async function check(): Promise<void> {
    const change = await isSame().then(
      (same) => (same ? '' : 'registering the commands changed them'),
      (error: unknown) => `the registered commands could not be read (${errorText(error)})`,
    );
    if (!change) return;
    const again = await commands.replace(items).then(
      () => 'they were registered once more',
      (error: unknown) => `they could not be registered again (${errorText(error)})`,
    );
    throw cliErrors.E_PROBE_FAILED({ reason: `${change}; ${again}`, hint });
  }

  const { limit } = lab;
  // Nothing but the registration counts while commands may be missing.
  lab.limit = Number.POSITIVE_INFINITY;
  writeStateFile(file, JSON.stringify(registered, null, 2));
  // A failed call may have changed the commands, too.
  const replaced = commands.replace(items);
  await replaced.catch(() => {});
  await check();
  // A platform may apply the registration later.
  lab.atEnd = async () => {
    await check();
    rmSync(file);
  };
  lab.limit = limit;
  await replaced;
}
