import { createGateway, type GatewayOptions, type GatewayStatus } from '@virgule/client/gateway';
import { createRest, type Command, type Rest, type RestOptions } from '@virgule/client/rest';
import type { Clock } from '@virgule/core/clock';
import { factsIn, PROFILE_MEMBERS } from '@virgule/core/protocol';
import { readConfig } from '@virgule/runtime/project';
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
  readonly runCommand: (command: Command) => unknown;
  /** Rights of the probe. */
  readonly has: ReadonlySet<string>;
  readonly channelId: string;
  /** Maximum number of calls. The deletion of messages at the end has no limit. */
  readonly maxCalls: number;
  /** Beginning of each message. */
  readonly marker: string;
  readonly onFact: (name: string, fact: Fields | undefined) => void;
}

/**
 * Returns the value of a fact, or causes a response or an event that shows it. A value that no profile can have describes
 * what was found, and disproves an earlier value.
 */
export type Find = (lab: Lab) => Promise<unknown>;

export type Fields = Readonly<Record<string, unknown>>;

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

/** Calls and sockets of the probe: slow, and limited in number. Finds the facts that their bodies show. */
export class Lab {
  calls = 0;
  /** Time of the last call, by `Clock.monotonic()`. */
  calledMs = 0;
  /** Number of messages that the platform accepted, without answers to commands. */
  sent = 0;
  /** `true` once the bot has written a message that is not one of the probe. */
  isShared = false;
  /** Ids of messages of the probe. */
  readonly own = new Set<string>();
  readonly facts: Record<string, Fields> = {};
  /** Content of `platform.json` before the run. */
  earlier: Fields = {};
  /** Values that were found for each fact, as JSON. */
  readonly found: Record<string, Set<string>> = {};
  readonly #seen = new Set<unknown>();
  /** `true` while commands may be missing: nothing but their registration counts. */
  isChanging = false;
  /** Observations of the current fact. */
  notes: string[] = [];
  /** Events of commands since the last one was run, with their times by `Clock.monotonic()`. */
  readonly commands: { readonly event: Fields; readonly atMs: number }[] = [];
  socket: Awaited<ReturnType<Lab['connect']>> | undefined;
  /** A command that was run for several facts; `isFile` if its options are only files. */
  command = Promise.resolve({ id: '', rawInput: '', isFile: false });
  /** Codes of errors that have nothing to do with the state of an interaction. */
  readonly codes = new Set(['bot_validation_error', 'bot_forbidden', 'bot_missing_permission']);
  /** Refusal of a call for an interaction that does not exist. */
  gone: unknown;
  readonly text: { readonly content: string };
  readonly options: LabOptions;
  readonly rest: Rest;

  constructor(options: LabOptions) {
    this.options = options;
    this.text = { content: `${options.marker} measures the platform, and is deleted.` };
    // An unreachable platform is reported soon; a rate limit of up to a minute is waited for.
    this.rest = createRest({ ...options, maxTries: 3, deadlineMs: 90_000, onBody: this.see });
    this.rest.observe((_, run) => this.turn(run));
  }

  /** Keeps a fact: measured if it was observed several times, not reachable without a value that is valid and the only one. */
  keep(name: string, value: unknown, notes: readonly string[] = this.notes): void {
    const found = (this.found[name] ??= new Set());
    if (value === undefined && found.size > 0) return;
    const isKnown = found.size > 0 || notes.length > 1;
    if (value !== undefined) found.add(JSON.stringify(value));
    const profile = settingsOf({ [name]: { value } });
    const { problems } = readConfig({ profile }, { file: PLATFORM_FILE });
    // Only the interval of edits can be 0.
    const zero = value === 0 && name !== 'editIntervalMs' ? '0 means nothing here' : undefined;
    const problem =
      found.size > 1 ? `contradictory: ${[...found].join(', ')}` : (problems[0]?.message ?? zero);
    const evidence = problem ?? notes.slice(-MAX_NOTES).join('; ');
    const known = { value, confidence: isKnown ? 'measured' : 'seen-once', evidence };
    const isValid = value !== undefined && problem === undefined;
    this.facts[name] = isValid ? known : { confidence: 'not-reachable', evidence };
  }

  /** Keeps the facts that a response or an event shows. Ignores other channels, and messages and commands of others. */
  readonly see = (name: string, body: unknown): void => {
    const { channelId, marker } = this.options;
    const d: Fields = Object(body);
    if ((d['channelId'] ?? channelId) !== channelId) return;
    const atMs = this.options.clock.monotonic();
    if (name === 'APPLICATION_COMMAND') {
      // An event may be repeated.
      if (!this.#seen.has(d['interactionId'])) this.commands.push({ event: d, atMs });
      return void this.#seen.add(d['interactionId']);
    }
    if (name === 'messages.send') this.sent += 1;
    const isMarked = String(d['content']).startsWith(marker);
    const isOfBot =
      String(d['authorId']).toLowerCase() === this.socket?.ready?.botUserId.toLowerCase();
    // An event may have no content, and shows nothing then.
    this.isShared ||= name === 'MESSAGE_CREATE' && isOfBot && !isMarked && Boolean(d['content']);
    const isSent = name === 'messages.send' || (isMarked && isOfBot);
    if (isSent && typeof d['id'] === 'string') this.own.add(d['id']);
    const isKnown = isMarked || this.own.has(String(d['messageId'] ?? d['id']));
    if (isKnown || !name.startsWith('MESSAGE_')) this.learn(name, body);
  };

  /** Keeps the facts that a body shows. */
  learn(name: string, body: unknown): void {
    const shown = Object.entries(Object(body)).map(([key, d]) =>
      typeof d === 'number' ? `${key} ${d}` : key,
    );
    const note = `${name}: ${shown.join(', ') || 'empty'}`;
    this.notes.push(note);
    for (const [fact, value] of Object.entries(factsIn(name, body)))
      // Most pages are shorter than the longest.
      if (value !== undefined && fact !== 'pageMax') this.keep(fact, value, [note]);
  }

  /** Makes a call when it is due. An interrupt does not end it: a message is known once its call is answered. */
  async turn<T>(call: () => Promise<T>): Promise<T> {
    const { clock } = this.options;
    this.calls += 1;
    const nowMs = clock.monotonic();
    this.calledMs = Math.max(nowMs, this.calledMs + PACE_MS);
    await clock.sleep(this.calledMs - nowMs);
    return call();
  }

  wait(ms: number): Promise<void> {
    return this.options.clock.sleep(ms, { signal: this.options.signal });
  }

  /** Connects once: a lost connection is not replaced. */
  async connect(more: Partial<GatewayOptions> = {}) {
    let reactions = 0;
    const dispatch = ({ d }: { readonly d: unknown }): void => {
      if (this.own.has(String(Object(d).messageId))) reactions += 1;
    };
    const gateway = createGateway({ ...this.options, onBody: this.see, ...more });
    const status = ({ state }: GatewayStatus) => void (state === 'reconnecting' && gateway.close());
    const ready = await gateway.connect({ dispatch, status }).catch(() => undefined);
    this.options.signal.throwIfAborted();
    /** Returns the close code; `undefined` without one. */
    const code = (): number | undefined => Object.keys(gateway.counts.endings).map(Number)[0];
    return Object.assign(gateway, { ready, code, reactions: () => reactions });
  }
}
