import { defineErrors, userError, type ErrorTexts, type VirguleError } from '@virgule/core/errors';

/** Details of every failed call. */
export interface CallFacts {
  /** Name of the called method, `messages.send`; `gateway` for the gateway. */
  readonly endpoint: string;
  /** Method and path of the endpoint, with the names of the parameters: `GET /channels/{channelId}/messages`. */
  readonly route: string;
  /** Number of tried requests; 0 if none was sent. */
  readonly attempts: number;
  /** Time from the call to its end, in milliseconds. */
  readonly elapsedMs: number;
  /** The platform's own name for the request, when an answer carried one. */
  readonly requestId?: string | undefined;
}

/**
 * Phase of a call: `waiting` before it is sent (a rate limit, the pause before another try), `connecting` or queued for a
 * connection, then waiting for `headers`, then reading the `body`.
 */
export type CallPhase = 'waiting' | 'connecting' | 'headers' | 'body';

interface Interruption {
  readonly phase: CallPhase;
  /** True if the request may have reached the platform and taken effect. */
  readonly maybeSent: boolean;
}

/** Returns the error of a call that its client, its signal or its deadline ended. */
export function interruption(
  facts: CallFacts & Interruption,
  closing: AbortSignal,
  signal: AbortSignal | undefined,
): VirguleError {
  if (closing.aborted) return clientErrors.E_SHUTTING_DOWN(facts);
  return signal?.aborted
    ? clientErrors.E_ABORTED(facts, { cause: signal.reason })
    : clientErrors.E_TIMEOUT(facts);
}

/**
 * Reason why reading the channel did not settle the outcome of a message. `missing`: the message was not found, but may
 * still appear. `unread`: the channel could not be read.
 */
export type ReconcileFinding = 'missing' | 'unread';

/** Name of an address setting. */
export type AddressName = 'baseUrl' | 'gatewayUrl' | 'uploadUrl' | 'proxy';

const NOT_THE_PLATFORM =
  'Check that the base URL leads to the platform and not to a proxy or login page.';

/** Defines an error that carries the facts of its call. */
const callError = <More extends object = object>(texts: ErrorTexts<CallFacts & More>) =>
  userError<CallFacts & More>(texts);

