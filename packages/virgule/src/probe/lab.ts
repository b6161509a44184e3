import { createGateway, type GatewayEvent, type GatewayOptions } from '@virgule/client/gateway';
import { createRest, isApiRefused } from '@virgule/client/rest';
import type { Command, HttpMethod, Rest, RestOptions } from '@virgule/client/rest';
import { raceAbort } from '@virgule/core/abort';
import type { Clock } from '@virgule/core/clock';
import { errorText, isVirguleError } from '@virgule/core/errors';
import { UUID } from '@virgule/core/text';

/** Minimum time between two calls, in milliseconds. */
export const PACE_MS = 250;
/** Time in which the end of a socket, a window or a call has taken effect, in milliseconds. */
export const SETTLE_MS = 1_000;
/** Time limit of a call, which includes a rate limit of up to a minute, in milliseconds. */
export const DEADLINE_MS = 90_000;
const POLL_MS = 50;
const EVENT_MS = 5_000;
/** Number of observations that a fact keeps. */
const MAX_NOTES = 4;

export interface LabOptions extends RestOptions, GatewayOptions {
  /** Folder of the project. */
  readonly root: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Runs a command as a user. */
  readonly runCommand: (command: Command) => Promise<unknown>;
  /** Rights of the probe. */
  readonly has: ReadonlySet<unknown>;
  readonly channelId: string;
  /** Maximum number of calls. The deletion of messages at the end has no limit. */
  readonly maxCalls: number;
  readonly maxMessages: number;
  /** Time limit of the facts. A call that has begun ends later. */
  readonly maxMs: number;
  /** Beginning of each message. */
  readonly marker: string;
  readonly onFact: (name: string, fact: Fields) => void;
  /** Called if messages of the probe may remain. */
  readonly onRemains: (reason: string) => void;
}

export type Fields = Readonly<Record<string, unknown>>;

export const keysOf = (value: unknown): string => Object.keys(Object(value)).join(', ');

/** Describes an error without the words of the platform, which may be private. */
export function describe(error: unknown): string {
  if (!isVirguleError(error)) return errorText(error);
  const { status = '', apiCode = '' }: Fields = error.details;
  return [error.code, status, apiCode].filter((part) => part !== '').join(' ');
}

/** Calls and sockets of the probe: slow, and limited in number. */
export class Lab {
  calls = 0;
  messages = 0;
  /** Ids of messages of the probe. */
  readonly own = new Set<string>();
  /** Settled once the last call has taken effect. */
  lastCall: Promise<unknown> = Promise.resolve();
  readonly facts: Record<string, Fields> = {};
  /** Observations of the current fact. */
  notes: string[] = [];
  /** Type of the channel, and the other types of its server. */
  types: readonly string[] = [];
  socket: Awaited<ReturnType<Lab['connect']>> | undefined;
  botUserId: unknown;
  signal: AbortSignal;
  readonly options: LabOptions;
  readonly rest: Rest;
  /** Path of the messages. */
  readonly path: string;
  /** Last payload of each event that a fact waited for. */
  readonly #payloads: Record<string, Fields> = {};
  #dueMs = 0;
  readonly #endMs: number;

  constructor(options: LabOptions) {
    this.options = options;
    this.signal = options.signal;
    this.#endMs = options.clock.monotonic() + options.maxMs;
    this.path = `/channels/${options.channelId}/messages`;
    this.rest = createRest({ ...options, maxTries: 1, deadlineMs: DEADLINE_MS });
  }

  /** Finds a fact: measured if it rests on several observations, not reachable without a value. */
  async find(find: (lab: Lab) => Promise<unknown>) {
    this.notes = [];
    const note = (error: unknown): void => void this.notes.push(describe(error));
    const value = await find(this).catch(note);
    this.signal.throwIfAborted();
    const known = this.notes.length > 1 ? 'measured' : 'seen-once';
    const confidence = value === undefined ? 'not-reachable' : known;
    return { value, confidence, evidence: this.notes.slice(-MAX_NOTES).join('; ') };
  }

