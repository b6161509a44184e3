import type { Log } from '@virgule/core/log';
import { defineCommand, defineEvent, defineMiddleware, startBot } from '@virgule/runtime';
import { loadProject, scan } from '@virgule/runtime/project';
import * as z from 'zod';
import { PING_ANSWER } from '../platform/sample-data.js';
import { NO_TOKEN, type StartBot } from './bench-bot.js';

export interface RuntimeLayers {
  /** `true` if every command has a middleware that only calls `next()`. */
  readonly middleware?: boolean;
  /** Number of further commands; with it, the bot has services too. @defaultValue neither */
  readonly commands?: number;
  /** @defaultValue none */
  readonly log?: Log;
}

/** Returns the bot as users of the framework write it, with two checked options. */
export function runtimeBot({
  middleware = false,
  commands = 0,
  log,
}: RuntimeLayers = {}): StartBot {
  return async ({ port, token = NO_TOKEN, roll, released, onMessage }) => {
    const options = z.object({ sides: z.int(), count: z.int() });
    const modules: Record<string, object> = {
      'commands/roll.ts': {
        default: defineCommand({
          description: 'Roll some dice',
          options,
          run: ({ options: { sides, count } }) => roll(sides, count),
        }),
      },
      'commands/hold.ts': {
        default: defineCommand({
          description: 'Roll some dice, later',
          options,
          run: async ({ options: { sides, count } }) => {
            await released;
            return roll(sides, count);
          },
        }),
      },
      'commands/ping.ts': {
        default: defineCommand({
          description: 'Check that the bot responds',
          run: () => PING_ANSWER,
        }),
      },
      'events/message-create.ts': {
        default: defineEvent('MESSAGE_CREATE', ({ data }) => onMessage(data)),
      },
      ...(middleware && {
        'commands/_middleware.ts': { default: defineMiddleware((_context, next) => next()) },
      }),
    };
    for (let index = 0; index < commands; index += 1) {
      modules[`commands/more-${index}.ts`] = {
        default: defineCommand({ description: `Command ${index}`, run: () => PING_ANSWER }),
      };
    }
    const { manifest } = scan(Object.keys(modules));
    const { project, problems } = await loadProject(manifest, {
      importModule: async (file) => ({ ...modules[file] }),
    });
    if (problems[0]) throw problems[0];
    return startBot({
      token,
      baseUrl: `http://127.0.0.1:${port}`,
      gatewayUrl: `ws://127.0.0.1:${port}`,
      project,
      sync: 'never',
      log,
      services: commands > 0 ? servicesWith({ roll }) : undefined,
    });
  };
}

function servicesWith(services: Readonly<Record<string, unknown>>) {
  const close = async (): Promise<void> => {};
  return { created: Promise.resolve(services), close, [Symbol.asyncDispose]: close };
}
