import { silentLog } from '@virgule/core/log';
import { createGateway } from '@virgule/client/gateway';
import { createRest } from '@virgule/client/rest';
import type { ApplicationCommandEvent } from '@virgule/core/protocol';
import { PING_ANSWER } from '../platform/sample-data.js';
import { DEFER_AFTER_MS, NO_TOKEN, type BotOptions, type StartBot } from './bench-bot.js';

/** Starts the bot on `@virgule/client`. */
export const startClientBot: StartBot = async (options: BotOptions) => {
  const { port, token = NO_TOKEN, roll, released, onMessage } = options;
  const rest = createRest({ token, baseUrl: `http://127.0.0.1:${port}`, log: silentLog });
  const gateway = createGateway({
    token,
    gatewayUrl: `ws://127.0.0.1:${port}`,
    log: silentLog,
  });

  function rollOf(rawInput: string): string {
    const [, sides, count] = rawInput.split(' ');
    return roll(Number(sides), Number(count));
  }

  const commands = new Map<string, (event: ApplicationCommandEvent) => Promise<unknown>>([
    [
      'roll',
      ({ interactionId, rawInput }) =>
        rest.interactions.respond(interactionId, { content: rollOf(rawInput) }),
    ],
    [
      'hold',
      async ({ interactionId, rawInput }) => {
        const defer = (): void => void rest.interactions.defer(interactionId);
        const timer = setTimeout(defer, DEFER_AFTER_MS);
        await released;
        clearTimeout(timer);
        return rest.interactions.respond(interactionId, { content: rollOf(rawInput) });
      },
    ],
    [
      'ping',
      ({ interactionId }) => rest.interactions.respond(interactionId, { content: PING_ANSWER }),
    ],
  ]);

  await gateway.connect({
    dispatch({ t, d }) {
      if (t === 'APPLICATION_COMMAND') {
        void commands.get(d.name)?.(d);
      } else if (t === 'MESSAGE_CREATE') {
        onMessage(d);
      }
    },
  });
  return { close: () => Promise.all([gateway.close(), rest.close()]) };
};
