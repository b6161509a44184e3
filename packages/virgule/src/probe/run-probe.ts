import { randomBytes } from 'node:crypto';
import { systemClock } from '@virgule/core/clock';
import { bareAddress, silentLog } from '@virgule/core/log';
import { ENDPOINTS, endpointPath } from '@virgule/core/protocol';
import { showControls } from '@virgule/core/text';
import { readConnection, settingsForMode } from '@virgule/runtime/project';
import type { PROBE_FLAGS } from '../commands/probe.js';
import { loadSettings } from '../project/load-settings.js';
import { lockState } from '../state/state-lock.js';
import type { FlagValues } from '../terminal/arguments.js';
import { cliErrors } from '../terminal/cli-errors.js';
import type { Io } from '../terminal/io.js';
import { readIoEnv } from '../terminal/read-io-env.js';
import { PLATFORM_FILE } from '../terminal/read-profile.js';
import { EXPERIMENTS } from './facts.js';
import { probePlatform } from './probe-platform.js';

/** Prints the plan, and measures the platform once it is confirmed. Resolves with the exit code. */
export async function runProbe(flags: FlagValues<typeof PROBE_FLAGS>, io: Io): Promise<number> {
  const { channel: channelId = '', mode = 'production' } = flags;
  const { cwd: root, redact, interrupt: signal } = io;
  const print = (text: string): void => void io.stdout.write(text);
  const env = readIoEnv(io, mode);
  const settings = settingsForMode(await loadSettings({ root, env, redact }), { mode, root });
  const connection = { ...readConnection(env, settings, { root, mode }), log: silentLog };
  const userToken = env['BOT_USER_TOKEN'] || undefined;
  const has = new Set(['a bot']);
  if (userToken) has.add('BOT_USER_TOKEN');
  if (userToken ?? io.interactive) has.add('a user');
  if (flags['write-commands']) has.add('--write-commands');
  const [maxCalls, plan] = userToken
    ? [600, '8 messages, 12 edits of one, 2 identifies; about 20 minutes']
    : [
        100,
        `7 messages, 12 edits of one, 2 identifies; about ${flags['write-commands'] ? 'two minutes' : 'a minute'}`,
      ];
  print(`Measures the platform in channel ${showControls(channelId) || 'ID, with --channel ID'}:
  at most ${maxCalls} calls, ${plan}
  Stop your bot first: a second socket may replace its socket.
  Every message of the probe is deleted at the end, or by the next run.
`);
  if (!userToken && io.interactive) print('  You are asked to type one command in the channel.\n');
  for (const [needs, facts] of Object.entries(EXPERIMENTS))
    if (!has.has(needs))
      print(`  Without ${needs}, no ${Object.keys(facts).join(' ').replaceAll(' ', ', ')}\n`);
  if (flags['dry-run']) return 0;
  // Without a channel, the probe names the channels and writes nothing.
  const isAsked = !flags.yes && channelId !== '';
  const typed = isAsked && io.interactive ? await io.ask('Start? [y/N] ') : '';
  signal.throwIfAborted();
  const hint = 'Answer with `y`, or confirm the plan with `--yes`.';
  if (isAsked && !/^y(es)?$/i.test(typed.trim()))
    throw cliErrors.E_PROBE_FAILED({ reason: 'the plan was not confirmed', hint });

  using _lock = lockState({ root, command: 'probe' });
  signal.addEventListener('abort', () => print(CLEANING));
  const platform = await probePlatform({
    ...connection,
    root,
    has,
    signal,
    channelId,
    clock: systemClock,
    maxCalls,
    marker: `probe-${randomBytes(6).toString('hex')}`,
    async runCommand({ id, name }) {
      const line = `/${name}`;
      const request = `Type ${showControls(line)} and its options in the channel within 2 minutes.`;
      if (!userToken) return print(`  ${request}\n`);
      const path = endpointPath(ENDPOINTS['user.runCommand'], { channelId });
      const { ok, status } = await fetch(`${bareAddress(connection.baseUrl)}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${userToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ commandId: id, rawInput: line }),
        redirect: 'manual',
        signal,
      });
      // Otherwise, the event of the command shows whether it has run.
      if (!ok) throw new Error(`BOT_USER_TOKEN was refused with ${status}`);
    },
    onWait: (ms) =>
      print(`  Waiting ${Math.ceil(ms / 1_000)} s for late messages of a run that was killed.\n`),
    onFact(name, { value, evidence, at } = {}) {
      const shown = value === undefined ? `? ${String(evidence)}` : JSON.stringify(value);
      const kept = typeof at === 'string' ? `, as measured at ${at}` : '';
      print(`  ${name.padEnd(26)}  ${showControls(shown + kept)}\n`);
    },
  });
  const { calls, seconds } = platform.measured;
  print(`${PLATFORM_FILE}: written after ${calls} calls in ${seconds} s.\n`);
  return 0;
}

const CLEANING = `  Deleting the messages of the probe, after the call in flight. Each call can take up to 90 s.
  If you press Ctrl+C again, the next run deletes them.
`;
