import { invalid, onInteraction, noInteraction, type Row } from './endpoint-case.js';
import { runCommand } from '../run-command.js';

export const interactionsCases = {
  'interactions.ack': { request: onInteraction(), refused: [noInteraction()] },
  'interactions.defer': { request: onInteraction(), refused: [noInteraction()] },
  'interactions.followUp': {
    request: async (platform) => {
      const { id } = await runCommand(platform);
      await platform.call(
        'interactions.respond',
        { interactionId: id },
        { body: { content: 'First' } },
      );
      return { parameters: { interactionId: id }, body: { content: 'More' } };
    },
    refused: [
      noInteraction({ body: { content: 'More' } }),
      {
        when: 'nothing was answered yet',
        status: 409,
        code: 'bot_interaction_not_answered',
        request: onInteraction({ body: { content: 'More' } }),
      },
    ],
  },
  'interactions.editResponse': {
    request: async (platform) => {
      const { id } = await runCommand(platform);
      await platform.call('interactions.defer', { interactionId: id });
      return { parameters: { interactionId: id }, body: { content: 'Filled in' } };
    },
    refused: [
      noInteraction({ body: { content: 'Edit' } }),
      {
        when: 'there is nothing to edit',
        status: 404,
        code: 'bot_interaction_response_not_found',
        request: onInteraction({ body: { content: 'Edit' } }),
      },
    ],
  },
  'interactions.respond': {
    request: onInteraction({ body: { content: 'Because', ephemeral: true } }),
    refused: [
      noInteraction({ body: { content: 'Because' } }),
      { when: 'content is missing', ...invalid('content'), request: onInteraction({ body: {} }) },
      {
        when: 'content is null and no file is sent',
        ...invalid('content'),
        request: onInteraction({ body: { content: null } }),
      },
    ],
  },
} satisfies Record<string, Row>;