/** Every error of this package, one factory function for each code. */
export const clientErrors = defineErrors({
  // Group: Calls to the platform
  /**
   * The platform rejected a request.
   *
   * The platform processed the request and rejected it. `details` contains the HTTP status, the platform's error
   * code, the field and the request id.
   *
   * @example
   * Error [E_API_REFUSED] DELETE /channels/{channelId}/messages/{messageId} was refused with 403 bot_forbidden: ManageMessages is required.
   * Try:  Check what this bot may do there, and that the token is its own.
   *
   * @fix
   * - 403: the bot lacks a permission, or the message belongs to someone else.
   * - 403 from `/commands`: the token belongs to another bot, or the bot may not manage commands.
   * - 404: an id is wrong, or the bot is not installed there.
   * - The message names a field: its value is invalid.
   */
  E_API_REFUSED: callError<{
    readonly status: number;
    /** `code` of the error body (Bot Interface, "Errors"); empty when the body had none. */
    readonly apiCode: string;
    /** `message` of the error body; empty when the body had none. */
    readonly apiMessage: string;
    /** The offending field of a `bot_validation_error`. */
    readonly field?: string | undefined;
    /** The wait that a 5xx asked for, in milliseconds. */
    readonly retryAfterMs?: number | undefined;
  }>(({ route, status, apiCode, field, apiMessage }) => {
    const parts = [
      `${route} was refused with ${status}`,
      apiCode && ` ${apiCode}`,
      field && ` (field ${field})`,
      apiMessage && `: ${apiMessage}`,
    ];
    return [
      parts.filter(Boolean).join(''),
      field ? `Fix ${field} and call again.` : ADVICE[status],
    ];
  }),
  /**
   * The rate limit lasts longer than the deadline of the call.
   *
   * The client waits automatically while a rate limit fits into the deadline of the call. This wait does not.
   *
   * @example
   * Error [E_RATE_LIMITED] POST /channels/{channelId}/messages is rate limited for another 60 s, longer than the call may take.
   * Try:  Call again in 60 s, or pass a longer deadlineMs.
   *
   * @fix
   * - Call again after the time in the message.
   * - Send less often, or set a longer deadline for the call.
   */
  E_RATE_LIMITED: callError<{
    /** Time until the platform accepts requests to this route again, in milliseconds. */
    readonly retryAfterMs: number;
    /** True if an earlier try of the call may have taken effect. */
    readonly maybeSent: boolean;
  }>(({ route, retryAfterMs }) => [
    `${route} is rate limited for another ${seconds(retryAfterMs)}, longer than the call may take.`,
    `Call again in ${seconds(retryAfterMs)}, or pass a longer deadlineMs.`,
  ]),
  /**
   * The platform rejected the bot token.
   *
   * The token is wrong, or a newer token replaced it. When a call is answered with 401, the client asks the platform
   * once who the bot is. If that is answered with 401 too, no call can succeed: the client sends no further
   * requests, aborts `rest.tokenRefused`, and the bot stops with exit code 78. Otherwise only that one call failed.
   *
   * @example
   * Error [E_UNAUTHORIZED] The bot token was refused (GET /users/@me answered 401).
   * Try:  Generate a new token in the developer portal and put it into BOT_TOKEN.
   *
   * @fix
   * - Generate a new token in the developer portal and set `BOT_TOKEN` to it.
   * - Check that the value contains no quotes or spaces, and that `BOT_BASE_URL` is the platform that issued the
   *   token.
   */
  E_UNAUTHORIZED: callError<{
    /** Source of the refusal: "GET /users/@me answered 401", "the gateway closed with code 4004". */
    readonly answer: string;
  }>(({ answer }) => [
    `The bot token was refused (${answer}).`,
    'Generate a new token in the developer portal and put it into BOT_TOKEN.',
  ]),
  /**
   * A call received no response before its deadline.
   *
   * The message states the phase that the call reached. This call is safe to repeat. The answer to one attempt may take
   * half of the deadline, but at least 15 s.
   *
   * @example
   * Error [E_TIMEOUT] GET /servers was not answered in 15 s (while waiting for the answer, 2 tries).
   * Try:  It is safe to call again, with a longer deadlineMs if needed.
   *
   * @fix
   * - Check the network and the state of the platform.
   * - Set a longer deadline for the call.
   */
  E_TIMEOUT: callError<Interruption>(({ route, phase, elapsedMs, attempts, maybeSent }) => [
    `${route} was not answered in ${seconds(elapsedMs)} (${PHASE[phase]}, ${tries(attempts)}).`,
    maybeSent
      ? 'It is safe to call again, with a longer deadlineMs if needed.'
      : 'Nothing was sent. Check the network, or pass a longer deadlineMs.',
  ]),
  /**
   * The call was canceled through its `signal`.
   *
   * The `signal` passed to the call was aborted: the command exceeded its timeout, the bot is shutting down, or your
   * own code aborted it.
   *
   * @example
   * Error [E_ABORTED] POST /channels/{channelId}/messages was aborted by its signal (while waiting for the answer).
   * Try:  The request may have taken effect.
   *
   * @fix
   * - If the cancellation was intended, you do not need to do anything.
   * - The request may already have reached the platform. The hint says so when that is possible.
   */
  E_ABORTED: callError<Interruption>(({ route, phase, maybeSent }) => [
    `${route} was aborted by its signal (${PHASE[phase]}).`,
    maybeSent ? 'The request may have taken effect.' : undefined,
  ]),
  /**
   * The outcome of a request is unknown.
   *
   * The request was sent, but the connection closed before the response arrived, or the platform responded with a
   * server error, or an HTML page, a text or a redirect came in place of its response (`details.answeredWith`): the answer of a
   * proxy or a captive portal does not show whether the request took effect. Virgule does not retry the request,
   * because a message could then appear twice.
   *
   * @example
   * Error [E_OUTCOME_UNKNOWN] POST /channels/{channelId}/messages was sent, and no answer came (while waiting for the answer): whether it took effect is unknown.
   * Try:  Check whether it took effect before you call again: a second call can do it twice.
   *
   * @fix
   * - Before you retry, check whether the request took effect, for example by reading the channel.
   * - For messages, `sendReconciled(rest, channelId, body)` of `@virgule/client/rest` does this: it remembers the
   *   newest messages of the channel, reads the channel back to them for 5 seconds, returns the message if it finds it,
   *   and sends it again only if the message is certainly missing. If the result is still uncertain,
   *   `details.reconciled` has the reason: `missing` or `unread`.
   */
  E_OUTCOME_UNKNOWN: callError<{
    readonly phase: CallPhase;
    /** Status of the answer, if there was one: after a 5xx, the request may have taken effect. */
    readonly status?: number | undefined;
    /** Kind of an answer that does not come from the platform; its status has no meaning. */
    readonly answeredWith?: 'an HTML page' | 'text instead of JSON' | 'a redirect' | undefined;
    /** True if the same call can be repeated safely. */
    readonly repeatIsHarmless: boolean;
    /** Result of reading the channel, for `sendReconciled`. */
    readonly reconciled?: ReconcileFinding | undefined;
  }>(({ route, phase, status, answeredWith, repeatIsHarmless }) => [
    status === undefined
      ? `${route} was sent, and no answer came (${PHASE[phase]}): whether it took effect is unknown.`
      : `${route} was answered ${status}${answeredWith ? ` with ${answeredWith}` : ''}: whether it took effect is unknown.`,
    repeatIsHarmless
      ? 'It is safe to call again.'
      : 'Check whether it took effect before you call again: a second call can do it twice.',
  ]),
  /**
   * The platform cannot be reached.
   *
   * The client could not open a connection before the deadline of the call, so it sent nothing. Or the connection
   * broke three times before a read was answered, or HTML pages, texts or redirects came in place of its answer, such as
   * from a proxy while the platform is down (`details.answeredWith`); then `details.phase` is not `connecting`. A bot that is
   * starting keeps trying; commands such as `virgule deploy` exit.
   *
   * @example
   * Error [E_UNREACHABLE] https://chat.example.com cannot be reached (ENOTFOUND, 31 tries); GET /users/@me was not sent.
   * Try:  Check the network, and BOT_BASE_URL (or the upload address) for a typo.
   *
   * @fix
   * - Check the network, proxies and `BOT_BASE_URL`.
   * - For a reason such as `SELF_SIGNED_CERT_IN_CHAIN`: start Node.js with `NODE_EXTRA_CA_CERTS=ca.pem` to trust a
   *   private certificate authority.
   * - For the gateway: check `BOT_GATEWAY_URL`. The upgrade was answered five times in a row by another server, such as
   *   a website with 404.
   */
  E_UNREACHABLE: callError<{
    /** Scheme, host and port that could not be reached. */
    readonly address: string;
    /** `connecting` if nothing was sent. A later phase is only possible for a read whose connection broke. */
    readonly phase: CallPhase;
    /** Reason of the failure: `ECONNREFUSED`, `ENOTFOUND`, `ECONNRESET`. */
    readonly reason: string;
    /** Kind of an answer to a read that does not come from the platform. */
    readonly answeredWith?: 'an HTML page' | 'text instead of JSON' | 'a redirect' | undefined;
  }>(({ endpoint, route, address, phase, reason, attempts, answeredWith }) => {
    const message =
      phase === 'connecting' || answeredWith
        ? `${address} cannot be reached (${reason}, ${tries(attempts)}); ${route} was not ${answeredWith ? 'answered' : 'sent'}.`
        : `The connection to ${address} broke (${reason}, ${tries(attempts)}); ${route} was not answered.`;
    if (answeredWith) return [message, NOT_THE_PLATFORM];
    if (/CERT|LEAF/.test(reason))
      return [
        message,
        'Check the certificate. To trust a private authority, start Node.js with NODE_EXTRA_CA_CERTS=ca.pem.',
      ];
    return [
      message,
      endpoint === 'gateway'
        ? 'Check BOT_GATEWAY_URL: it must lead to the gateway, such as wss://chat.example.com.'
        : 'Check the network, and BOT_BASE_URL (or the upload address) for a typo.',
    ];
  }),
  /**
   * The platform sent a response that the client cannot read.
   *
   * The response does not match the Bot Interface. The usual cause is that something other than the platform
   * responded: a proxy, a login page, another server.
   *
   * @example
   * Error [E_BAD_RESPONSE] GET /servers was answered 200 with something this client cannot read: expected a list.
   * Try:  Check that the base URL leads to the platform and not to a proxy or login page.
   * This is a bug in Virgule. Please report it with these lines:
   * VirguleError: GET /servers was answered 200 with something this client cannot read: expected a list.
   *
   * @fix
   * - Open `BOT_BASE_URL` in a browser and check what responds.
   * - If it is the platform, please report the error.
   */
  E_BAD_RESPONSE: callError<{
    readonly status: number;
    /** Name of the invalid field, `messages.0.id`; absent if no single field is invalid. */
    readonly field?: string | undefined;
    /** Expected value, or the problem. */
    readonly reason: string;
  }>(({ route, status, field, reason }) => [
    `${route} was answered ${status} with something this client cannot read: ${field ? `${field}: ` : ''}${reason}.`,
    NOT_THE_PLATFORM,
  ]),
  /**
   * A file could not be uploaded, so the message was not sent.
   *
   * The client uploads files before it sends the message that contains them. One upload failed, even after the
   * retries of the call, so the message was not sent. `cause` is the error of the failed request.
   *
   * @example
   * Error [E_UPLOAD_FAILED] cat.png (files[0]) was not uploaded (attachments.upload: E_API_REFUSED), so no message was sent.
   * Try:  It is safe to call again. The cause says what went wrong.
   *
   * @fix
   * - Call again: nothing is duplicated.
   * - Check `cause`: the platform rejected the request, the address is unreachable, or the response did not arrive
   *   in time.
   */
  E_UPLOAD_FAILED: callError<{
    /** Position of the file, counted from 0: `files[0]`. */
    readonly field: string;
    readonly fileName: string;
    /** Code of the error that prevented the upload; the error is the `cause`. */
    readonly reason: string;
    /** Field and message of the platform's refusal. */
    readonly refusal?: string | undefined;
  }>(({ endpoint, field, fileName, reason, refusal }) => [
    `${fileName} (${field}) was not uploaded (${endpoint}: ${reason}${refusal ? `, ${refusal}` : ''}), so no message was sent.`,
    'It is safe to call again. The cause says what went wrong.',
  ]),
  /**
   * A file is not downloaded.
   *
   * `fetchAttachment` and `rest.attachments.download` download files whose URL may come from a user, so they refuse
   * addresses that a user should not reach. `details.reason` is one of these:
   *
   * | reason      | meaning                                                                              |
   * | ----------- | ------------------------------------------------------------------------------------ |
   * | `host`      | neither the platform, nor a host that it named for its files, nor one of the setting |
   * | `address`   | an address of the host is not public, such as `127.0.0.1` or `10.0.0.1`              |
   * | `redirects` | more than 3 redirects                                                                |
   * | `status`    | the server did not answer with 200: the file is gone, or its access URL has expired  |
   * | `encoding`  | the file is compressed, so its size cannot be limited                                |
   * | `type`      | the content type is not one of `types`                                               |
   * | `size`      | more bytes arrived than `maxBytes`                                                   |
   *
   * @example
   * Error [E_ATTACHMENT_REFUSED] The file at http://127.0.0.1:6379/ is not downloaded: its host is neither the platform nor in the setting attachments.hosts.
   * Try:  If the bot may download from this host, add it to attachments: { hosts } in virgule.config.ts.
   *
   * Error [E_ATTACHMENT_REFUSED] The file at https://chat.example/files/cat.png is not downloaded: it is of type image/png, not text/*.
   * Try:  Reply with the types that you accept when isAttachmentRefused(error) is true, or add the type to types.
   *
   * @fix
   * - Show the user what you accept: `isAttachmentRefused(error)` recognizes the error.
   * - Add a host that you trust to `attachments: { hosts: ['cdn.example.com'] }` in `virgule.config.ts`. If it has
   *   a private address, name it with its port: `files.internal:443`. A link-local address is never allowed.
   * - Request a new URL with `rest.attachments.accessUrl` when you need the file: it expires soon.
   */
  E_ATTACHMENT_REFUSED: userError<{
    /** Part of the download that is not allowed. */
    readonly reason: 'host' | 'address' | 'redirects' | 'status' | 'encoding' | 'type' | 'size';
    /** The URL, or its host, without the query. */
    readonly url: string;
    /** Refused address, status, encoding or type, or the exceeded limit. */
    readonly seen: string;
    /** Accepted types; `undefined` if all are. */
    readonly types?: readonly string[] | undefined;
  }>(({ reason, url, seen, types = [] }) => {
    const why = {
      host: 'its host is neither the platform nor in the setting attachments.hosts',
      address: `its address ${seen} is not public`,
      redirects: `it was redirected more than ${seen} times`,
      status: `it was answered with status ${seen}`,
      encoding: `it is encoded as ${seen}`,
      type: `it is of type ${seen}, not ${types.join(' or ')}`,
      size: `it is larger than ${seen} bytes`,
    }[reason];
    const advice: Partial<Record<typeof reason, string>> = {
      host: 'If the bot may download from this host, add it to attachments: { hosts } in virgule.config.ts.',
      address:
        'If the bot may download from this private address, name the host with its port in attachments: { hosts } in virgule.config.ts; a link-local address is never allowed.',
      type: 'Reply with the types that you accept when isAttachmentRefused(error) is true, or add the type to types.',
    };
    return [`The file at ${url} is not downloaded: ${why}.`, advice[reason]];
  }),
  /**
   * A call contains a value that the platform does not accept.
   *
   * The client validates a call before it sends a request: the length of a text, the format of an id, that a
   * reaction has exactly one emoji, that a file exists and does not exceed the maximum size, that commands are a
   * list, and the options of the call. An invalid call fails immediately and sends no request. `details.field` names
   * the value, `details.seen` shows what was passed.
   *
   * @example
   * Error [E_INVALID_CALL] messages.send: content must be 1 to 2000 characters, saw 2001 characters.
   * Try:  Send a long text in several messages.
   *
   * @fix
   * - Text: 1 to 2,000 characters, counted in UTF-16 code units like `text.length`. It may be empty only if the
   *   message has files.
   * - Ids: use the ids from events or from the results of other calls. They look like
   *   `5e9b3c17-a264-4d80-b91e-07f3c8d5624a`.
   * - Emoji: `{ unicodeEmoji: '🎲' }` or `{ customEmojiId }`, never both.
   * - Files: check the path and the size. A string alone is a path; text is `{ name, data: text }`, and the file
   *   at a URL `{ name, data: await (await fetch(url)).blob() }`, or `await fetchAttachment(url)` as `data` if a user
   *   sent it. The platform reports the maximum size when the upload is created.
   */
  E_INVALID_CALL: userError<{
    /** Name of the called method, `messages.send`. */
    readonly endpoint: string;
    /** Name of the invalid value: `content`, `channelId`, `files[0]`. */
    readonly field: string;
    /** Description of valid values. */
    readonly expected: string;
    /** Invalid value, cut to a line. */
    readonly seen: string;
  }>(({ endpoint, field, expected, seen }) => [
    `${endpoint}: ${field} must be ${expected}, saw ${seen}.`,
    callHint(field, seen),
  ]),
  /**
   * A call was not sent because the queue is full.
   *
   * A call that cannot be sent immediately waits in a queue, behind a rate limit or behind other calls, until its
   * deadline. At most 10,000 calls of each class wait: `background` calls do not keep awaited ones out. Only new
   * calls are refused: a call that already met a rate limit keeps its place. Answers to interactions do not wait behind
   * other calls.
   *
   * @example
   * Error [E_OVERLOADED] 10,000 calls are already waiting; POST /channels/{channelId}/messages was not sent.
   * Try:  Make fewer calls at once. rest.limits() shows what they wait for.
   *
   * @fix
   * - Call `rest.limits()`: it returns the pauses that the platform asked for and the waiting calls.
   * - Await calls instead of starting thousands at once.
   */
  E_OVERLOADED: callError<{
    /** Class of calls whose queue is full. */
    readonly priority: 'interaction' | 'awaited' | 'background';
  }>(({ route }) => [
    `10,000 calls are already waiting; ${route} was not sent.`,
    'Make fewer calls at once. rest.limits() shows what they wait for.',
  ]),
  /**
   * A call was made on a closed client.
   *
   * The bot is stopping or has stopped.
   *
   * @example
   * Error [E_SHUTTING_DOWN] The client was closed before POST /channels/{channelId}/messages was done.
   *
   * @fix
   * - Do not use `rest` after the bot has stopped. In handlers, `signal` is aborted on shutdown.
   */
  E_SHUTTING_DOWN: callError(({ route }) => [`The client was closed before ${route} was done.`]),
  /**
   * A setting is not a valid URL.
   *
   * The REST URL and the URL of a [proxy](../guide/production.md#proxies-and-certificates) must start with `http://`
   * or `https://`, the gateway URL with `ws://` or `wss://`. Other kinds of proxies, such as SOCKS, are not
   * supported.
   *
   * @example
   * Error [E_BAD_ADDRESS] baseUrl must be an address that starts with http:// or https://, saw "chat.example.com".
   * Try:  Write it like https://chat.example.com, with its scheme.
   *
   * @fix
   * - Write the URL with its scheme and without the path of the Bot Interface.
   * - Percent-encode the user name and the password of a proxy: a `%` is written as `%25`.
   */
  E_BAD_ADDRESS: userError<{
    readonly name: AddressName;
    /** Invalid address, without query and credentials. */
    readonly seen: string;
    /** Allowed schemes, such as `http:`. */
    readonly schemes: readonly string[];
  }>(({ name, seen, schemes }) => [
    `${name} must be an address that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}, saw "${seen}".`,
    name === 'uploadUrl'
      ? 'The platform opened an upload session with it. Upload the file by other means, or report it there.'
      : name === 'proxy'
        ? 'Set HTTPS_PROXY or the option proxy to http://proxy.example.com:3128, with each % of a password as %25, or proxy to false.'
        : `Write it like ${schemes.at(-1)}//chat.example.com, with its scheme.`,
  ]),
});

