// Actions that read the world, the trace, and the state of the bot's process.
import { ASSUMPTIONS, idSchema, messagePageQuerySchema } from '@virgule/core/protocol';
import { FRAMEWORK_KEY, type SimMessagePage } from '@virgule/core/simulator-api';
import * as z from 'zod';
import { findChannel } from '../simulator/names.js';
import { exportArchive, exportLines } from '../trace/trace-export.js';
import { attachmentBytes } from '../world/attachments.js';
import { firstBot, simCommands } from '../world/bots.js';
import { pageBack, pageForward } from '../world/history.js';
import { simMessage } from '../world/message-view.js';
import { invalid, notFound } from '../world/refusal.js';
import { simSnapshot } from '../world/sim-views.js';
import type { MessageRecord } from '../world/state.js';
import type { World } from '../world/world.js';
import {
  action,
  CHANNEL,
  EXAMPLE_ID,
  reading,
  SECONDS,
  SimFile,
  type Control,
  type SimAction,
} from './action.js';
import { askBot, handlersOf } from './ask-bot.js';
import { follow, withDetails } from './follow.js';

/** Maximum number of rows of the trace in one response. */
const MAX_TRACE_ROWS = 5_000;

const MOMENT = z
  .int()
  .optional()
  .describe('Past moment to show, from the `past` range of the state');

/** Returns the world at a moment; without a moment, the present world. */
const worldAt = ({ world, past }: Control, moment: number | undefined): World =>
  moment === undefined ? world : past.at(moment);

