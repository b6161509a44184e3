import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { createGateway, type GatewayOptions, type GatewayStatus } from '@virgule/client/gateway';
import {
  createRest,
  isBadResponse,
  isOutcomeUnknown,
  type Command,
  type Rest,
  type RestOptions,
} from '@virgule/client/rest';
import type { Clock } from '@virgule/core/clock';
import {
  factsIn,
  PROFILE_MEMBERS,
  type Profile,
  type Ready,
  type SyncCommandItem,
} from '@virgule/core/protocol';
import { readConfig } from '@virgule/runtime/project';
import { cliErrors } from '../terminal/cli-errors.js';
import { PLATFORM_FILE } from '../terminal/read-profile.js';

/** Minimum time between two calls, in milliseconds. */
export const PACE_MS = 250;
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
  readonly print: (text: string) => void;
}

/**
 * Returns the value of a fact, or causes a response or an event that shows it. A value that no profile can have describes
 * what was found, and disproves an earlier value.
 */
export type Find = (lab: Lab) => Promise<unknown>;

export type Fields = Readonly<Record<string, unknown>>;

/** Answer to a call in the form of a profile; an accepted call has the status 200. */
export type Refusal = Profile['refusals']['interactionGone'];

/** Returns the settings of a profile with these values of its members. Other facts are no settings. */
export function settingsOf(values: Fields): Fields {
  const settings: Record<string, unknown> = {};
  for (const name of PROFILE_MEMBERS) {
    const value = values[name];
    const [member = '', part] = name.split('.');
    if (value !== undefined)
      settings[member] = part ? { ...Object(settings[member]), [part]: value } : value;
  }
  return settings;
}

/** Returns whether a message is one of a probe, also if the platform writes more before its text. */
export const isOfProbe = ({ content }: { readonly content?: unknown }): boolean =>
  /(^|\s)virgule-probe-[\da-f]{8} /.test(String(content));

const SHARED = 'another process answers as this bot; stop it first';

/** Calls and sockets of the probe: slow, and limited in number. Finds the facts that their bodies show. */
export class Lab {
  calls = 0;
  /** Number of calls that ends the run. Without it, calls that clean up are made in any case. */
  limit = Number.POSITIVE_INFINITY;
  /** Time of the last call, by `Clock.monotonic()`. */
  calledMs = 0;
  /** Number of messages that exist or may exist. */
  written = 0;
  /** Values of each fact, and the observations of them, or the reason why there is none. */
  readonly seen: Record<string, { readonly values: unknown[]; readonly notes: string[] }> = {};
  /** Ids of messages of the run that a response or an event has shown. */
  readonly ids = new Set<unknown>();
  /** Commands that were registered again, and the name of the set that is saved for a rollback. */
  registered?: { readonly items: readonly SyncCommandItem[]; readonly saved: string };
  /** Observations of the current fact. */
  notes: string[] = [];
  /** Events of commands by their ids, with their times by `Clock.monotonic()`. */
  readonly commands = new Map<unknown, { readonly event: Fields; readonly atMs: number }>();
  bot?: Ready;
  readonly rest: Rest;
  readonly options: LabOptions;
  readonly #shared = new AbortController();
  /** Ends the run: an interrupt, or another process that answers as the bot. Without it, the run is being cleaned up. */
  signal: AbortSignal | undefined;

