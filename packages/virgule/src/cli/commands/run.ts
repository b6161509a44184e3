import { createLog } from '@virgule/runtime/process';
import { systemClock } from '@virgule/core/clock';
import { didYouMean } from '@virgule/core/errors';
import { createTestBot } from '../../testing/create-test-bot.js';
import { cliErrors } from '../cli-errors.js';
import { defineCliCommand } from '../command.js';
import { unlessInterrupted } from '../interrupted.js';
import { createLogText } from '../log-text.js';
import { readIoEnv } from '../read-io-env.js';

export const run = defineCliCommand({
  name: 'run',
  words: '"/line"',
  about: 'Run one line on a private simulator and print the answer',
  flags: {
    json: { type: 'boolean', about: 'Print one JSON object' },
  },
  examples: ['virgule run "/hello"', 'virgule run "/roll 20" --json'],
  async run({ flags, words }, io) {
    const [line, ...others] = words;
    if (line === undefined || others.length > 0) {
      throw cliErrors.E_ARGUMENTS({
        command: 'run',
        want: 'one line in quotes, such as "/hello"',
        saw: words,
      });
    }
    const rawInput = line.startsWith('/') ? line : `/${line}`;
    const toText = createLogText({ color: io.color, now: () => systemClock.now() });
    const env = readIoEnv(io, 'development');
    const log = createLog({
      redact: io.redact,
      level: env['LOG_LEVEL'] ?? 'warn',
      destination: { write: (text) => void io.stderr.write(toText(text.trimEnd())) },
    });
    const starting = createTestBot({ root: io.cwd, env, log });
    // Code of the project may never come to the end of its loading.
    io.interrupt.addEventListener(
      'abort',
      () =>
        void starting.then(
          (late) => late.close(),
          () => {},
        ),
    );
    await using bot = await unlessInterrupted(io.interrupt, starting);
    const name = rawInput.slice(1).split(/\s/, 1)[0] ?? '';
    const known = bot.platform.snapshot().commands.map((command) => command.name);
    if (!known.includes(name)) {
      throw cliErrors.E_COMMAND_UNKNOWN({ name, known, meant: didYouMean(name, known) });
    }
    const result = await unlessInterrupted(io.interrupt, bot.run(rawInput));
    if (flags.json) io.stdout.write(`${JSON.stringify({ v: 1, line: rawInput, ...result })}\n`);
    else for (const reply of result.replies) io.stdout.write(`${reply}\n`);
    if (result.state === 'expired') throw cliErrors.E_NO_ANSWER({ rawInput });
    return 0;
  },
});