export const READING_ACTIONS: readonly SimAction[] = [
  reading({
    name: 'world',
    about:
      'Returns everything except messages: servers, channels, users, roles, commands, the latest interactions, problems',
    input: { moment: MOMENT },
    act: ({ moment }, control) => simSnapshot(worldAt(control, moment)),
  }),
  reading({
    name: 'messages',
    about: 'Returns the newest messages of a channel, oldest first; deleted messages are empty',
    input: {
      channel: CHANNEL,
      before: idSchema.optional().describe('Only messages before this one'),
      after: idSchema.optional().describe('The first messages after this one'),
      limit: messagePageQuerySchema.shape.limit.describe('Maximum number'),
      moment: MOMENT,
    },
    act({ channel, limit, moment, ...given }, control): SimMessagePage {
      const world = worldAt(control, moment);
      const { id: channelId } = findChannel(world, channel);
      const messageOf = (id: string | undefined): MessageRecord | undefined => {
        const message = id === undefined ? undefined : world.state.messages.get(id);
        if (id !== undefined && message?.channelId !== channelId) throw notFound('message', id);
        return message;
      };
      const [before, after] = [messageOf(given.before), messageOf(given.after)];
      const history = world.state.histories.get(channelId) ?? [];
      const size = Math.min(limit, world.profile.pageMax);
      const { messages, hasMore } =
        after === undefined
          ? pageBack(history, before, size, { withDeleted: true })
          : pageForward(history, after, size);
      const oldestFirst = after === undefined ? messages.toReversed() : messages;
      return { messages: oldestFirst.map((message) => simMessage(world, message)), hasMore };
    },
  }),
  reading({
    name: 'follow',
    about:
      "Returns the bot's response to a command or a message: answer, requests, log entries, errors",
    example: EXAMPLE_ID,
    input: { id: z.string().describe('Id of the interaction or message'), seconds: SECONDS },
    act: ({ id, seconds }, control) => follow(control, id, seconds),
  }),
  reading({
    name: 'state',
    about:
      'Returns counters such as requests per endpoint, the available past moments, the profile and the assumptions',
    act: (_input, { world: { state, profile }, counts, past }) => ({
      gateway: {
        identifies: counts.identifies,
        connected: [...state.bots.values()].some(({ connected }) => connected),
        sockets: counts.sockets,
      },
      requests: counts.requests,
      unknownRoutes: counts.unknownRoutes,
      uploads: state.uploads.size,
      profile,
      assumptions: ASSUMPTIONS,
      past: past.range,
    }),
  }),
  reading({
    name: 'trace',
    about: 'Returns rows of the trace, oldest first, without their bodies',
    input: {
      after: z.int().min(0).default(0).describe('Only rows after the row with this id'),
      limit: z.int().min(1).max(MAX_TRACE_ROWS).default(MAX_TRACE_ROWS).describe('Maximum number'),
    },
    act: ({ after, limit }, { trace }) => trace.page(after, limit),
  }),
  reading({
    name: 'detail',
    about: 'Returns a row of the trace with its bodies and headers, but without tokens',
    example: '1',
    input: { row: z.int().describe('Id of the row') },
    act({ row }, { trace }) {
      const detail = trace.detail(row);
      if (detail === undefined) throw notFound('row of the trace', String(row));
      return detail;
    },
  }),
  reading({
    name: 'export',
    about: 'Returns the whole trace as a file: lines of JSON, or the requests as an HTTP archive',
    input: { format: z.enum(['jsonl', 'har']).default('jsonl').describe('Format of the file') },
    act: ({ format }, { trace, origin }) =>
      format === 'har'
        ? new SimFile('trace.har', 'application/json', Buffer.from(exportArchive(trace, origin())))
        : new SimFile('trace.jsonl', 'application/x-ndjson', Buffer.from(exportLines(trace))),
  }),
  reading({
    name: 'file',
    about: 'Returns a file attached to a message',
    example: EXAMPLE_ID,
    input: { id: z.string().describe('Id of the attachment') },
    act({ id }, { world }) {
      const { attachment, bytes } = attachmentBytes(world, id);
      return new SimFile(attachment.fileName, attachment.contentType, bytes);
    },
  }),
  reading({
    name: 'audio',
    about: "Returns statistics of a voice channel's open ingress, with the latest Opus packets",
    example: 'Lounge',
    input: {
      channel: z.string().describe('Id or name of the voice channel'),
      after: z.int().min(0).default(0).describe('Only packets with this number or higher'),
    },
    act: ({ channel, after }, { world, media }) => ({
      audio: media.audio(findChannel(world, channel).id, after),
    }),
  }),
  reading({
    name: 'problems',
    about:
      "Returns the bot's problems: files that do not compile, invalid options, failing services; also returns the state of its connection",
    act(_input, { world: { state } }) {
      const { username, connected } = firstBot(state);
      return { problems: state.problems, bot: { username, connected } };
    },
  }),
  reading({
    name: 'logs',
    about: "Returns the bot's newest log entries, with error stacks",
    input: {
      limit: z.int().min(1).max(200).default(30).describe('Maximum number'),
      errors: z.boolean().default(false).describe('Only errors'),
    },
    act({ limit, errors }, { trace }) {
      const rows = trace
        .page(0)
        .rows.filter(({ kind, isError }) => kind === 'log' && (isError || !errors));
      return { rows: withDetails(trace, rows.slice(-limit)) };
    },
  }),
  reading({
    name: 'commands',
    about: "Returns the bot's commands with their options, as users type them, and their files",
    async act(_input, control) {
      const { state } = control.world;
      const handlers = await handlersOf(control);
      const files = new Map(handlers?.map(({ name, file }) => [name, file]));
      const { botUserId } = firstBot(state);
      const own = simCommands(state).filter((command) => command.botUserId === botUserId);
      return {
        commands: own.map((command) => ({ ...command, file: files.get(command.name) })),
        messages: handlers?.filter(({ message }) => message !== undefined) ?? [],
      };
    },
  }),
  reading({
    name: 'source',
    about: 'Returns the file of a command, and its source code',
    example: 'hello',
    input: { command: z.string().describe('Name of the command') },
    async act({ command }, control) {
      const source = await askBot(control, { type: 'source', command });
      if (source === undefined) throw notFound('command', command);
      return source;
    },
  }),
  reading({
    name: 'tasks',
    about: "Returns the bot's tasks with their next, failed and finished runs",
    act: async (_input, control) => ({ tasks: await askBot(control, { type: 'tasks' }) }),
  }),
  action({
    name: 'task',
    about: 'Runs a task, or cancels or retries one of its runs',
    example: 'run digest',
    input: {
      action: z.enum(['run', 'cancel', 'retry']).describe('What to do with the task or run'),
      name: z.string().describe('Name of the task; for cancel and retry, id of the run'),
      payload: z.unknown().optional().describe('Payload, for run'),
      at: z.iso.datetime().optional().describe('Due time, for run; by default now'),
    },
    act: (change, control) => askBot(control, { type: 'task', ...change }),
  }),
  reading({
    name: 'storage',
    about: "Returns entries of the bot's storage, ordered by key",
    input: {
      prefix: z.string().default('').describe('Only keys with this prefix'),
      search: z
        .string()
        .default('')
        .describe(
          'Only entries whose key or value contains this text, or the id of a server, channel or user with this text in its name',
        ),
      after: z.string().optional().describe('Only keys after this one'),
    },
    act: (query, control) =>
      askBot(control, { type: 'storage', ...query, ids: idsNamed(control.world, query.search) }),
  }),
  action({
    name: 'entry',
    about: "Sets an entry of the bot's storage; without a value, deletes the entry",
    example: 'poll:1 tea',
    input: {
      key: z.string().describe('Key of the entry; framework keys are refused'),
      value: z.unknown().optional().describe('The value'),
    },
    act: async (entry, control) => {
      if (FRAMEWORK_KEY.test(entry.key))
        throw invalid('key', `${entry.key} belongs to the framework: only its code changes it.`);
      await askBot(control, { type: 'set-entry', ...entry });
      return {};
    },
  }),
];

/** Returns the ids of the servers, channels and users whose names have a text. */
function idsNamed({ state: { servers, channels, users } }: World, text: string): string[] {
  const has = (name: string): boolean => name.toLowerCase().includes(text.toLowerCase());
  if (text === '') return [];
  return [
    ...[...servers.values()].filter(({ name }) => has(name)),
    ...[...channels.values()].filter(({ name }) => has(`#${name}`)),
    ...[...users.values()].filter((user) => has(`@${user.username} @${user.displayName}`)),
  ].map(({ id }) => id);
}
