import { defineCommand, defineEvent, startBot } from '@virgule/runtime';
import { loadProject, scan } from '@virgule/runtime/project';
import { z } from 'zod';
import { TOKEN, type BotOptions, type StartBot } from './bench-bot.js';

/** The same bot as users of the framework write it, with two checked options. */
export const startRuntimeBot: StartBot = async ({ port, roll, onMessage }: BotOptions) => {
  const modules: Record<string, object> = {
    'commands/roll.ts': {
      default: defineCommand({
        description: 'Roll some dice',
        options: z.object({ sides: z.int(), count: z.int() }),
        run: ({ options }) => roll(options.sides, options.count),
      }),
    },
    'events/message-create.ts': {
      default: defineEvent('MESSAGE_CREATE', ({ data }) => onMessage(data)),
    },
  };
  const { manifest } = scan(Object.keys(modules));
  const { project, problems } = await loadProject(manifest, {
    importModule: async (file) => ({ ...modules[file] }),
  });
  if (problems[0]) throw problems[0];
  return startBot({
    token: TOKEN,
    baseUrl: `http://127.0.0.1:${port}`,
    gatewayUrl: `ws://127.0.0.1:${port}`,
    project,
    sync: 'never',
  });
};
