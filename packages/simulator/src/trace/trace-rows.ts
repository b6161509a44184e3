import { isRecord } from '@virgule/core/objects';
import { markFailed } from '../world/interactions.js';
import type { World } from '../world/world.js';
import type { Trace } from './trace.js';

/** Values that are never shown, in JSON. */
const SECRETS = /"(token|streamKey)":\s*"[^"]*"/g;

/** Returns JSON without tokens. */
export const maskSecrets = (json: string): string => json.replaceAll(SECRETS, '"$1":"[masked]"');

/** Adds a frame without a payload of its own, such as HEARTBEAT, or one that opens or closes a connection. */
export function traceFrame(trace: Trace, from: 'bot' | 'platform', text: string): void {
  const op = /"op":\s*"([A-Z_]{1,32})"/.exec(text)?.[1];
  const event = /"t":\s*"([A-Z_]{1,32})"/.exec(text)?.[1];
  trace.add({
    kind: 'frame',
    from,
    what: event ?? op ?? 'an invalid frame',
    isError: op === undefined,
    sections: { Frame: maskSecrets(text) },
  });
}

/** Adds an event, which was sent to a number of sockets. */
export function traceEvent(
  trace: Trace,
  {
    name,
    payload,
    text,
  }: { readonly name: string; readonly payload: object; readonly text: string },
): void {
  const { interactionId, id, messageId, channelId, rawInput, content } = payload as Fields;
  const caused = trace.group;
  const summary = stringOf(rawInput) ?? stringOf(content) ?? '';
  trace.add({
    kind: 'frame',
    from: 'platform',
    what: `${name} ${summary}`.trimEnd(),
    group:
      stringOf(interactionId) ??
      caused ??
      stringOf(id) ??
      stringOf(messageId) ??
      stringOf(channelId) ??
      null,
    isError: false,
    sections: { Frame: maskSecrets(text) },
  });
}

/** The fields of payloads that the trace reads. */
type Fields = Readonly<
  Partial<
    Record<'interactionId' | 'id' | 'messageId' | 'channelId' | 'rawInput' | 'content', unknown>
  >
>;

const stringOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** Adds the end of a connection. */
export function traceClose(trace: Trace, code: number, reason: string): void {
  trace.add({
    kind: 'notice',
    from: 'platform',
    what: `socket closed${reason === '' ? '' : `: ${reason}`}`,
    isError: code !== 1000 && code !== 1001,
    status: code,
    sections: {},
  });
}

/** Adds that changed code answers from now on. */
export function traceReload(trace: Trace, files: readonly string[]): void {
  trace.add({
    kind: 'notice',
    from: 'bot',
    what: `reloaded ${files.join(', ')}`.trimEnd(),
    isError: false,
    sections: {},
  });
}

/** Adds each time at which everything is replaced. */
export function traceReplacements(world: World, trace: Trace): void {
  world.subscribe(({ type }) => {
    if (type !== 'world.replaced') return;
    trace.add({
      kind: 'notice',
      from: 'user',
      what: 'the world was replaced',
      isError: false,
      sections: {},
    });
  });
}

/** Adds a fault that takes effect. */
export function traceFault(trace: Trace, rule: string): void {
  trace.add({
    kind: 'notice',
    from: 'platform',
    what: `fault: ${rule}`,
    isError: false,
    sections: {},
  });
}

/** Adds each interaction that expires. */
export function traceExpiries(world: World, trace: Trace): void {
  world.subscribe((change) => {
    if (change.type !== 'interaction.changed' || change.interaction.state !== 'expired') return;
    const { id, wasDeferred } = change.interaction;
    trace.add({
      kind: 'notice',
      from: 'platform',
      what: wasDeferred ? 'expired: deferred, and never filled in' : 'expired without an answer',
      group: id,
      isError: true,
      sections: {},
    });
  });
}

/** Adds an entry of the log of the bot: a line of JSON, as pino writes it. Other lines are ignored. */
export function traceLogLine(world: World, trace: Trace, line: string): void {
  const entry = recordIn(line);
  if (entry === undefined) return;
  const { time, level, msg, interactionId, err, frame, hint, ...fields } = entry;
  const timings = Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => typeof value === 'number' && /^ms$|Ms$/.test(name),
    ),
  ) as Record<string, number>;
  const error = isRecord(err) ? err : undefined;
  const group = stringOf(interactionId);
  const isError = typeof level === 'number' && level >= 50;
  if (isError && group !== undefined) markFailed(world, group);
  trace.add({
    kind: 'log',
    from: 'bot',
    what: stringOf(msg) ?? '',
    group,
    isError,
    atMs: typeof time === 'number' ? time : undefined,
    ...(Object.keys(timings).length > 0 && { timings }),
    sections: {
      ...(typeof hint === 'string' && { Hint: hint }),
      ...(typeof frame === 'string' && { 'Source code': frame }),
      ...(error !== undefined && { Error: stringOf(error['stack']) ?? JSON.stringify(error) }),
      ...(Object.keys(fields).length > 0 && { Fields: JSON.stringify(fields) }),
    },
  });
}

function recordIn(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
