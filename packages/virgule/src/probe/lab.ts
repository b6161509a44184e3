import { randomUUID } from 'node:crypto';
import { createGateway, type GatewayOptions, type GatewayStatus } from '@virgule/client/gateway';
import {
  createRest,
  isApiRefused,
  type Command,
  type Rest,
  type RestOptions,
} from '@virgule/client/rest';
import type { Clock } from '@virgule/core/clock';
import { createRedactor, type Redactor } from '@virgule/core/log';
import { isRecord, orUndefined } from '@virgule/core/objects';
import { factsIn, PROFILE_MEMBERS, RATE_LIMIT_HEADERS, type Profile } from '@virgule/core/protocol';
import { readConfig } from '@virgule/runtime/project';
import { cliErrors } from '../terminal/cli-errors.js';
import { PLATFORM_FILE } from '../terminal/read-profile.js';
import { keyOf, saveJournal, shownCode, shownName, type Journal } from './journal.js';

/** Minimum time between two calls, in milliseconds. */
export const PACE_MS = 250;
const EMPTY = 'empty';
/** Maximum number of fields of a body that are shown, and of bodies. */
const MAX_FIELDS = 40;
const MAX_BODIES = 100;
const DAY_MS = 86_400_000;
/** Number of observations that a fact keeps. */
const MAX_NOTES = 4;

export interface LabOptions extends RestOptions, GatewayOptions {
  /** Folder of the project. */
  readonly root: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Runs a command as a user; its event shows that it ran. */
  readonly runCommand: (command: Command) => Promise<void>;
  /** Rights of the probe. */
  readonly has: ReadonlySet<string>;
  readonly channelId: string;
  /** Maximum number of calls. The deletion of messages at the end has no limit. */
  readonly maxCalls: number;
  /** Beginning of each message. */
  readonly marker: string;
  /** Called before the wait for messages of a killed run, in milliseconds. */
  readonly onWait: (ms: number) => void;
  readonly onFact: (name: string, fact: Fields | undefined) => void;
}

/**
 * Returns the value of a fact, or causes a response or an event that shows it. A value that no profile can have describes
 * what was found, and disproves an earlier value.
 */
export type Find = (lab: Lab) => Promise<unknown>;

export type Fields = Readonly<Record<string, unknown>>;

/** Answer to a call in the form of a profile; an accepted call has the status 200. */
export type Refusal = Profile['refusals']['interactionGone'];

/** Returns the settings of a profile with these facts. */
export function settingsOf(facts: Record<string, Fields>): Fields {
  const settings: Record<string, unknown> = {};
  for (const name of PROFILE_MEMBERS) {
    const value = facts[name]?.['value'];
    const [member = '', part] = name.split('.');
    if (value !== undefined)
      settings[member] = part ? { ...Object(settings[member]), [part]: value } : value;
  }
  return settings;
}

/** Fields whose numbers are shown: other numbers may be ids. */
const NUMBERS: ReadonlySet<string> = new Set([
  'status',
  'maxBytes',
  'heartbeatInterval',
  ...Object.values(RATE_LIMIT_HEADERS),
]);
const MAX_NUMBER = 1e13;

/** Returns the unit of `X-RateLimit-Reset` if only one fits: a time within a day of now, or the wait of `Retry-After`. */
export function resetUnitOf(headers: Fields, nowMs: number): string | undefined {
  const wait = Number(headers[RATE_LIMIT_HEADERS.retryAfterSeconds]);
  const reset = Number(headers[RATE_LIMIT_HEADERS.reset]);
  const isNow = (ms: number): boolean => Math.abs(ms - nowMs) <= DAY_MS;
  const isWait = (seconds: number): boolean => wait >= 2 && Math.abs(seconds - wait) <= 1;
  if (isNow(reset * 1_000)) return 'seconds since 1970';
  if (isNow(reset)) return 'milliseconds since 1970';
  if (isWait(reset) && reset > 1) return 'seconds';
  // The end of another window may be as far off as a shorter wait in milliseconds.
  return wait >= 5 && isWait(reset / 1_000) ? 'milliseconds' : undefined;
}

