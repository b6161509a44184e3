import { runtimeErrors } from '@virgule/runtime/project';
import { DEV_FLAGS } from '../dev/dev-flags.js';
import { runOnSimulator } from '../dev/run-on-simulator.js';
import { defineCliCommand } from '../terminal/command.js';

export const dev = defineCliCommand({
  name: 'dev',
  words: '',
  about: 'Run the bot on a local simulator with a chat page and hot reload',
  flags: DEV_FLAGS,
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
    // Imported here, because a simulator needs neither the loader nor a REST client in this process.
    const { runLive } = await import('../dev/run-live.js');
    return runLive(flags, io);
  },
});
