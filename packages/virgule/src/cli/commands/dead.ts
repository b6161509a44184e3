import { isRecord } from '@virgule/core/objects';
import { showControls } from '@virgule/core/text';
import type { DeadEvent, DeadEvents } from '@virgule/runtime';
import { cliErrors } from '../cli-errors.js';
import { defineCliCommand } from '../command.js';
import { MODE_FLAG } from '../help.js';
import type { Io } from '../io.js';
import { openScale } from '../open-scale.js';

/** How many events are listed. */
const MAX_LISTED = 1_000;

export const dead = defineCliCommand({
  name: 'dead',
  words: 'ACTION ID',
  about: 'Read, replay and drop the events that ended every worker',
  flags: {
    ...MODE_FLAG,
    json: { type: 'boolean', about: 'Print JSON: one object per event' },
  },
  examples: [
    'virgule dead list',
    'virgule dead show 1700000000000-0',
    'virgule dead replay 1700000000000-0',
    'virgule dead drop 1700000000000-0',
  ],
  exits: { 0: 'done', 1: 'an error, or there is no such event' },
  async run({ flags: { mode = 'production', json = false }, words }, io) {
    const [action, id, ...others] = words;
    const isList = action === 'list' && id === undefined;
    const isOther = id !== undefined && ['show', 'replay', 'drop'].includes(action ?? '');
    if (!(isList || isOther) || others.length > 0) {
      const want = '`list`, `show ID`, `replay ID` or `drop ID`';
      throw cliErrors.E_ARGUMENTS({ command: 'dead', want, saw: words });
    }
    const scaled = await openScale(io, mode);
    try {
      return id === undefined
        ? await listAll(scaled.dead, json, io)
        : await act(scaled.dead, String(action), id, json, io);
    } finally {
      await scaled.close();
    }
  },
});

async function listAll(events: DeadEvents, json: boolean, io: Io): Promise<number> {
  const listed = await events.list(MAX_LISTED);
  for (const event of listed) print(event, json, io);
  if (listed.length === 0 && !json) io.stdout.write('No events were set aside.\n');
  return 0;
}

async function act(
  events: DeadEvents,
  action: string,
  id: string,
  json: boolean,
  io: Io,
): Promise<number> {
  const event = await events.get(id);
  const isDone =
    action === 'replay' ? await events.replay(id) : action === 'drop' && (await events.drop(id));
  if (!event || (action !== 'show' && !isDone)) {
    io.stderr.write(`There is no event ${showControls(id, '')}.\n`);
    return 1;
  }
  if (action === 'show' && !json)
    io.stdout.write(`${showControls(JSON.stringify(event, null, 2), '')}\n`);
  else print(event, json, io);
  return 0;
}

function print(event: DeadEvent, json: boolean, io: Io): void {
  const { id, at, deliveries } = event;
  const line = json
    ? JSON.stringify({ v: 1, ...event })
    : `${id}  ${at}  ${deliveries} times  ${describe(event)}`;
  io.stdout.write(`${json ? line : showControls(line, '')}\n`);
}

/** Returns what a line shows of an event: of a command what was typed, of others the name. */
function describe({ event }: DeadEvent): string {
  if (!event) return 'cannot be read';
  const rawInput = isRecord(event.d) ? event.d['rawInput'] : undefined;
  return typeof rawInput === 'string' ? rawInput : event.t;
}