/** Hints for refusals by their status. */
const ADVICE: Readonly<Record<number, string>> = {
  403: 'Check what this bot may do there, and that the token is its own.',
  404: 'Check the ids, that the bot is installed there, and the base URL.',
};

const PHASE = {
  waiting: 'while waiting to send it',
  connecting: 'while connecting',
  headers: 'while waiting for the answer',
  body: 'while reading the answer',
} as const;

function callHint(field: string, seen: string): string | undefined {
  if (field === 'content')
    return /^[1-9]\d* characters$/.test(seen)
      ? 'Send a long text in several messages.'
      : 'Pass a text, a file, or both.';
  if (field === 'emoji') return 'Write { unicodeEmoji: "🎲" } or { customEmojiId: emoji.id }.';
  if (field.endsWith('Id') || field === 'before')
    return 'Take ids from events or from what other calls return.';
  if (field.startsWith('files')) {
    if (/\bhttps?:[\\/]/.test(seen))
      return 'A URL is not a path. Pass { name, data: await (await fetch(url)).blob() }.';
    return 'Pass the path of a file, its bytes, a stream, a Blob, { name, data } or { name, path }. A string as data is text.';
  }
  return undefined;
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;

const tries = (count: number): string => (count === 1 ? '1 try' : `${count} tries`);