  constructor(options: LabOptions) {
    this.options = options;
    this.signal = AbortSignal.any([options.signal, this.#shared.signal]);
    // An unreachable platform is reported soon; a rate limit of up to a minute is waited for.
    this.rest = createRest({ ...options, maxTries: 3, deadlineMs: 90_000, onBody: this.see });
    this.rest.observe((_, run) => this.turn(run));
  }

  readonly isBot = (userId: unknown): boolean =>
    String(userId).toLowerCase() === this.bot?.botUserId.toLowerCase();

  /** Returns the body of a message, whose content is unique. */
  readonly text = (more = 'measures the platform, and is deleted.') => ({
    content: `virgule-probe-${randomBytes(4).toString('hex')} ${more}`,
  });

  /** Waits for a call that writes a message, and counts the message if it exists or may exist. */
  async write<Result>(call: Promise<Result>): Promise<Result> {
    const mayExist = (error: unknown): boolean => isOutcomeUnknown(error) || isBadResponse(error);
    if (await call.then(() => true, mayExist)) this.written += 1;
    return call;
  }

  /** Keeps a value of a fact, or without a value the reason. */
  keep(name: string, value: unknown, notes: readonly string[] = this.notes): void {
    const seen = (this.seen[name] ??= { values: [], notes: [] });
    if (value !== undefined) seen.values.push(value);
    seen.notes.push(...notes);
  }

  /** Returns a fact: measured if it was observed several times, not reachable without a value that is valid and the only one. */
  fact(name: string): Fields {
    const { values = [], notes = ['no experiment shows it'] } = this.seen[name] ?? {};
    const [value] = values;
    const other = values.find((one) => !isDeepStrictEqual(one, value));
    const profile = settingsOf({ [name]: value });
    const { problems } = readConfig({ profile }, { file: PLATFORM_FILE });
    const problem =
      other === undefined
        ? problems[0]?.message
        : `contradictory: ${JSON.stringify(value)}, ${JSON.stringify(other)}`;
    const evidence = problem ?? notes.slice(-MAX_NOTES).join('; ');
    if (value === undefined || problem) return { confidence: 'not-reachable', evidence };
    return { value, confidence: notes.length > 1 ? 'measured' : 'seen-once', evidence };
  }

  /** Keeps the facts that a response or an event shows. Ignores other channels, and messages of others. */
  readonly see = (name: string, body: unknown): void => {
    const { channelId, clock } = this.options;
    const d: Fields = Object(body);
    const { id, messageId = id, interactionId, content } = d;
    if ((d['channelId'] ?? channelId) !== channelId) return;
    if (name === 'APPLICATION_COMMAND') {
      // An event may be repeated.
      if (this.commands.has(interactionId)) return;
      return void this.commands.set(interactionId, { event: d, atMs: clock.monotonic() });
    }
    const isOfBot = this.isBot(d['authorId']);
    const isEvent = name.startsWith('MESSAGE_');
    // An event may have no content, and shows nothing then.
    if (name === 'MESSAGE_CREATE' && isOfBot && content && !isOfProbe(d))
      this.#shared.abort(cliErrors.E_PROBE_FAILED({ reason: SHARED }));
    // Users may copy a message. The author of an answer may not be the bot.
    if (isOfProbe(d) && (isOfBot || !isEvent)) this.ids.add(id);
    if (isOfProbe(d) || this.ids.has(messageId) || !isEvent) this.learn(name, body);
  };

  /** Keeps the facts that a body shows. */
  learn(name: string, body: unknown): void {
    const note = `${name}: ${Object.keys(Object(body)).join(', ') || 'empty'}`;
    this.notes.push(note);
    for (const [fact, value] of Object.entries(factsIn(name, body)))
      // Most pages are shorter than the longest.
      if (value !== undefined && fact !== 'pageMax') this.keep(fact, value, [note]);
  }

  /** Makes a call when it is due. An interrupt does not end it: a message is known once its call is answered. */
  async turn<T>(call: () => Promise<T>): Promise<T> {
    const { clock, maxCalls } = this.options;
    if (this.calls >= this.limit) throw new Error(`ended after ${maxCalls} calls`);
    this.calls += 1;
    const nowMs = clock.monotonic();
    this.calledMs = Math.max(nowMs, this.calledMs + PACE_MS);
    await this.wait(this.calledMs - nowMs);
    return call();
  }

  wait(ms: number): Promise<void> {
    return this.options.clock.sleep(ms, { signal: this.signal });
  }

  /** Connects once: a lost connection is not replaced. */
  async connect(more: Partial<GatewayOptions> = {}) {
    const gateway = createGateway({ ...this.options, onBody: this.see, ...more });
    const status = ({ state }: GatewayStatus) => void (state === 'reconnecting' && gateway.close());
    const ready = await gateway.connect({ dispatch() {}, status }).catch(() => undefined);
    this.signal?.throwIfAborted();
    /** Returns the close code; `undefined` without one. */
    const code = (): number | undefined => Object.keys(gateway.counts.endings).map(Number)[0];
    return Object.assign(gateway, { ready, code });
  }
}
