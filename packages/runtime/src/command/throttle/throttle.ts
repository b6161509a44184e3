import { runtimeErrors } from '../../errors/runtime-errors.js';
import { authorOrThrow } from '../define/require-author.js';
import { warnOnce } from '../warn-once.js';
import type { CommandContext } from '../context/command-context.js';
import { contextOf } from '../run/create-command-context.js';
import type { CommandRun } from '../run/command-run.js';
import type { Log } from '@virgule/core/log';
import type { ConcurrencySlot } from './concurrency-store.js';
import type { ThrottleScope } from './throttle-settings.js';

/**
 * Checks all throttles of a command, cooldowns first: a run that a cooldown refuses need not wait for a slot. A run that is
 * refused, or stops waiting, uses up neither cooldowns nor slots. Resolves to the refusal, or `undefined` if the command runs.
 */
export async function admit(run: CommandRun): Promise<string | null | undefined> {
  const { throttle, log } = run.env;
  const { throttles } = run.command;
  const context = contextOf(run);
  const undo: (() => unknown)[] = [];
  const slots: ConcurrencySlot[] = [];
  let isAdmitted = false;
  try {
    for (const { name, cooldown } of throttles) {
      if (!cooldown) continue;
      const { per, by } = cooldown;
      const scopeKey = throttleKey(name, per, context, log);
      const key = by ? `${scopeKey} author ${authorOrThrow(context).id}` : scopeKey;
      const leftMs = await throttle.cooldowns.count(key, 1, cooldown);
      if (leftMs > 0) return refuse('cooldown', run, leftMs);
      undo.push(() => throttle.cooldowns.count(key, -1, cooldown));
    }
    for (const { name, concurrency } of throttles) {
      if (!concurrency) continue;
      const { max, per, when } = concurrency;
      const slot = await throttle.concurrency.acquire(throttleKey(name, per, context, log), {
        max,
        // A command around this one may hold the slot.
        wait: when === 'queue' && !run.init.around?.length,
        // Read only if the run has to wait: creating a signal costs more than everything else here.
        get signal() {
          return context.signal;
        },
      });
      if (!slot) {
        const text = refuse('busy', run);
        if (when !== 'drop') return text;
        run.silentText = text;
        return null;
      }
      slots.push(slot);
      undo.push(() => slot.release());
    }
    // A store may grant a slot after the run was stopped, or after a middleware failed the run.
    if (run.lifetime.isOver) throw run.lifetime.signal.reason;
    run.slots = slots;
    isAdmitted = true;
    return undefined;
  } finally {
    if (!isAdmitted) await Promise.all(undo.map((take) => take()));
  }
}

/** Records that a command is throttled, and returns the text for the user. */
export function refuse(kind: 'cooldown' | 'busy', run: CommandRun, leftMs = 0): string {
  const { command, env, event, typed } = run;
  run.result = kind;
  run.refusal = kind;
  const facts = { ...event, name: command.name, typed, leftMs };
  return env.texts[kind === 'busy' ? 'tooBusy' : 'cooldown'](facts);
}

/** Strings that are no key. `String()` returns the last two for a user that the platform does not report. */
const NO_KEYS: ReadonlySet<string> = new Set(['', 'undefined', 'null']);

/** Returns the key by which the runs of one command or folder are counted. */
export function throttleKey(name: string, per: ThrottleScope, context: CommandContext, log: Log) {
  if (per === 'global') return name;
  if (per === 'server' && !context.serverId)
    throw runtimeErrors.E_SERVER_UNKNOWN({ owner: `a limit of ${name}` });
  if (per === 'server') return `${name} server ${context.serverId}`;
  if (per !== 'channel') {
    // JavaScript may return anything, such as a promise: all users would have the same key.
    const key: unknown = per(context);
    const isKey = typeof key === 'number' || (typeof key === 'string' && !NO_KEYS.has(key));
    if (isKey) return `${name} key ${key}`;
    const problem = `the key function of ${name} returned no key, so it counts the whole channel`;
    warnOnce(log, { throttle: name }, `${problem}; the platform does not report who ran a command`);
  }
  return `${name} channel ${context.channelId}`;
}
