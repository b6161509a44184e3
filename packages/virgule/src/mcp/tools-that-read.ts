import type { SimCommandFile } from '@virgule/core/simulator-api';
import * as z from 'zod';
import { findPlace } from '../trigger/find-place.js';
import { defineTool, type McpTool } from './mcp-tool.js';
import { describeMessage, describeRows, readDetails, rowsAfter } from './what-followed.js';

const count = (usual: number) =>
  z.int().min(1).max(200).default(usual).describe('How many, the newest');

export const CHANNEL = z
  .string()
  .optional()
  .describe('Name or id of a channel; without it, general');

const nothing = z.object({});

/** The tools that change nothing. */
export const READING_TOOLS: readonly McpTool[] = [
  defineTool({
    name: 'problems',
    description:
      'The problems of the bot as it is now: files that do not compile, invalid options, failing services. Call it after each edit. Also whether the bot is connected.',
    input: nothing,
    isReading: true,
    async run(_input, { control }) {
      const { problems, bot } = await control.snapshot();
      return { problems, bot: { username: bot.username, connected: bot.connected } };
    },
  }),
  defineTool({
    name: 'logs',
    description: 'The newest entries of the log of the bot, with the stack of errors.',
    input: z.object({
      limit: count(30),
      errorsOnly: z.boolean().default(false).describe('Whether to leave out everything but errors'),
    }),
    isReading: true,
    async run({ limit, errorsOnly }, { control }) {
      const rows = await rowsAfter(control, 0);
      const entries = rows.filter(
        ({ kind, isError }) => kind === 'log' && (isError || !errorsOnly),
      );
      return describeRows(control, entries.slice(-limit));
    },
  }),
  defineTool({
    name: 'commands',
    description:
      'The commands of the bot with their options, in the order in which users type them, and their files.',
    input: nothing,
    isReading: true,
    async run(_input, { control }) {
      const { commands, bot } = await control.snapshot();
      // While no process of the bot is ready, the files are unknown.
      const answer = await control.send('POST', '/_sim/bot', { type: 'commands' }).catch(() => []);
      const files = new Map((answer as SimCommandFile[]).map(({ name, file }) => [name, file]));
      // Other bots of the simulator have commands too.
      const own = commands.filter(({ botUserId }) => botUserId === bot.botUserId);
      return own.map(({ name, description, options }) => ({
        name,
        description,
        options,
        file: files.get(name),
      }));
    },
  }),
  defineTool({
    name: 'trace',
    description:
      'Everything that belongs to a command run or a message: events, requests with bodies and times, log entries, errors with their place. With a row, its bodies at full length.',
    input: z.object({
      id: z.string().describe('Id of an interaction, or of a message that an event handler got'),
      row: z.int().optional().describe('Id of one of its rows'),
    }),
    isReading: true,
    async run({ id, row }, { control }) {
      if (row !== undefined) return readDetails(control, row);
      const rows = (await rowsAfter(control, 0)).filter(({ group }) => group === id);
      return describeRows(control, rows);
    },
  }),
  defineTool({
    name: 'messages',
    description: 'The newest messages of a channel, oldest first, as users see them.',
    input: z.object({ channel: CHANNEL, limit: count(20) }),
    isReading: true,
    async run({ channel, limit }, { control }) {
      const place = findPlace(await control.snapshot(), { channel });
      return (await control.messages(place.channel.id, limit)).map(describeMessage);
    },
  }),
  defineTool({
    name: 'world',
    description:
      'The servers, channels, users and roles of the simulator, with the ids that options of a command take.',
    input: nothing,
    isReading: true,
    async run(_input, { control }) {
      const { servers, channels, users, roles } = await control.snapshot();
      return {
        servers,
        channels,
        users: users.map(({ id, username, displayName, role, isBot }) => ({
          id,
          username,
          displayName,
          role,
          isBot,
        })),
        roles,
      };
    },
  }),
  defineTool({
    name: 'deploy_plan',
    description:
      'What `virgule deploy` would add, change and delete on the real platform. It needs the token and address of the bot, and applies nothing.',
    input: nothing,
    isReading: true,
    run: (_input, { planDeploy }) => planDeploy(),
  }),
];
