import { createGateway, type GatewayEvent, type GatewayOptions } from '@virgule/client/gateway';
import { createRest, isApiRefused } from '@virgule/client/rest';
import type { Command, HttpMethod, Rest, RestOptions } from '@virgule/client/rest';
import type { Clock } from '@virgule/core/clock';
import { errorText, isVirguleError } from '@virgule/core/errors';
import { UUID } from '@virgule/core/text';

/** Minimum time between two calls, in milliseconds. */
export const PACE_MS = 250;
/** Time in which the end of a socket or a window has taken effect, in milliseconds. */
export const SETTLE_MS = 1_000;
/** Time limit of a call, which includes a rate limit of up to a minute, in milliseconds. */
export const DEADLINE_MS = 90_000;
const POLL_MS = 50;
/** Time limit of an event, in milliseconds. */
export const EVENT_MS = 5_000;
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

/** A command, with the time at which it was run. */
export interface CommandRun {
  readonly startMs: number;
  readonly event: Fields;
}

const keysOf = (value: unknown): string => Object.keys(Object(value)).join(', ');

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
  readonly facts: Record<string, Fields> = {};
  /** Observations of the current fact. */
  notes: string[] = [];
  /** Type of the channel, and the other types of its server. */
  types: readonly string[] = [];
  socket: Awaited<ReturnType<Lab['connect']>> | undefined;
  /** A command that was run for several facts. */
  command = Promise.resolve<CommandRun>({ startMs: 0, event: {} });
  signal: AbortSignal;
  readonly options: LabOptions;
  readonly rest: Rest;
  /** Path of the messages. */
  readonly path: string;
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

  /** Makes a call when it is due. An interrupt does not end it: a message is known once its call is answered. */
  async turn<T>(call: (atMs: number) => Promise<T>): Promise<T> {
    const { clock, maxCalls, maxMs, signal } = this.options;
    if (this.signal === signal) {
      if (this.calls >= maxCalls) throw new Error(`ended after ${maxCalls} calls`);
      if (clock.monotonic() >= this.#endMs)
        throw new Error(`ended after ${maxMs / 60_000} minutes`);
    }
    this.calls += 1;
    await this.wait(this.#dueMs - clock.monotonic());
    const atMs = clock.monotonic();
    this.#dueMs = atMs + PACE_MS;
    return call(atMs);
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

  /** Writes a message that begins with the marker, by default into the channel. */
  async write(content: string, more: object = {}, method: HttpMethod = 'POST', path = this.path) {
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

  async wait(ms: number): Promise<void> {
    this.signal.throwIfAborted();
    if (ms > 0) await this.options.clock.sleep(ms, { signal: this.signal });
  }

  /** Waits for an event after the first `from` ones, by default of the probe, and notes it. @throws Error if there is none in time. */
  async event(
    name: string,
    isFit = (d: Fields): boolean => this.own.has(String(d['messageId'] ?? d['id'])),
    { waitMs = EVENT_MS, from = 0 } = {},
  ): Promise<Fields> {
    const find = () => this.socket?.events.slice(from).find(({ t, d }) => t === name && isFit(d));
    for (let waited = 0; !find() && waited < waitMs; waited += POLL_MS) await this.wait(POLL_MS);
    const event = find();
    if (!event) throw new Error(`no ${name} was received`);
    this.notes.push(`${name}: ${keysOf(event.d)}`);
    return event.d;
  }

  /** Returns whether a message of the bot begins with a marker. */
  isMarked({ authorId, content }: Fields, marker: string): boolean {
    return authorId === this.socket?.ready?.botUserId && String(content).startsWith(marker);
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
