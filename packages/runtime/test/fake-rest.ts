import type { Rest, SentAnswer } from '@virgule/client/rest';
import type { Command, Message, MessageAttachmentDraft } from '@virgule/core/protocol';
import { BOT_USER } from './ids.js';

/** A call, in the order of the calls. */
export interface RestCall {
  /** The group and the method, `messages.send`. */
  readonly endpoint: string;
  readonly args: readonly unknown[];
}

/** A call that waits to be settled by the test. */
export interface HeldCall {
  /** Returns whether the call was made. */
  readonly made: boolean;
  settle(outcome?: unknown): void;
}

/**
 * A REST client without a network, whose errors and pending calls a test scripts: a fake of the client. Tests of
 * what the platform does use the simulator.
 */
export interface FakeRest {
  readonly rest: Rest;
  readonly calls: readonly RestCall[];
  /** The endpoints whose messages were read from their responses, in order. */
  readonly reads: readonly string[];
  /** The calls in short, such as `respond Hello`, `messages.send Hi` or `defer`. */
  readonly lines: readonly string[];
  /**
   * Scripts the next call of an endpoint; later scripts come after. An `Error` rejects the call, a
   * function is called with its arguments, anything else is its value.
   */
  once(endpoint: string, outcome: unknown): void;
  /** Scripts every call of an endpoint that has no `once` left. */
  always(endpoint: string, outcome: unknown): void;
  /** Keeps the next call of an endpoint waiting. */
  hold(endpoint: string): HeldCall;
  /** The platform refuses the token from now on. */
  refuseToken(error: Error): void;
  /** Passes on the observing options of each call, where it has some. */
  observeCalls(see: (observer: CallObserver) => void): void;
}

export interface CallObserver {
  /** Absent when retries are not counted. */
  readonly onRetry?: () => void;
  readonly deadlineMs?: number | undefined;
}

const OBSERVING: ReadonlySet<string> = new Set([
  'onRetry',
  'deadlineMs',
  'isRetry',
  'isSequential',
]);
/** Signals of calls for interactions only steer them; those of other calls are looked at. */
const STEERING: ReadonlySet<string> = new Set([...OBSERVING, 'signal', 'priority']);