  /** Makes a call when it is due. */
  async turn<T>(call: () => Promise<T>): Promise<T> {
    const { clock, maxCalls, maxMs, signal } = this.options;
    if (this.signal === signal) {
      if (this.calls >= maxCalls) throw new Error(`ended after ${maxCalls} calls`);
      if (clock.monotonic() >= this.#endMs)
        throw new Error(`ended after ${maxMs / 60_000} minutes`);
    }
    this.calls += 1;
    await this.wait(this.#dueMs - clock.monotonic());
    this.#dueMs = clock.monotonic() + PACE_MS;
    const called = call();
    this.lastCall = called.catch(() => {});
    return raceAbort(called, this.signal);
  }

  /** Calls an endpoint. Returns the parsed body, or the refusal in the form of a profile, and notes it. */
  async call(method: HttpMethod, path: string, more: { body?: object; query?: object } = {}) {
    const answer = await this.turn(() => this.rest.request(method, path, more)).then(
      (body) => ({ isAccepted: true, refusal: { status: 200, code: '' }, body }),
      (error: unknown) => {
        if (!isApiRefused(error)) throw error;
        const { status, apiCode: code } = error.details;
        return { isAccepted: false, refusal: { status, code }, body: undefined };
      },
    );
    const { status, code } = answer.refusal;
    const route = path.replaceAll(new RegExp(UUID, 'gi'), '{id}');
    this.notes.push(`${method} ${route}: ${status} (${code || keysOf(answer.body) || 'empty'})`);
    return answer;
  }

  /** Writes a message that begins with the marker. */
  async write(method: HttpMethod, path: string, content: string, more: object = {}) {
    const { marker, maxMessages } = this.options;
    if (this.messages >= maxMessages) throw new Error(`ended after ${maxMessages} messages`);
    const body = { content: `${marker} ${content}`, ...more };
    // A message whose call fails without an answer may exist.
    this.messages += 1;
    const answer = await this.call(method, path, { body });
    if (!answer.isAccepted) this.messages -= 1;
    const { id }: Fields = Object(answer.body);
    if (typeof id === 'string') this.own.add(id);
    return answer;
  }

  post(content: string, more?: object) {
    return this.write('POST', this.path, content, more);
  }

  async wait(ms: number): Promise<void> {
    this.signal.throwIfAborted();
    if (ms > 0) await this.options.clock.sleep(ms, { signal: this.signal });
  }

  /** Waits for an event of the probe, and notes it. @throws Error if there is none in time. */
  async event(name: string, { waitMs = EVENT_MS, of = {} }: { waitMs?: number; of?: Fields } = {}) {
    const { events = [] } = this.socket ?? {};
    const find = (): number =>
      events.findIndex(
        ({ t, d }) =>
          t === name &&
          (t === 'APPLICATION_COMMAND' || this.own.has(String(d['messageId'] ?? d['id']))) &&
          Object.entries(of).every(([key, value]) => d[key] === value),
      );
    for (let waited = 0; find() < 0 && waited < waitMs; waited += POLL_MS) await this.wait(POLL_MS);
    const [event] = find() < 0 ? [] : events.splice(find(), 1);
    if (!event) throw new Error(`no ${name} was received`);
    this.notes.push(`${name}: ${keysOf(event.d)}`);
    return (this.#payloads[name] = event.d);
  }

  /** Drops the events of commands that were run before. */
  forgetCommands(): void {
    const { events = [] } = this.socket ?? {};
    events.splice(0, Infinity, ...events.filter(({ t }) => t !== 'APPLICATION_COMMAND'));
    delete this.#payloads['APPLICATION_COMMAND'];
  }

  /** Returns the last payload of an event. @throws Error without one. */
  last(name: string): Fields {
    const payload = this.#payloads[name];
    if (!payload) throw new Error(`no ${name} was received`);
    return payload;
  }

  /** Returns whether a message of the bot begins with a marker. */
  isMarked({ authorId, content }: Fields, marker: string): boolean {
    return authorId === this.botUserId && String(content).startsWith(marker);
  }

  /** Connects once: a lost connection is not replaced. Drops events of other channels. */
  async connect(more: Partial<GatewayOptions> = {}) {
    const { marker, channelId } = this.options;
    const gateway = createGateway({ ...this.options, ...more });
    const events: { t: string; d: Fields }[] = [];
    const connecting = gateway.connect({
      dispatch: ({ t, d: payload }: GatewayEvent) => {
        const d: Fields = Object(payload);
        if (d['channelId'] !== channelId) return;
        if (this.isMarked(d, marker)) this.own.add(String(d['id']));
        events.push({ t, d });
      },
      status: ({ state }) => void (state === 'reconnecting' && gateway.close()),
    });
    const ready = await connecting.catch(() => undefined);
    this.signal.throwIfAborted();
    return {
      ready,
      events,
      isOpen: (): boolean => gateway.health().isReady,
      /** Returns the close code; `undefined` without one. */
      code: (): number | undefined => Object.keys(gateway.counts.endings).map(Number)[0],
      [Symbol.asyncDispose]: () => gateway.close(),
    };
  }
}
