import { countOf, showOnOneLine } from '@virgule/core/text';
import type { SimFaultState } from '@virgule/core/simulator-api';
import { runtimeErrors } from '@virgule/runtime/project';
import { runningSimulator } from '../../dev/server/state-lock.js';
import { faultsNamed } from '../../trigger/faults-named.js';
import { createSimControl, reasonOf } from '../../trigger/sim-control.js';
import { cliErrors } from '../cli-errors.js';
import { defineCliCommand } from '../command.js';
import { readFaultsFile } from '../faults-file.js';

export const sim = defineCliCommand({
  name: 'sim',
  words: 'ACTION NAME',
  about: 'Break the platform of the running `virgule dev` on purpose',
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
  ],
  exits: { 0: 'done', 1: 'refused, or no `virgule dev` runs in this folder' },
  async run({ flags: { faults: file, off, json }, words }, io) {
    const [action, ...names] = words;
    if (action !== 'fault')
      throw runtimeErrors.E_ARGUMENTS({ command: 'sim', want: 'the word fault', saw: words });
    const given = [
      ...(names.length > 0 ? ['a name'] : []),
      ...(file === undefined ? [] : ['--faults']),
      ...(off ? ['--off'] : []),
    ];
    if (given.length > 1) throw cliErrors.E_FLAG_CONFLICT({ command: 'sim fault', flags: given });
    const baseUrl = runningSimulator(io.cwd);
    if (baseUrl === undefined) throw cliErrors.E_SIM_NOT_RUNNING({});
    const fromFile = file === undefined ? undefined : await readFaultsFile(file, io);
    const control = createSimControl(baseUrl);
    const request = async <T>(promise: Promise<T>): Promise<T> =>
      promise.catch((cause: unknown) => {
        throw cliErrors.E_SIM_REQUEST({ baseUrl, reason: reasonOf(cause) }, { cause });
      });
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