/** A fake that answers every call as an empty platform would: what is not shown is `undefined`. */
export function createFakeRest(): FakeRest {
  const calls: RestCall[] = [];
  const reads: string[] = [];
  const scripts = new Map<string, unknown[]>();
  const standing = new Map<string, unknown>();
  let see: (observer: CallObserver) => void = () => {};

  function once(endpoint: string, outcome: unknown): void {
    scripts.set(endpoint, [...(scripts.get(endpoint) ?? []), outcome]);
  }

  function method<Result>(endpoint: string, fallback: Result) {
    return async (...given: readonly unknown[]): Promise<Result> => {
      const steering = endpoint.startsWith('interactions.') ? STEERING : OBSERVING;
      const [args, observer] = withoutObserver(given, steering);
      if (observer) see(observer);
      calls.push({ endpoint, args });
      const script = scripts.get(endpoint);
      const scripted = script && script.length > 0 ? script.shift() : standing.get(endpoint);
      const result: unknown = typeof scripted === 'function' ? await scripted(...args) : scripted;
      if (result instanceof Error) throw result;
      // A script returns what its test means the endpoint to return.
      return result === undefined ? fallback : (result as Result);
    };
  }

  /** The same for one whose message is read later, if at all. */
  function answering(endpoint: string) {
    const call = method<Message | undefined>(endpoint, undefined);
    return async (...given: readonly unknown[]): Promise<SentAnswer> => {
      const message = await call(...given);
      return {
        message() {
          reads.push(endpoint);
          return message;
        },
      };
    };
  }

  // No test reads what these return without a script.
  const unused = (endpoint: string) => method(endpoint, undefined as never);
  const none: readonly never[] = [];
  const refusal = new AbortController();
  const rest: Rest = {
    users: {
      me: method('users.me', {
        applicationId: BOT_USER,
        botUserId: BOT_USER,
        username: 'dice',
        displayName: 'Dice',
      }),
    },
    servers: {
      list: method('servers.list', none),
      channels: method('servers.channels', none),
      emojis: method('servers.emojis', none),
    },
    channels: { typing: method('channels.typing', undefined) },
    messages: {
      list: method('messages.list', { messages: none, hasMore: false, oldestId: null }),
      history: async function* (...given) {
        yield* await method<readonly Message[]>('messages.history', none)(...given);
      },
      send: method('messages.send', undefined),
      get: unused('messages.get'),
      edit: method('messages.edit', undefined),
      delete: method('messages.delete', undefined),
      context: unused('messages.context'),
    },
    reactions: {
      list: method('reactions.list', undefined),
      details: unused('reactions.details'),
      add: method('reactions.add', undefined),
      remove: method('reactions.remove', undefined),
      removeUser: method('reactions.removeUser', undefined),
      clear: method('reactions.clear', undefined),
    },
    attachments: {
      accessUrl: unused('attachments.accessUrl'),
      openUpload: unused('attachments.openUpload'),
      upload: unused('attachments.upload'),
      uploadAll: method<readonly MessageAttachmentDraft[]>('attachments.uploadAll', none),
      isFileUrl: (url, hosts = []) => URL.canParse(url) && hosts.includes(new URL(url).host),
      download: method('attachments.download', new Blob()),
    },
    voice: {
      join: unused('voice.join'),
      leave: method('voice.leave', undefined),
      openIngress: unused('voice.openIngress'),
      closeIngress: method('voice.closeIngress', undefined),
      state: method('voice.state', undefined),
    },
    commands: {
      list: method<readonly Command[]>('commands.list', none),
      replace: method('commands.replace', undefined),
    },
    interactions: {
      ack: method('interactions.ack', undefined),
      defer: method('interactions.defer', undefined),
      respond: answering('interactions.respond'),
      editResponse: answering('interactions.editResponse'),
      followUp: answering('interactions.followUp'),
    },
    request: unused('request'),
    // No test of the runtime reads what the client learned.
    tokenRefused: refusal.signal,
    limits: () => ({ origins: [] }) as never,
    exchangePauses: () => () => {},
    observe: () => {},
    close: method('close', undefined),
    [Symbol.asyncDispose]: method('close', undefined),
  };

  return {
    rest,
    calls,
    reads,
    get lines() {
      return calls.map(toLine);
    },
    once,
    refuseToken: (error) => refusal.abort(error),
    observeCalls: (next) => void (see = next),
    always: (endpoint, outcome) => void standing.set(endpoint, outcome),
    hold(endpoint) {
      let made = false;
      let settle: (outcome: unknown) => void = () => {};
      const settled = new Promise<unknown>((resolve) => {
        settle = resolve;
      });
      once(endpoint, () => {
        made = true;
        return settled;
      });
      return {
        get made() {
          return made;
        },
        settle: (outcome) => settle(outcome),
      };
    },
  };
}

/** The arguments of a call without what only steers or watches it, and that. */
function withoutObserver(
  args: readonly unknown[],
  steering: ReadonlySet<string>,
): readonly [args: readonly unknown[], observer?: CallObserver] {
  const last = args.at(-1);
  if (args.length > 0 && last === undefined) return [args.slice(0, -1)];
  const isObserver =
    typeof last === 'object' &&
    last !== null &&
    Object.keys(last).length > 0 &&
    Object.keys(last).every((key) => steering.has(key));
  return isObserver ? [args.slice(0, -1), last] : [args];
}

function toLine({ endpoint, args }: RestCall): string {
  const name = endpoint.replace(/^interactions\./, '').replace('editResponse', 'edit');
  const body = args.find((arg) => typeof arg === 'object' && arg !== null && 'content' in arg);
  return body ? `${name} ${String((body as { readonly content: unknown }).content)}` : name;
}