/** Calls and sockets of the probe: slow, and limited in number. Finds the facts that their bodies show. */
export class Lab {
  calls = 0;
  /** Number of calls that ends the run. Without it, calls that clean up are made in any case. */
  limit = Number.POSITIVE_INFINITY;
  /** Time of the last call, by `Clock.monotonic()`. */
  calledMs = 0;
  /** `true` once the bot has written a message that is not one of the probe. */
  isShared = false;
  readonly facts: Record<string, Fields> = {};
  /** Fields of the first response, event or rate limit of each name. */
  readonly bodies: Record<string, string> = Object.create(null);
  /** Content of `platform.json` before the run. */
  earlier: Fields = {};
  /** Values that were found for each fact, as JSON. */
  readonly found: Record<string, Set<string>> = {};
  /** Refusals by the member of `refusals` that they show. Those of other calls have no name. */
  readonly refusals: Record<string, Refusal[]> = { '': [] };
  /** Contents of answers to commands that have not arrived. Answers may have another author than other messages. */
  readonly #answers = new Set<unknown>();
  readonly #redact: Redactor;
  /** Observations of the current fact. */
  notes: string[] = [];
  /** Events of commands by their ids, with their times by `Clock.monotonic()`. */
  readonly commands = new Map<unknown, { readonly event: Fields; readonly atMs: number }>();
  botUserId = '';
  /** Key of the message that was written last. */
  written = '';
  readonly rest: Rest;
  readonly journal: Journal;

  readonly options: LabOptions;

  constructor(options: LabOptions) {
    this.options = options;
    this.#redact = createRedactor([options.token]);
    this.journal = {
      channelId: options.channelId,
      marker: options.marker,
      messages: Object.create(null),
    };
    // An unreachable platform is reported soon; a rate limit of up to a minute is waited for.
    this.rest = createRest({ ...options, maxTries: 3, deadlineMs: 90_000, onBody: this.see });
    this.rest.observe((endpoint, run) =>
      this.turn(run).catch((error: unknown) => {
        if (isApiRefused(error) && !endpoint.startsWith('interactions.'))
          this.refusals['']?.push({ status: error.details.status, code: error.details.apiCode });
        throw error;
      }),
    );
  }

  readonly isBot = (userId: unknown): boolean =>
    String(userId).toLowerCase() === this.botUserId.toLowerCase();

  /** Returns the body of a message, whose content is unique. */
  readonly text = (more = 'measures the platform, and is deleted.') => ({
    content: `${this.options.marker} ${randomUUID().slice(0, 8)} ${more}`,
  });

  /** Returns the body of an answer to a command. */
  answer(more?: string) {
    const body = this.text(more);
    this.#answers.add(body.content);
    return body;
  }

  /** Keeps a fact: measured if it was observed several times, not reachable without a value that is valid and the only one. */
  keep(name: string, value: unknown, notes: readonly string[] = this.notes): void {
    const found = (this.found[name] ??= new Set());
    if (value === undefined && name in this.facts) return;
    const isKnown = found.size > 0 || notes.length > 1;
    if (value !== undefined) found.add(JSON.stringify(value));
    const profile = settingsOf({ [name]: { value } });
    const { problems } = readConfig({ profile }, { file: PLATFORM_FILE });
    const isOdd = typeof value === 'number' && (value <= 0 || !Number.isInteger(value));
    const odd = isOdd ? `${value} is no positive integer` : problems[0]?.message;
    // A text in place of a refusal says what is wrong with it.
    const own = typeof value === 'string' && name.startsWith('refusals.') ? value : odd;
    const problem = found.size > 1 ? `contradictory: ${[...found].join(', ')}` : own;
    const evidence = problem ?? notes.slice(-MAX_NOTES).join('; ');
    const known = { value, confidence: isKnown ? 'measured' : 'seen-once', evidence };
    const isValid = value !== undefined && problem === undefined;
    this.facts[name] = isValid ? known : { confidence: 'not-reachable', evidence };
  }

