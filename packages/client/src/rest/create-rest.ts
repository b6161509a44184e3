import { isLoopbackUrl } from '@virgule/core/net';
import { AttachmentHosts, createDownload } from '../download/download.js';
import { createPools } from '../request/pool.js';
import { resolveProxy } from '../request/proxy.js';
import type { LimitsSnapshot } from '../request/queue.js';
import { RateLimits, type Pause } from '../request/rate-limits.js';
import { keepPauses, readPause } from '../request/saved-pauses.js';
import { createFileCalls } from '../upload/send-files.js';
import { Api } from './api.js';
import type {
  AttachmentCalls,
  ChannelCalls,
  CommandCalls,
  MessageCalls,
  ReactionCalls,
  ServerCalls,
  UserCalls,
} from './calls.js';
import { readHistory } from './history.js';
import { createAnswerCalls, type InteractionCalls } from './interactions.js';
import { createMethods, createRawRequest, type RawRequest } from './methods.js';
import { resolveRestOptions, type RestOptions } from './rest-options.js';
import { createIngresses, type VoiceCalls } from './voice.js';

/**
 * REST interface of the platform. Every call settles once, within its deadline, with a value or one
 * `VirguleError`:
 *
 * - `E_API_REFUSED`: the platform said no (`details.status`, `apiCode`, `field`).
 * - `E_RATE_LIMITED`: the wait that the platform asks for exceeds the deadline. The client waits for shorter limits.
 * - `E_UNAUTHORIZED`: the request was answered 401. When `GET /users/@me` is as well, the token is
 *   refused: from then on nothing is sent, and `tokenRefused` is aborted.
 * - `E_TIMEOUT`, `E_ABORTED`: the deadline passed, or the caller's signal ended the call.
 * - `E_OUTCOME_UNKNOWN`: the request was sent and may have taken effect, but has no valid answer.
 * - `E_UNREACHABLE`: no connection; nothing was sent, or a read was not answered by the platform.
 * - `E_BAD_RESPONSE`: the answer is not what the Bot Interface states.
 * - `E_INVALID_CALL`: a value that the platform could only refuse; nothing was sent.
 * - `E_UPLOAD_FAILED`: a file did not arrive, so its message was not sent.
 * - `E_ATTACHMENT_REFUSED`: a file is not downloaded.
 * - `E_OVERLOADED`: too many calls are already waiting.
 * - `E_SHUTTING_DOWN`: the client is closed.
 *
 * A request that was certainly not sent is tried until the call's deadline. A request that is safe to repeat is tried as
 * long during an outage of the platform: a 5xx without its JSON error, its own 502 or 503, a redirect, an HTML page with any
 * status but 429, or a 404 with a text that is not JSON. After other faults, a request that is safe to repeat has three tries in all. Redirects are not
 * followed.
 */
export interface Rest {
  readonly users: UserCalls;
  readonly servers: ServerCalls;
  readonly channels: ChannelCalls;
  readonly messages: MessageCalls;
  readonly reactions: ReactionCalls;
  readonly attachments: AttachmentCalls;
  readonly voice: VoiceCalls;
  readonly commands: CommandCalls;
  readonly interactions: InteractionCalls;
  /**
   * Calls an endpoint that this version has no method for, with the same guarantees. The ids in the path determine
   * its rate limit. Returns what the platform answers, parsed from JSON and not checked; `undefined` for an empty body.
   *
   * @throws VirguleError `E_INVALID_CALL` when `path` is invalid, such as a path with a query or without `/` in front.
   *
   * @example
   * ```ts
   * const pins = await rest.request('GET', `/channels/${channelId}/pins`, { query: { limit: 5 } });
   * ```
   */
  readonly request: RawRequest;
  /** Signal that is aborted with `E_UNAUTHORIZED` when the token is refused: the client then sends nothing more. */
  readonly tokenRefused: AbortSignal;
  /** Returns the rate limits that the platform stated, and the calls that wait for their turn. */
  limits(): LimitsSnapshot;
  /**
   * Shares rate limits with other clients of the bot: calls `publish`, which must not throw, with each pause but those of
   * interactions. Returns a function that applies a pause of another client, and ignores invalid values.
   */
  exchangePauses(publish: (pause: Pause) => void): (pause: unknown) => void;
  /** Has `watch` run each further call, such as to measure it. */
  observe(watch: <Result>(endpoint: string, run: () => Promise<Result>) => Promise<Result>): void;
  /** Closes voice ingresses, ends calls that wait, lets others complete within 5 s, and drops the connections. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Opens a REST client. Nothing is sent until the first call, which should be `users.me()`.
 *
 * @throws VirguleError `E_BAD_ADDRESS` when `baseUrl` is not an http(s) address.
 *
 * @example
 * ```ts
 * const rest = createRest({ token, baseUrl: 'https://chat.example.com' });
 * const me = await rest.users.me();
 * await rest.messages.send(channelId, { content: `I am ${me.displayName}`, files: ['me.png'] });
 * await rest.close();
 * ```
 */
export function createRest(options: RestOptions): Rest {
  const life = new AbortController();
  const settings = resolveRestOptions(options, life.signal);
  const { clock, dispatcher, log, stateFile, address } = settings;
  const { origin } = address;
  const limits = new RateLimits(clock);
  const isKept = stateFile !== undefined && !isLoopbackUrl(origin);
  const savePauses = isKept ? keepPauses(limits, stateFile, settings) : undefined;
  const pools = createPools({ origin, dispatcher, clock, findProxy: resolveProxy(options.proxy) });
  const hosts = new AttachmentHosts(origin, log);
  const api = new Api(settings, { pools, limits, hosts });
  const { caller } = api;
  const files = createFileCalls(settings, api);
  const ingresses = createIngresses(api, log, clock);
  const methods = createMethods(api);

  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= shutDown());
  async function shutDown(): Promise<void> {
    life.abort();
    await ingresses.closeAll();
    await caller.close();
    savePauses?.();
  }

  return {
    ...methods,
    messages: {
      ...methods.messages,
      history(channelId, historyOptions = {}) {
        // An observer of calls derives an object with its own `list`.
        const group = 'list' in Object(this) ? this : methods.messages;
        return readHistory(group, channelId, historyOptions);
      },
      async send(channelId, body, sendOptions) {
        const accepted = await files.send('messages.send', { channelId }, body, sendOptions);
        return api.parse('messages.send', accepted);
      },
    },
    attachments: {
      ...methods.attachments,
      ...files.calls,
      isFileUrl: (url, more) => hosts.allow(url, more),
      download: createDownload(settings, pools, hosts),
    },
    voice: { ...methods.voice, ...ingresses.calls },
    interactions: { ...methods.interactions, ...createAnswerCalls(api, files.send) },
    request: createRawRequest(api),
    tokenRefused: caller.tokenRefused,
    limits: () => caller.limits(),
    observe: (watch) => void (caller.watch = watch),
    exchangePauses(publish) {
      limits.onPause(publish);
      return (state) => {
        const pause = readPause(state, 0);
        if (pause) limits.pause(pause);
      };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
