// Actions of users in channels.
import { createUploadSessionRequestSchema } from '@virgule/core/protocol';
import { sampleEvent } from '@virgule/core/simulator-api';
import * as z from 'zod';
import { deriveId } from '../world/derive.js';
import { invalid } from '../world/refusal.js';
import { simUpload } from '../world/sim-views.js';
import { voiceOf } from '../world/voice.js';
import { participantViews } from '../world/place-views.js';
import { action, AS, CHANNEL, MESSAGE, SECONDS, type Control, type SimAction } from './action.js';
import * as users from './act-as-user.js';
import { handlersOf } from './ask-bot.js';
import { actAndFollow } from './follow.js';

const PLACE = { channel: CHANNEL, as: AS };

export const USER_ACTIONS: readonly SimAction[] = [
  action({
    name: 'run',
    about:
      'Types a command such as "/roll 20", and returns the bot\'s response: the answer with its follow-ups, requests, log entries, and errors with their locations',
    example: '"/roll 20"',
    input: {
      line: z.string().describe('The command as typed; the slash is optional'),
      ...PLACE,
      seconds: SECONDS,
    },
    act: ({ line, seconds, ...place }, control) =>
      actAndFollow(control, seconds, () => {
        const rawInput = /^\s*\//.test(line) ? line : `/${line}`;
        return users.runLine(control.world, rawInput, place);
      }),
  }),
  action({
    name: 'say',
    about: "Sends a message, and returns the message with the bot's response",
    example: 'hi --as grace',
    input: {
      content: z.string().describe('The content; may be empty for a message with files'),
      ...PLACE,
      replyTo: z.string().optional().describe('Id of the message to reply to'),
      attachments: z
        .array(z.string())
        .optional()
        .describe('Keys (`objectKey`) of files that were uploaded with attach'),
      seconds: SECONDS,
    },
    act: ({ seconds, ...message }, control) =>
      actAndFollow(control, seconds, () => users.say(control.world, message)),
  }),
  action({
    name: 'edit',
    about: "Edits a user's message, and returns the message with the bot's response",
    example: 'hello',
    input: {
      content: z.string().describe('The new content'),
      message: MESSAGE,
      ...PLACE,
      seconds: SECONDS,
    },
    act: ({ content, seconds, ...choice }, control) =>
      actAndFollow(control, seconds, () => users.edit(control.world, content, choice)),
  }),
  action({
    name: 'delete',
    about: "Deletes a user's message, and returns the bot's response",
    input: { message: MESSAGE, ...PLACE, seconds: SECONDS },
    act: ({ seconds, ...choice }, control) =>
      actAndFollow(control, seconds, () => users.remove(control.world, choice)),
  }),
  action({
    name: 'react',
    about: "Adds or removes a reaction, and returns the bot's response",
    example: '🎉',
    input: {
      emoji: z.string().default('👍').describe('A unicode emoji, or the id of a custom emoji'),
      message: MESSAGE.describe(
        'Message id; by default the last message with this emoji of the bot, else the last',
      ),
      remove: z.boolean().default(false).describe('Remove the reaction instead'),
      ...PLACE,
      seconds: SECONDS,
    },
    act: ({ emoji, seconds, ...choice }, control) =>
      actAndFollow(control, seconds, () => users.react(control.world, emoji, choice)),
  }),
  action({
    name: 'voice',
    about: "Joins a voice channel, and returns the bot's response",
    input: {
      channel: z.string().optional().describe('Id or name; by default the first voice channel'),
      leave: z.boolean().default(false).describe('Leave all voice channels instead'),
      as: AS,
      seconds: SECONDS,
    },
    act: ({ seconds, ...move }, control) =>
      actAndFollow(control, seconds, () => users.moveVoice(control.world, move)),
  }),
  action({
    name: 'attach',
    about:
      'Uploads a file; returns its `objectKey` for a message, and its `url` for an attachment option',
    example: 'notes.txt --text hello',
    input: {
      name: createUploadSessionRequestSchema.shape.fileName.describe('Name, such as notes.txt'),
      text: z.string().optional().describe('File content'),
      base64: z
        .string()
        .regex(/^[\w+/]*={0,2}$/, 'must be base64')
        .optional()
        .describe('File content in base64, instead of text'),
      contentType: z
        .string()
        .optional()
        .describe('Media type, such as image/png; by default, that of the extension of the name'),
      ...PLACE,
    },
    // Base64 has four characters for three bytes.
    maxBytes: ({ profile }) => Math.ceil((profile.uploadMaxBytes * 4) / 3) + 64 * 1024,
    act({ name, text = '', base64, contentType, ...place }, { world, origin }) {
      const { channel } = users.findPlace(world, place);
      const data = base64 === undefined ? Buffer.from(text) : Buffer.from(base64, 'base64');
      const upload = users.storeFile(world, channel, { name, contentType, data });
      return simUpload(world, origin(), upload, data.length);
    },
  }),
  action({
    name: 'event',
    about:
      'Sends the bot an event with the given payload or a sample, without changing the world. Returns the number of sockets, the files that handle the event, and the payload',
    example: 'MESSAGE_CREATE',
    input: {
      event: z.string().min(1).max(100).describe('Name, such as MESSAGE_CREATE'),
      payload: z.record(z.string(), z.unknown()).optional().describe('By default, a sample'),
      bot: z.string().optional().describe('Name of the bot; by default all bots'),
    },
    async act({ event, payload, bot }, control) {
      const name = event.toUpperCase().replaceAll('-', '_');
      const sent = payload ?? sampleOf(name, control);
      const sockets = control.gateway.send(name, sent, botNamed(control, bot));
      const handlers = await handlersOf(control);
      return {
        sockets,
        handlers: handlers?.filter((handler) => handler.name === name).map(({ file }) => file),
        payload: sent,
      };
    },
  }),
];

/** Returns the username of a bot; `undefined` for all bots. */
export function botNamed({ world }: Control, username: string | undefined): string | undefined {
  if (username === undefined) return undefined;
  const names = Array.from(world.state.bots.values(), (bot) => bot.username);
  if (names.includes(username)) return username;
  throw invalid('bot', `There is no bot ${username}, only ${names.join(', ')}.`);
}

let samples = 0;

function sampleOf(name: string, { world }: Control): object {
  const { channel, user } = users.findPlace(world, {});
  const message = world.state.histories.get(channel.id)?.findLast(({ isDeleted }) => !isDeleted);
  const room = [...world.state.channels.values()].find(({ kind }) => kind === 'voice');
  const command = [...world.state.bots.values()].flatMap(({ commands }) => commands)[0];
  const sample = sampleEvent(name, {
    serverId: channel.serverId,
    channelId: channel.id,
    user,
    messageId: message?.id,
    voice: room && {
      channelId: room.id,
      participants: participantViews(world, voiceOf(world, room.id)),
    },
    command: command?.name,
    nowMs: world.clock.now(),
    newId: () => deriveId(world.seed, `sample:${(samples += 1)}`),
  });
  if (sample !== undefined) return sample;
  throw invalid('payload', `There is no sample of ${name}: its payload is required.`);
}
