import { isRecord, recordIn } from '@virgule/core/objects';
import { causeOf } from '@virgule/core/simulator-api';
import { firstBot } from '../world/bots.js';
import { markFailed } from '../world/interactions.js';
import type { World } from '../world/world.js';
import type { Trace } from './trace.js';

/** Adds a frame of the connection itself, such as HELLO, READY or HEARTBEAT. */
export function traceFrame(trace: Trace, from: 'bot' | 'platform', text: string, bot?: string) {
  const op = /"op":\s*"([A-Z_]{1,32})"/.exec(text)?.[1];
  const event = /"t":\s*"([A-Z_]{1,32})"/.exec(text)?.[1];
  trace.add({
    kind: 'frame',
    from,
    bot,
    what: event ?? op ?? 'an invalid frame',
    isError: op === undefined,
    sections: { Frame: text },
  });
}

/** Adds an event, which was sent to a number of sockets. `text` is the whole frame. */
export function traceEvent(
  trace: Trace,
  name: string,
  payload: object,
  { text, bot }: { readonly text: string; readonly bot: string },
): void {
  // A copy would cost more than the row.
  const { interactionId, rawInput, content } = payload as Readonly<Record<string, unknown>>;
  const summary = stringOf(rawInput) ?? stringOf(content) ?? '';
  trace.add({
    kind: 'frame',
    from: 'platform',
    bot,
    what: `${name} ${summary}`.trimEnd(),
    group: stringOf(interactionId) ?? trace.group ?? causeOf(payload) ?? null,
    sections: { Frame: text },
  });
}

/** Returns a string unchanged; `undefined` for any other value. */
export const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** Adds changes of the world without a request: expired interactions, and the replacement of the world. */
export function traceChanges(world: World, trace: Trace): void {
  world.subscribe((change) => {
    if (change.type === 'world.replaced')
      trace.add({ kind: 'notice', from: 'user', what: 'the world was replaced' });
    if (change.type !== 'interaction.changed' || change.interaction.state !== 'expired') return;
    const { id, wasDeferred, botUserId } = change.interaction;
    trace.add({
      kind: 'notice',
      from: 'platform',
      bot: world.state.bots.get(botUserId)?.username,
      what: wasDeferred ? 'expired: deferred, and never filled in' : 'expired without an answer',
      group: id,
      isError: true,
    });
  });
}

/** Adds a line of the bot's log, as pino writes it. Other lines are ignored. */
export function traceLogLine(world: World, trace: Trace, line: string): void {
  const entry = recordIn(line);
  if (entry === undefined) return;
  const { time, level, msg, interactionId, causeId, err, frame, hint, where, ...fields } = entry;
  const timings = Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => typeof value === 'number' && /^ms$|Ms$/.test(name),
    ),
  ) as Record<string, number>;
  const error = isRecord(err) ? err : undefined;
  const advice = stringOf(hint) ?? stringOf(error?.['hint']);
  // A command that a handler calls is no interaction of the platform.
  const own = String(interactionId).startsWith('call:') ? causeId : interactionId;
  const group = stringOf(own ?? fields['messageId'] ?? fields['run'] ?? causeId ?? interactionId);
  const isError = typeof level === 'number' && level >= 50;
  if (isError && group !== undefined)
    markFailed(world, group, {
      message: stringOf(error?.['message']) ?? stringOf(msg) ?? '',
      code: stringOf(error?.['code']),
      where: stringOf(where),
    });
  const sections = {
    ...(advice !== undefined && { Hint: advice }),
    ...(typeof frame === 'string' && { 'Source code': frame }),
    ...(error !== undefined && { Error: stringOf(error['stack']) ?? JSON.stringify(error) }),
    ...(Object.keys(fields).length > 0 && { Fields: JSON.stringify(fields) }),
  };
  trace.add({
    kind: 'log',
    from: 'bot',
    // Only the process of the first bot sends its log.
    bot: firstBot(world.state).username,
    what: stringOf(msg) ?? '',
    group,
    isError,
    atMs: typeof time === 'number' ? time : undefined,
    ...(Object.keys(timings).length > 0 && { timings }),
    sections,
  });
}
