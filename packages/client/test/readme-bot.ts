import { createGateway, type ApplicationCommandEvent } from '@virgule/client/gateway';
import { createRest } from '@virgule/client/rest';

const {
  BOT_TOKEN: token = '',
  BOT_BASE_URL: baseUrl = '',
  BOT_GATEWAY_URL: gatewayUrl = '',
} = process.env;
const rest = createRest({ token, baseUrl });
const gateway = createGateway({ token, gatewayUrl, intents: ['APPLICATION_COMMANDS'] });

async function showCat({ interactionId, channelId }: ApplicationCommandEvent) {
  await rest.interactions.respond(interactionId, { content: 'Here it comes.' });
  await rest.messages.send(channelId, { content: 'A cat', files: ['cat.png'] });
}

// Replaces the whole set: registered commands that are not in the list are deleted.
await rest.commands.replace([{ name: 'cat', description: 'Shows a cat', options: [] }]);
await gateway.connect({
  dispatch: ({ t, d }) => void (t === 'APPLICATION_COMMAND' && showCat(d).catch(console.error)),
});