  /** Keeps the facts that a response or an event shows. Ignores other channels, and messages and commands of others. */
  readonly see = (name: string, body: unknown): void => {
    const { channelId, marker, clock } = this.options;
    const d: Fields = Object(body);
    if ((d['channelId'] ?? channelId) !== channelId) return;
    if (name === 'APPLICATION_COMMAND') {
      // An event may be repeated.
      if (this.commands.has(d['interactionId'])) return;
      return void this.commands.set(d['interactionId'], { event: d, atMs: clock.monotonic() });
    }
    const isMarked = String(d['content']).startsWith(marker);
    const isEvent = name === 'MESSAGE_CREATE';
    const isOfBot = this.isBot(d['authorId']);
    // An event may have no content, and shows nothing then.
    // Messages of a run that was killed may arrive now.
    const isReal = Boolean(d['content']) && !/(^|\s)probe-/.test(String(d['content']));
    this.isShared ||= isEvent && isOfBot && isReal;
    const isOwn = isEvent
      ? isMarked && (isOfBot || this.#answers.delete(d['content']))
      : /^(messages\.send|interactions\.(respond|editResponse))$/.test(name);
    const { messages } = this.journal;
    // A response may show another message, or no content.
    const key = isMarked ? keyOf(d['content']) : this.written;
    if (isOwn && (isMarked || d['content'] === undefined) && typeof d['id'] === 'string') {
      const ids = (messages[key] ??= []);
      if (!ids.includes(d['id'])) ids.push(d['id']);
      // The next run can find the message without its id, too.
      orUndefined(() => saveJournal(this));
    }
    const known = Object.values(messages).flat();
    const isKnown = isMarked || known.includes(String(d['messageId'] ?? d['id']));
    if (isKnown || !name.startsWith('MESSAGE_')) this.learn(name, body);
  };

  /** Keeps the facts that a body shows. */
  learn(name: string, body: unknown): void {
    // The first element of a list shows the fields.
    const first: unknown = [body].flat().find(Boolean) ?? {};
    const fields = Object.entries(isRecord(first) ? first : { '…': '' }).map(([key, d]) => {
      if (!NUMBERS.has(key)) return shownName(this.#redact(key));
      return typeof d === 'number' && Math.abs(d) < MAX_NUMBER ? `${key} ${d}` : key;
    });
    const shown = [...new Set(fields.slice(0, MAX_FIELDS))].join(', ') || EMPTY;
    const [, code] = /^error (.*)$/s.exec(name) ?? [];
    const title = code === undefined ? shownName(this.#redact(name)) : `error ${shownCode(code)}`;
    const isNew = (this.bodies[title] ?? EMPTY) === EMPTY;
    if (isNew && Object.keys(this.bodies).length < MAX_BODIES) this.bodies[title] = shown;
    const note = `${title}: ${shown}`;
    this.notes.push(note);
    for (const [fact, value] of Object.entries(factsIn(name, body)))
      // Most pages are shorter than the longest.
      if (value !== undefined && fact !== 'pageMax') this.keep(fact, value, [note]);
    if (name === 'rateLimit')
      this.keep('rateLimitReset', resetUnitOf(Object(body), this.options.clock.now()), [note]);
  }

  /** Makes a call when it is due. An interrupt does not end it: a message is known once its call is answered. */
  async turn<T>(call: () => Promise<T>): Promise<T> {
    const { clock, maxCalls } = this.options;
    this.check();
    if (this.calls >= this.limit) throw new Error(`ended after ${maxCalls} calls`);
    this.calls += 1;
    const nowMs = clock.monotonic();
    this.calledMs = Math.max(nowMs, this.calledMs + PACE_MS);
    await clock.sleep(this.calledMs - nowMs);
    this.check();
    return call();
  }

  /** Throws if no call may be made any more, except to clean up. */
  check(): void {
    if (this.limit === Number.POSITIVE_INFINITY) return;
    this.options.signal.throwIfAborted();
    if (this.isShared)
      throw cliErrors.E_PROBE_FAILED({
        reason: 'another process answers as this bot; stop it first',
      });
  }

  wait(ms: number): Promise<void> {
    return this.options.clock.sleep(ms, { signal: this.options.signal });
  }

  /** Connects once: a lost connection is not replaced. */
  async connect(more: Partial<GatewayOptions> = {}) {
    const gateway = createGateway({ ...this.options, onBody: this.see, ...more });
    const status = ({ state }: GatewayStatus) => void (state === 'reconnecting' && gateway.close());
    const ready = await gateway.connect({ dispatch() {}, status }).catch(() => undefined);
    this.options.signal.throwIfAborted();
    /** Returns the close code; `undefined` without one. */
    const code = (): number | undefined => Object.keys(gateway.counts.endings).map(Number)[0];
    return Object.assign(gateway, { ready, code });
  }
}
