// Actions that break the platform, move its clock, and save and restore its world.
import { isVirguleError } from '@virgule/core/errors';
import { idSchema } from '@virgule/core/protocol';
import {
  isSendableCode,
  readConversation,
  type SimDeadline,
  type SimTask,
} from '@virgule/core/simulator-api';
import { parseDuration } from '@virgule/core/text';
import * as z from 'zod';
import { readFaults, type Faults } from '../faults/faults.js';
import { writeTo } from '../simulator/snapshots.js';
import { closeWindow } from '../world/interactions.js';
import { invalid, notFound } from '../world/refusal.js';
import { simInteraction } from '../world/sim-views.js';
import { action, EXAMPLE_ID, type Control, type SimAction } from './action.js';
import { askBot } from './ask-bot.js';
import { botNamed } from './user-actions.js';

const MAX_SKIP_MS = 365 * 24 * 60 * 60_000;

/** Name of a snapshot or conversation, which is also the name of its file. */
const FILE_NAME = z
  .string()
  .regex(/^[\w-][\w.-]{0,63}$/, 'must be 1 to 64 letters, digits, ".", "_" or "-"');

export const WORLD_ACTIONS: readonly SimAction[] = [
  action({
    name: 'drop',
    about: 'Closes the gateway sockets of all bots, or of one bot; returns their number',
    input: {
      code: z
        .int()
        .refine((code) => code === 1006 || isSendableCode(code), 'must be a WebSocket close code')
        .optional()
        .describe('Close code; by default, abruptly'),
      bot: z.string().optional().describe('Name of the bot; by default all bots'),
    },
    act: ({ code, bot }, control) => ({
      dropped: control.gateway.drop(code === 1006 ? undefined : code, botNamed(control, bot)),
    }),
  }),
  action({
    name: 'expire',
    about: 'Ends the answer window of an interaction, as if its time had passed',
    example: EXAMPLE_ID,
    input: { id: idSchema.describe('Id of the interaction') },
    act({ id }, { world }) {
      if (!world.state.interactions.has(id)) throw notFound('interaction', id);
      closeWindow(world, id);
      const interaction = world.state.interactions.get(id);
      return { interaction: interaction && simInteraction(world, interaction) };
    },
  }),
  action({
    name: 'faults',
    about:
      'Breaks the platform on purpose, with presets or rules; without an input, only returns the current rules and the presets',
    example: '"rate limited"',
    input: {
      presets: z.array(z.string()).optional().describe('Names of presets'),
      rules: z
        .union([z.array(z.record(z.string(), z.unknown())), z.record(z.string(), z.unknown())])
        .optional()
        .describe('Rules, or a fault file: https://virgule.dev/reference/faults'),
      seed: z.string().optional().describe('Selects the calls that fail at a rate below 1'),
      off: z.boolean().default(false).describe('End all faults'),
    },
    act({ presets, rules, seed, off }, { faults }) {
      const { state } = faults;
      const named = (presets ?? []).flatMap((name) => {
        const preset = state.presets.find((each) => each.name === name);
        if (preset !== undefined) return preset.rules;
        const names = state.presets.map((each) => `"${each.name}"`).join(', ');
        throw invalid('presets', `There is no preset "${name}", only ${names}.`);
      });
      if (off) setFaults(faults, { rules: [] });
      else if (presets !== undefined || rules !== undefined) {
        const file = Array.isArray(rules) ? { rules } : (rules ?? { rules: [] });
        const own = file['rules'];
        setFaults(faults, {
          seed: state.seed,
          ...file,
          ...(seed !== undefined && { seed }),
          rules: Array.isArray(own) ? [...named, ...own] : own,
        });
      }
      return faults.state;
    },
  }),
  action({
    name: 'clock',
    about:
      "Stops or advances the world's clock, which determines when interactions and uploads expire and tasks are due; without an action, only returns the time and the next deadline",
    example: 'skip 15m',
    input: {
      action: z
        .enum(['pause', 'resume', 'skip', 'next'])
        .optional()
        .describe('What to do with the clock'),
      time: z.string().optional().describe('For skip, such as 15m'),
    },
    async act({ action: move, time }, control) {
      const { world, simClock } = control;
      if (time !== undefined && move !== 'skip') throw invalid('time', 'time is only for skip.');
      if (move === 'pause') simClock.pause();
      if (move === 'resume') simClock.resume();
      if (move === 'skip') simClock.skip(readTime(time));
      if (move === 'next') {
        const [next] = await nextDeadlines(control);
        if (next === undefined)
          throw invalid('action', 'No interaction, upload or task has a deadline.');
        simClock.skip(Date.parse(next.at) - world.clock.now());
      }
      const deadlines = await nextDeadlines(control);
      return {
        now: new Date(world.clock.now()).toISOString(),
        isPaused: world.state.clock.pausedAtMs !== null,
        nextDeadline: deadlines[0]?.at ?? null,
        deadlines,
      };
    },
  }),
  action({
    name: 'reset',
    about: 'Restores the initial world; the bot keeps running, and its storage stays',
    act(_input, { snapshots }) {
      snapshots.reset();
      return {};
    },
  }),
  action({
    name: 'snapshot',
    about: 'Saves, restores or deletes the world under a name; returns the names of all snapshots',
    example: 'save before',
    input: {
      action: z
        .enum(['save', 'restore', 'delete'])
        .optional()
        .describe('What to do with the snapshot'),
      name: FILE_NAME.optional().describe('Required with an action'),
    },
    act({ action: change, name }, { snapshots }) {
      if ((change === undefined) !== (name === undefined))
        throw invalid('name', 'An action needs a name, and a name an action.');
      if (name !== undefined && change === 'save') snapshots.save(name);
      if (name !== undefined && change === 'restore') snapshots.restore(name);
      if (name !== undefined && change === 'delete') snapshots.remove(name);
      return { names: snapshots.names() };
    },
  }),
  action({
    name: 'conversation',
    about:
      'Returns or saves the content of a conversation; without a name, returns the names of all conversations',
    input: {
      name: FILE_NAME.optional().describe('Name of the conversation'),
      text: z.string().optional().describe('Lines such as "ada: /roll 20", to save'),
    },
    act({ name, text }, { conversations }) {
      if (name === undefined) return { names: [...conversations.names()].toSorted() };
      if (text === undefined) {
        const saved = conversations.read(name);
        if (saved === undefined) throw notFound('conversation', name);
        return { name, text: saved };
      }
      const read = readConversation(text);
      if ('invalid' in read) {
        const reason = `${JSON.stringify(read.invalid.source)} is not a line of a conversation.`;
        throw invalid('text', reason);
      }
      writeTo(conversations, 'conversation', name, text);
      return { name, text };
    },
  }),
];

