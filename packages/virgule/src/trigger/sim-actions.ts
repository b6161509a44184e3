// What `virgule sim` does to the world of a running simulator: its clock and its snapshots.
import { durationMs, runtimeErrors } from '@virgule/runtime/project';
import type { SimControl } from './sim-control.js';

/** An action, by its name. Returns what to print as JSON and as text. */
export type SimAction = (words: readonly string[], control: SimControl) => Promise<SimDone>;

interface SimDone {
  readonly json: object;
  readonly text: string;
}

interface Names {
  readonly names: readonly string[];
}

interface Clock {
  readonly now: string;
  readonly isPaused: boolean;
  readonly nextDeadline: string | null;
}

export const SIM_ACTIONS: Readonly<Record<string, SimAction>> = {
  async reset(words, control) {
    if (words.length > 0) throw refusal('reset', 'nothing more', words);
    await control.send('POST', '/_sim/reset', {});
    return { json: {}, text: 'The world is as it was at the beginning.\n' };
  },
  async snapshot(words, control) {
    const [verb, name, ...others] = words;
    if (verb === undefined) return describeNames(await control.get('/_sim/snapshots'));
    const request = REQUESTS.get(verb);
    if (request === undefined || name === undefined || others.length > 0)
      throw refusal('snapshot', 'save, restore or delete, and a name', words);
    await control.send(...request, { name });
    const { json } = describeNames(await control.get('/_sim/snapshots'));
    return { json, text: `${name} is ${request[0] === 'DELETE' ? 'deleted' : `${verb}d`}.\n` };
  },
  async clock(words, control) {
    const [verb] = words;
    if (verb === undefined) return describeClock(await control.get('/_sim/clock'));
    const move = moveOf(words);
    if (move === undefined)
      throw refusal('clock', 'pause, resume, next, or skip and a time such as 5m', words);
    // It responds with the clock.
    return describeClock((await control.send('POST', '/_sim/clock', move)) as Clock);
  },
};

const REQUESTS = new Map<string, readonly [method: string, path: string]>([
  ['save', ['POST', '/_sim/snapshots']],
  ['restore', ['POST', '/_sim/snapshots/restore']],
  ['delete', ['DELETE', '/_sim/snapshots']],
]);

/** Returns the body of a request for the words of a command; `undefined` if they are none. */
function moveOf([verb, time, ...others]: readonly string[]): object | undefined {
  if (others.length > 0) return undefined;
  if (verb === 'skip') {
    const skipMs = durationMs(time);
    return skipMs === undefined ? undefined : { skipMs };
  }
  if (time !== undefined) return undefined;
  if (verb === 'next') return { skipTo: 'next-deadline' };
  return verb === 'pause' || verb === 'resume' ? { pause: verb === 'pause' } : undefined;
}

function describeNames({ names }: Names): SimDone {
  const none = 'There are no snapshots. Save one with `virgule sim snapshot save NAME`.\n';
  const text = names.length === 0 ? none : names.map((name) => `  ${name}\n`).join('');
  return { json: { names }, text };
}

function describeClock(clock: Clock): SimDone {
  const { now, isPaused, nextDeadline } = clock;
  const next = nextDeadline === null ? '' : `, next deadline ${nextDeadline}`;
  return { json: clock, text: `${now}${isPaused ? ', paused' : ''}${next}\n` };
}

const refusal = (action: string, want: string, saw: readonly string[]) =>
  runtimeErrors.E_ARGUMENTS({ command: `sim ${action}`, want, saw });
