import { createRest } from '@virgule/client/rest';
import { systemClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { isRecord } from '@virgule/core/objects';
import { showControls } from '@virgule/core/text';
import type { DeadEvent, DeadEvents } from '@virgule/runtime';
import { readConnection } from '@virgule/runtime/process';
import { settingsForMode } from '@virgule/runtime/project';
import { loadSettings } from '../../project/load-settings.js';
import { cliErrors } from '../cli-errors.js';
import { defineCliCommand } from '../command.js';
import { MODE_FLAG } from '../help.js';
import type { Io } from '../io.js';
import { readIoEnv } from '../read-io-env.js';

/** How many events are listed. */
const MAX_LISTED = 1_000;
/** How often the platform is asked for the application. */
const MAX_TRIES = 3;

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
    return withDeadEvents(mode, io, async (events) => {
      if (id === undefined) {
        const listed = await events.list(MAX_LISTED);
        for (const event of listed) print(event, json, io);
        if (listed.length === 0 && !json) io.stdout.write('No events were set aside.\n');
        return 0;
      }
      const event = await events.get(id);
      const isDone =
        action === 'replay'
          ? await events.replay(id)
          : action === 'drop' && (await events.drop(id));
      if (!event || (action !== 'show' && !isDone)) {
        io.stderr.write(`There is no event ${showControls(id, '')}.\n`);
        return 1;
      }
      if (action === 'show' && !json)
        io.stdout.write(`${showControls(JSON.stringify(event, null, 2), '')}\n`);
      else print(event, json, io);
      return 0;
    });
  },
});

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

/** Connects to the server of `scale`, in the name of the bot. */
async function withDeadEvents(
  mode: string,
  io: Io,
  use: (events: DeadEvents) => Promise<number>,
): Promise<number> {
  const env = readIoEnv(io, mode);
  const settings = await loadSettings({ root: io.cwd, env, redact: io.redact });
  const config = settingsForMode(settings, { mode, root: io.cwd });
  if (!config.scale) throw cliErrors.E_NOT_SCALED({});
  const rest = createRest({
    ...readConnection(env, config),
    log: silentLog,
    maxTries: MAX_TRIES,
  });
  try {
    const { applicationId } = await rest.users.me({ signal: io.interrupt });
    const scaled = await config.scale.open({
      env,
      applicationId,
      clock: systemClock,
      log: silentLog,
      wait: false,
      signal: io.interrupt,
      hide: (texts) => io.redact.hide(texts),
    });
    try {
      return await use(scaled.dead);
    } finally {
      await scaled.close();
    }
  } finally {
    await rest.close();
  }
}