function setFaults(faults: Faults, value: unknown): void {
  try {
    faults.set(readFaults(value));
  } catch (error) {
    if (!isVirguleError(error)) throw error;
    throw invalid(String(error.details['field']), error.message);
  }
}

function readTime(time = ''): number {
  const ms = parseDuration(time);
  if (ms !== undefined && ms > 0 && ms <= MAX_SKIP_MS) return ms;
  throw invalid('time', 'time must be a duration such as 15m, of up to 365 days.');
}

/** Returns the next run of a task, and the next expiry of an interaction and of an upload, the earliest first. */
async function nextDeadlines({ world, bot }: Control): Promise<readonly SimDeadline[]> {
  const { state, clock } = world;
  // The process of the bot answers a question with its type.
  const tasks = (await askBot({ bot }, { type: 'tasks' }).catch(() => [])) as readonly SimTask[];
  // What does not expire is in the past.
  const isoOf = (timeMs: number | null) => new Date(timeMs ?? 0).toISOString();
  const all: readonly SimDeadline[] = [
    ...tasks.flatMap(({ name, schedule, runs }) =>
      runs.map(({ at, timing = schedule }) => ({ kind: 'task' as const, name, at, timing })),
    ),
    ...Array.from(state.interactions.values(), ({ commandName, deadlineMs }) => {
      return { kind: 'answer' as const, name: `/${commandName}`, at: isoOf(deadlineMs) };
    }),
    ...Array.from(state.uploads.values(), ({ fileName, expiresAtMs }) => {
      return { kind: 'upload' as const, name: fileName, at: isoOf(expiresAtMs) };
    }),
  ];
  const ahead = all
    .filter(({ at }) => Date.parse(at) > clock.now())
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return ahead.filter(({ kind }, index) => ahead.findIndex((each) => each.kind === kind) === index);
}
