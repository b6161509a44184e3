import { systemClock } from '@virgule/core/clock';
import { createLog, readEnv } from '@virgule/runtime/process';
import { startSimulator } from '@virgule/simulator';
import { startDevServer } from '../../dev/dev-server.js';
import type { DevReport } from '../../dev/dev-report.js';
import { createDevText } from '../../dev/dev-text.js';
import { defineCliCommand } from '../command.js';
import { freePort } from '../free-port.js';
import { interrupted } from '../interrupted.js';
import { version } from '../version.js';

export const dev = defineCliCommand({
  name: 'dev',
  words: '',
  about: 'Run the bot on a local simulator with a chat page; saved files answer at once',
  flags: {
    port: {
      type: 'port',
      value: 'N',
      about: 'Listen on this port or fail (default: the first free one from 7300)',
    },
    json: { type: 'boolean', about: 'Print one JSON object a line' },
  },
  examples: ['virgule dev', 'virgule dev --port 7400', 'virgule dev --json'],
  async run({ flags }, io) {
    const toText = createDevText({ color: io.color, version, now: () => systemClock.now() });
    const report = (event: DevReport): void => {
      io.stdout.write(flags.json ? `${JSON.stringify({ v: 1, ...event })}\n` : toText(event));
    };
    const env = () => readEnv(io.cwd, 'development', io.env);
    const log = createLog({
      level: env()['LOG_LEVEL'] ?? 'warn',
      destination: {
        write: (line) => report({ type: 'output', stream: 'stderr', line: line.trimEnd() }),
      },
    });
    const platform = await freePort(flags.port, (port) => startSimulator({ port, log }));
    await using _server = await startDevServer({
      root: io.cwd,
      platform,
      env,
      report,
      log,
      signal: io.interrupt,
    });
    await interrupted(io.interrupt);
    return 0;
  },
});
