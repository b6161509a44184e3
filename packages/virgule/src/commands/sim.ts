import { isVirguleError } from '@virgule/core/errors';
import { countOf, showOnOneLine } from '@virgule/core/text';
import type { SimFaultState } from '@virgule/core/simulator-api';
import { runtimeErrors } from '@virgule/runtime/project';
import { runningSimulator } from '../state/state-lock.js';
import { faultsNamed } from '../trigger/faults-named.js';
import { SIM_ACTIONS } from '../trigger/sim-actions.js';
import { createSimControl, reasonOf } from '../trigger/sim-control.js';
import { cliErrors } from '../terminal/cli-errors.js';
import { defineCliCommand } from '../terminal/command.js';
import { readFaultsFile } from '../terminal/faults-file.js';

export const sim = defineCliCommand({
  name: 'sim',
  words: 'ACTION NAME',
  about: 'Break the platform of the running `virgule dev`, or change its world and clock',
  flags: {
    faults: { type: 'string', value: 'FILE', about: 'Set the faults of a file' },
    off: { type: 'boolean', about: 'Switch all faults off' },
    json: { type: 'boolean', about: 'Print one JSON object' },
  },
  examples: [
    'virgule sim fault',
    'virgule sim fault "rate limited"',
    'virgule sim fault --faults faults.json',
    'virgule sim fault --off',
    'virgule sim snapshot save before',
    'virgule sim clock skip 15m',
    'virgule sim reset',
  ],
  exits: { 0: 'done', 1: 'refused, or no `virgule dev` runs in this folder' },
  async run({ flags: { faults: file, off, json }, words }, io) {
    const [action = '', ...names] = words;
    const given = [
      ...(names.length > 0 ? ['a name'] : []),
      ...(file === undefined ? [] : ['--faults']),
      ...(off ? ['--off'] : []),
    ];
    const act = Object.hasOwn(SIM_ACTIONS, action) ? SIM_ACTIONS[action] : undefined;
    if (act === undefined && action !== 'fault')
      throw runtimeErrors.E_ARGUMENTS({
        command: 'sim',
        want: `fault, ${Object.keys(SIM_ACTIONS).join(', ')}`,
        saw: words,
      });
    if (given.length > 1 || (act !== undefined && (file !== undefined || off)))
      throw cliErrors.E_FLAG_CONFLICT({
        command: 'sim',
        flags: act === undefined ? given : [action, ...given],
      });
    const baseUrl = runningSimulator(io.cwd);
    if (baseUrl === undefined) throw cliErrors.E_SIM_NOT_RUNNING({});
    const fromFile = file === undefined ? undefined : await readFaultsFile(file, io);
    const control = createSimControl(baseUrl);
    const request = async <T>(promise: Promise<T>): Promise<T> =>
      promise.catch((cause: unknown) => {
        if (isVirguleError(cause)) throw cause;
        throw cliErrors.E_SIM_REQUEST({ baseUrl, reason: reasonOf(cause) }, { cause });
      });
    if (act !== undefined) {
      const done = await request(act(names, control));
      io.stdout.write(json ? `${JSON.stringify({ v: 1, ...done.json })}\n` : done.text);
      return 0;
    }
    let state = await request(control.faults());
    if (given.length > 0) {
      const faults = fromFile ?? faultsNamed(names, state);
      await request(control.send('PUT', '/_sim/faults', faults));
      state = await request(control.faults());
    }
    io.stdout.write(json ? `${JSON.stringify({ v: 1, ...state })}\n` : describe(state));
    return 0;
  },
});

function describe({ rules, presets }: SimFaultState): string {
  if (rules.length > 0)
    return rules
      .map(({ name, hits }) => `  ${showOnOneLine(name)}: ${countOf(hits, 'time')}\n`)
      .join('');
  const names = presets.map(({ name }) => `  ${name}\n`).join('');
  return `No faults are on. Switch one on with \`virgule sim fault NAME\`:\n${names}`;
}
