import { formatError } from '@virgule/core/errors';
import type { Redactor } from '@virgule/core/log';
import type { ResolvedConfig } from '../config/read-config.js';
import type { LoadResult } from '../load/load-project.js';
import { connectStorage, openScaled } from '../operate/open-scaled.js';
import { operations } from '../operate/operate.js';
import type { Env } from './read-env.js';
import type { OperationArguments } from './start-arguments.js';

/** Runs a command on the stored data of a built bot, instead of the bot. Resolves to the exit code. */
export async function runOperation(
  { name, words, flags }: OperationArguments,
  config: ResolvedConfig,
  env: Env,
  redact: Redactor,
  load: () => Promise<LoadResult>,
): Promise<number> {
  const { signal } = new AbortController();
  // The reader of the output has ended, such as `head`.
  process.stdout.once('error', () => process.exit(1));
  const openScale = () => openScaled(config, { env, signal, hide: (texts) => redact.hide(texts) });
  try {
    return await operations[name](words, flags, {
      program: 'node dist/bot.mjs',
      layOutRow: (cells) => {
        const line = cells.join('  ');
        // There is no width without a terminal.
        return line.length > process.stdout.columns ? cells.join('\n  ') : line;
      },
      stdout: process.stdout,
      stderr: process.stderr,
      interrupt: signal,
      openStorage: async () => connectStorage(config, openScale, process.cwd()),
      redact,
      async readBot() {
        const { project, problems } = await load();
        if (problems[0]) throw problems[0];
        return { project, config };
      },
      openScale,
    });
  } catch (error) {
    process.stderr.write(`${formatError(error, { redact })}\n`);
    return 1;
  } finally {
    // Awaited, because a long text is not written at once, and the process ends afterwards.
    await new Promise((resolve) => process.stdout.write('', resolve));
  }
}
