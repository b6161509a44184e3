import { runtimeErrors } from '@virgule/runtime/project';
import { runOnSimulator } from '../dev/run-on-simulator.js';
import { defineCliCommand } from '../terminal/command.js';
import { FAULTS_FLAG } from '../terminal/faults-file.js';
import { MODE_FLAG } from '../terminal/help.js';
import { PROFILE_FLAG } from '../terminal/profile-flag.js';

export const dev = defineCliCommand({
  name: 'dev',
  words: '',
  about: 'Run the bot on a local simulator with a chat page and hot reload',
  flags: {
    port: {
      type: 'port',
      value: 'N',
      about: 'Listen on this port or fail (default: the first free one from 7300)',
    },
    host: {
      type: 'string',
      value: '[=NAME]',
      bare: '0.0.0.0',
      about: 'Allow access from other machines, with a URL that contains a key',
    },
    ...MODE_FLAG,
    open: { type: 'boolean', about: 'Open the chat page in the browser' },
    fresh: { type: 'boolean', about: 'Start with an empty chat' },
    ...FAULTS_FLAG,
    ...PROFILE_FLAG,
    once: {
      type: 'boolean',
      about: 'Start, register and check, then exit: 0 if there are no problems',
    },
    live: { type: 'boolean', about: 'Run on the real platform; registers nothing automatically' },
    inspect: {
      type: 'port',
      value: '[=PORT]',
      bare: '9229',
      about: 'Let a debugger attach to the process of the bot',
    },
    json: { type: 'boolean', about: 'Print one JSON object per line' },
  },
  examples: [
    'virgule dev',
    'virgule dev --port 7400 --open',
    'virgule dev --inspect',
    'virgule dev --once --json',
    'virgule dev --live',
  ],
  exits: {
    0: 'stopped; with --once: no problems',
    1: 'could not start; with --once: problems; with --live: the connection ended permanently',
  },
  async run({ flags }, io) {
    for (const name of ['port', 'host', 'open', 'fresh', 'faults', 'profile'] as const) {
      if (flags.live && flags[name] !== undefined && flags[name] !== false)
        throw runtimeErrors.E_ARGUMENTS({
          kind: 'conflict',
          command: 'dev',
          flags: ['--live', `--${name}`],
        });
    }
    if (!flags.live) return runOnSimulator(flags, io);
    // Imported here: a simulator needs neither the loader nor a REST client in this process.
    const { runLive } = await import('../dev/run-live.js');
    return runLive(flags, io);
  },
});
