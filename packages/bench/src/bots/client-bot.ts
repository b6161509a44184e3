import { createGateway } from '@virgule/client/gateway';
import { createRest } from '@virgule/client/rest';
import type { ApplicationCommandEvent } from '@virgule/core/protocol';
import { TOKEN, type BotOptions, type StartBot } from './bench-bot.js';

/** The same bot on `@virgule/client`. */
export const startClientBot: StartBot = async ({ port, roll, onMessage }: BotOptions) => {
  const rest = createRest({ token: TOKEN, baseUrl: `http://127.0.0.1:${port}` });
  const gateway = createGateway({ token: TOKEN, gatewayUrl: `ws://127.0.0.1:${port}` });

  const commands = new Map([
    [
      'roll',
      ({ interactionId, rawInput }: ApplicationCommandEvent) => {
        const [, sides, count] = rawInput.split(' ');
        const content = roll(Number(sides), Number(count));
        return rest.interactions.respond(interactionId, { content });
      },
    ],
  ]);

  await gateway.connect({
    dispatch({ t, d }) {
      if (t === 'APPLICATION_COMMAND') {
        // The platform here sends what the Bot Interface states.
        const event = d as ApplicationCommandEvent;
        void commands.get(event.name)?.(event);
      } else if (t === 'MESSAGE_CREATE') {
        onMessage(d);
      }
    },
  });
  return { close: () => Promise.all([gateway.close(), rest.close()]) };
};
