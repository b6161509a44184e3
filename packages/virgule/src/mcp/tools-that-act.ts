import type { SimFaults } from '@virgule/core/simulator-api';
import { isRecord } from '@virgule/core/objects';
import * as z from 'zod';
import { faultsNamed } from '../trigger/faults-named.js';
import { findPlace } from '../trigger/find-place.js';
import { triggerEvent, type TriggerInput } from '../trigger/trigger-event.js';
import type { EventName } from '@virgule/core/protocol';
import { defineTool, type McpContext, type McpTool } from './mcp-tool.js';
import { CHANNEL } from './tools-that-read.js';
import { describeMessage, lastRowId, whatFollowed } from './what-followed.js';

const AS = z.string().optional().describe('Username or id of the acting user; without it, ada');
const place = { channel: CHANNEL, as: AS };

/** How long to wait for what follows, in seconds. */
const SECONDS = z
  .number()
  .min(0)
  .max(120)
  .default(15)
  .describe('How many seconds to wait for what the bot does');

/** Makes an event happen, and returns what the bot did about it. */
async function actAndFollow(
  event: EventName,
  { seconds, ...input }: TriggerInput & { readonly seconds: number },
  context: McpContext,
): Promise<object> {
  const after = await lastRowId(context.control);
  const response = await triggerEvent(event, input, context.control);
  const { id, interactionId } = isRecord(response) ? response : {};
  const group = interactionId ?? id ?? input.message;
  if (typeof group !== 'string') return { done: event };
  const isCommand = typeof interactionId === 'string';
  const followed = await whatFollowed(context, {
    group,
    after,
    isCommand,
    limitMs: seconds * 1_000,
  });
  return isCommand ? followed : { messageId: group, ...followed };
}

const fileSchema = {
  name: z.string().describe('Name of the file, such as notes.txt'),
  text: z.string().optional().describe('Its content as text'),
  base64: z.string().optional().describe('Its content in base64, instead of text'),
  contentType: z.string().default('text/plain').describe('Its media type, such as image/png'),
};

/** The tools that act as users, or change the simulator. */
export const ACTING_TOOLS: readonly McpTool[] = [
  defineTool({
    name: 'run',
    description:
      'Types a line such as "/roll 20" as a user, and returns everything that followed: the answer with its edits and follow-ups, each request, log entries, and errors with their place.',
    input: z.object({
      line: z.string().describe('What the user types, with the slash'),
      ...place,
      seconds: SECONDS,
    }),
    run: (input, context) => actAndFollow('APPLICATION_COMMAND', input, context),
  }),
  defineTool({
    name: 'say',
    description: 'Writes a message as a user, and returns what the bot did about it.',
    input: z.object({ content: z.string(), ...place, seconds: SECONDS }),
    run: (input, context) => actAndFollow('MESSAGE_CREATE', input, context),
  }),
  defineTool({
    name: 'react',
    description: 'Adds or removes a reaction as a user, and returns what the bot did about it.',
    input: z.object({
      emoji: z.string().describe('A unicode emoji'),
      message: z.string().optional().describe('Id of the message; without it, the last one'),
      remove: z.boolean().default(false),
      ...place,
      seconds: SECONDS,
    }),
    run: ({ remove, ...input }, context) =>
      actAndFollow(remove ? 'MESSAGE_REACTION_REMOVE' : 'MESSAGE_REACTION_ADD', input, context),
  }),
  defineTool({
    name: 'attach',
    description:
      'Uploads a file as a user. With a message, sends it; without one, returns the URL that an attachment option of a command takes.',
    input: z.object({
      ...fileSchema,
      message: z.string().optional().describe('Text of a message that has the file'),
      ...place,
    }),
    async run({ name, text, base64, contentType: type, message, ...where }, { control }) {
      const { channel, user } = findPlace(await control.snapshot(), where);
      const ids = { channelId: channel.id, userId: user.id };
      const data = base64 === undefined ? Buffer.from(text ?? '') : Buffer.from(base64, 'base64');
      const upload = await control.upload({ name, data: new Uint8Array(data), type }, ids);
      if (message === undefined) return { url: upload.url, expiresAt: upload.expiresAt };
      const attachments = [{ objectKey: upload.objectKey }];
      return control.send('POST', '/_sim/messages', { ...ids, content: message, attachments });
    },
  }),
  defineTool({
    name: 'event',
    description:
      'Makes another event happen: a message of the user is edited or deleted, or the user joins or leaves a voice channel.',
    input: z.object({
      event: z.enum(['MESSAGE_UPDATE', 'MESSAGE_DELETE', 'VOICE_STATE_UPDATE']),
      content: z.string().optional().describe('The new content, for MESSAGE_UPDATE'),
      message: z.string().optional().describe('Id of the message; without it, the last one'),
      leave: z.boolean().optional().describe('Whether the user leaves the voice channel'),
      ...place,
      seconds: SECONDS,
    }),
    run: ({ event, ...input }, context) => actAndFollow(event, input, context),
  }),
  defineTool({
    name: 'faults',
    description:
      'Breaks the platform on purpose, by the names of presets or with rules as on https://virgule.dev/guide/faults; an empty list of rules ends all faults. Without either, returns what is on, and the presets.',
    input: z.object({
      presets: z.array(z.string()).optional(),
      rules: z.array(z.record(z.string(), z.unknown())).optional(),
    }),
    async run({ presets, rules }, { control }) {
      const state = await control.faults();
      if (presets === undefined && rules === undefined) return state;
      const named = faultsNamed(presets ?? [], state);
      // The simulator checks the rules.
      const all = [...named.rules, ...((rules ?? []) as unknown as SimFaults['rules'])];
      return control.send('PUT', '/_sim/faults', { seed: named.seed, rules: all });
    },
  }),
  defineTool({
    name: 'clock',
    description:
      'Stops the clock of the simulator, or moves it forward: interactions and uploads expire by it. Without an action, returns the time and the next deadline.',
    input: z.object({
      action: z.enum(['pause', 'resume', 'skip', 'next-deadline']).optional(),
      seconds: z.number().positive().default(60).describe('How far to skip'),
    }),
    run({ action, seconds }, { control }) {
      if (action === undefined) return control.get('/_sim/clock');
      const moves = {
        pause: { pause: true },
        resume: { pause: false },
        skip: { skipMs: seconds * 1_000 },
        'next-deadline': { skipTo: 'next-deadline' },
      };
      return control.send('POST', '/_sim/clock', moves[action]);
    },
  }),
  defineTool({
    name: 'reset',
    description:
      'Brings the world of the simulator back to what it starts with: messages, users, channels. The bot keeps running, and its storage stays.',
    input: z.object({}),
    async run(_input, { control }) {
      await control.send('POST', '/_sim/reset', {});
      const { channel } = findPlace(await control.snapshot(), {});
      return { messages: (await control.messages(channel.id)).map(describeMessage) };
    },
  }),
];
