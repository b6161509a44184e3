import { expect } from 'vitest';
import type { ExpectedRefusal, Platform } from '../open-platform.js';
import { runCommand } from '../run-command.js';
import { uploadFile } from '../upload-file.js';

/** A request to an endpoint, in the form of its row. */
export interface Request {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly query?: string;
}

/** A request that must be refused. */
export interface Case extends ExpectedRefusal {
  readonly when: string;
  readonly request: (platform: Platform) => Request | Promise<Request>;
}

/** Test data for one row of the table. */
export interface Row {
  /** Prepares the world, and returns a request that must succeed. */
  readonly request: (platform: Platform) => Request | Promise<Request>;
  readonly refused: readonly Case[];
}

export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
export const THUMB = { unicodeEmoji: '👍', customEmojiId: null };

export const unknown = { status: 404, code: 'bot_not_found' } as const;
export const denied = { status: 403, code: 'bot_forbidden' } as const;
export const invalid = (field: string) =>
  ({ status: 400, code: 'bot_validation_error', field }) as const;

/** Returns a message by Ada, by default in a channel where the bot has every permission. */
export function adasMessage(platform: Platform, channel = 'general'): Record<string, string> {
  const message = platform.simulator.sendMessage({ channel, content: 'Hello', as: 'ada' });
  return { channelId: message.channelId, messageId: message.id };
}

export async function botsMessage(platform: Platform, channel = 'general') {
  const channelId = platform.channelId(channel);
  const reply = await platform.call('messages.send', { channelId }, { body: { content: 'Mine' } });
  expect(reply.status).toBe(200);
  return { channelId, messageId: platform.lastMessage(channel).id };
}

export async function messageWithFile(platform: Platform) {
  const channelId = platform.channelId('general');
  const objectKey = await uploadFile(platform);
  await platform.call(
    'messages.send',
    { channelId },
    { body: { content: 'A file', attachments: [{ objectKey }] } },
  );
  const { id, attachments } = platform.lastMessage();
  return { channelId, messageId: id, attachmentId: attachments[0]?.id ?? '' };
}

export const inChannel =
  (name: string, rest: Omit<Request, 'parameters'> = {}) =>
  (platform: Platform): Request => ({
    parameters: { channelId: platform.channelId(name) },
    ...rest,
  });

export const onMessage =
  (rest: Omit<Request, 'parameters'> = {}, channel?: string) =>
  (platform: Platform): Request => ({ parameters: adasMessage(platform, channel), ...rest });

export const onServer =
  (name: string) =>
  (platform: Platform): Request => ({ parameters: { serverId: platform.serverId(name) } });

export const onInteraction =
  (rest: Omit<Request, 'parameters'> = {}) =>
  async (platform: Platform): Promise<Request> => ({
    parameters: { interactionId: (await runCommand(platform)).id },
    ...rest,
  });

export const hiddenServer: Case = {
  when: 'the bot is not installed',
  ...unknown,
  request: onServer('Elsewhere'),
};
export const hiddenChannel = (rest: Omit<Request, 'parameters'> = {}): Case => ({
  when: 'an override hides the channel',
  ...unknown,
  request: inChannel('hidden', rest),
});
export const hiddenMessage = (rest: Omit<Request, 'parameters'> = {}): Case => ({
  when: 'an override hides the channel of the message',
  ...unknown,
  request: onMessage(rest, 'hidden'),
});
export const unknownMessage = (rest: Omit<Request, 'parameters'> = {}): Case => ({
  when: 'there is no such message',
  ...unknown,
  request: (platform) => ({
    parameters: { channelId: platform.channelId('general'), messageId: UNKNOWN_ID },
    ...rest,
  }),
});
export const noInteraction = (rest: Omit<Request, 'parameters'> = {}): Case => ({
  when: 'there is no such interaction',
  status: 404,
  code: 'bot_interaction_not_found',
  request: () => ({ parameters: { interactionId: UNKNOWN_ID }, ...rest }),
});
export const notVoice: Case = {
  when: 'it is a text channel',
  ...invalid('channelId'),
  request: inChannel('general'),
};
export const bothEmojis = (request: (platform: Platform) => Request): Case => ({
  when: 'both emoji keys carry a value',
  ...invalid('unicodeEmoji'),
  request: (platform) => ({
    ...request(platform),
    body: { unicodeEmoji: '👍', customEmojiId: UNKNOWN_ID },
  }),
});
