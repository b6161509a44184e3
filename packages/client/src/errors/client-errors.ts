import { defineErrors, userError } from '@virgule/core/errors';

/** What every failed call carries. */
export interface CallFacts {
  /** The method that was called, `messages.send`; `gateway` for the gateway. */
  readonly endpoint: string;
  /** Method and path of the endpoint, with the names of the parameters: `GET /channels/{channelId}/messages`. */
  readonly route: string;
  /** How many requests were tried. 0 when none left this machine. */
  readonly attempts: number;
  /** Time from the call to its end, in milliseconds. */
  readonly elapsedMs: number;
  /** The platform's own name for the request, when an answer carried one. */
  readonly requestId?: string | undefined;
}

/**
 * Where a call was: `waiting` before it was sent (a rate limit, the pause before another try),
 * `connecting` or queued for a connection, then waiting for `headers`, then reading the `body`.
 */
export type CallPhase = 'waiting' | 'connecting' | 'headers' | 'body';

interface Interruption {
  readonly phase: CallPhase;
  /** Whether the request may have reached the platform and taken effect. */
  readonly maybeSent: boolean;
}

/**
 * Why reading the channel did not settle the outcome of a message: it is `missing`, and nothing proves
 * that it will not still appear; one like it is there that may be another call's (`ambiguous`); or
 * the channel could not be read (`unread`).
 */
export type ReconcileFinding = 'missing' | 'ambiguous' | 'unread';

/** Which address was given. */
export type AddressName = 'baseUrl' | 'gatewayUrl' | 'uploadUrl' | 'proxy';

const NOT_THE_PLATFORM =
  'Check that the base URL leads to the platform and not to a proxy or login page.';

/** Defines an error that carries the facts of its call. */
function callError<More extends object = object>(
  texts: Parameters<typeof userError<CallFacts & More>>[0],
) {
  return userError<CallFacts & More>(texts);
}

/** Every error of this package, one factory function for each code. */
export const clientErrors = defineErrors({
  E_API_REFUSED: callError<{
    readonly status: number;
    /** `code` of the error body (Bot Interface, "Errors"); empty when the body had none. */
    readonly apiCode: string;
    /** `message` of the error body; empty when the body had none. */
    readonly apiMessage: string;
    /** The offending field of a `bot_validation_error`. */
    readonly field?: string | undefined;
  }>({
    message: ({ route, status, apiCode, field, apiMessage }) =>
      [
        `${route} was refused with ${status}`,
        apiCode && ` ${apiCode}`,
        field && ` (field ${field})`,
        apiMessage && `: ${apiMessage}`,
      ]
        .filter(Boolean)
        .join(''),
    hint: ({ endpoint, status, field }) => {
      if (field) return `Fix ${field} and call again.`;
      if (status === 403) {
        if (endpoint.startsWith('commands.'))
          return 'Check that the token is the one of this bot, and that it may manage commands.';
        return 'Check what the bot is permitted to do in this channel.';
      }
      if (status === 404) {
        return 'Check the ids, that the bot is installed there, and the base URL.';
      }
      return undefined;
    },
  }),
  E_RATE_LIMITED: callError<{
    /** How long the platform wants this route to be left alone, in milliseconds. */
    readonly retryAfterMs: number;
    /** Whether an earlier try of the call may have taken effect. */
    readonly maybeSent: boolean;
  }>({
    message: ({ route, retryAfterMs }) =>
      `${route} is rate limited for another ${seconds(retryAfterMs)}, longer than the call may take.`,
    hint: ({ retryAfterMs }) =>
      `Call again in ${seconds(retryAfterMs)}, or pass a longer deadlineMs.`,
  }),
  E_UNAUTHORIZED: callError<{
    /** What refused the token: "GET /users/@me answered 401", "the gateway closed with code 4004". */
    readonly answer: string;
  }>({
    // Of two calls to one route, the other one may have been refused before this one was sent.
    message: ({ answer, attempts, route }) =>
      attempts === 0 && !answer.startsWith(route)
        ? `The bot token was refused (${answer}); ${route} was not sent.`
        : `The bot token was refused (${answer}).`,
    hint: 'Generate a new token in the developer portal and put it into BOT_TOKEN.',
  }),
  E_TIMEOUT: callError<Interruption>({
    message: ({ route, phase, elapsedMs, attempts }) =>
      `${route} was not answered in ${seconds(elapsedMs)} (${PHASE[phase]}, ${tries(attempts)}).`,
    hint: ({ maybeSent, route }) => {
      if (!maybeSent) return 'Nothing was sent. Check the network, or pass a longer deadlineMs.';
      const isRead = route.startsWith('GET ');
      const again = 'It is safe to call again, with a longer deadlineMs if needed.';
      return isRead ? again : `The request may have taken effect. ${again}`;
    },
  }),
  E_ABORTED: callError<Interruption>({
    message: ({ route, phase }) => `${route} was aborted by its signal (${PHASE[phase]}).`,
    hint: ({ maybeSent }) => (maybeSent ? 'The request may have taken effect.' : undefined),
  }),
  E_OUTCOME_UNKNOWN: callError<{
    readonly phase: CallPhase;
    /** Status of the answer, when there was one: a 5xx does not say whether the request took effect. */
    readonly status?: number | undefined;
    /** Whether the answer is an HTML page, which the platform does not send: its status says nothing. */
    readonly isPage?: true | undefined;
    /** Whether it is safe to make the same call again. */
    readonly repeatIsHarmless: boolean;
    /** What reading the channel showed, for `sendReconciled`. */
    readonly reconciled?: ReconcileFinding | undefined;
  }>({
    message: ({ route, phase, status, isPage }) =>
      status === undefined
        ? `${route} was sent, and no answer came (${PHASE[phase]}): whether it took effect is unknown.`
        : `${route} was answered ${status}${isPage ? ' with an HTML page' : ''}: whether it took effect is unknown.`,
    hint: ({ repeatIsHarmless }) =>
      repeatIsHarmless
        ? 'It is safe to call again.'
        : 'Check whether it took effect before you call again: a second call can do it twice.',
  }),
  E_UNREACHABLE: callError<{
    /** Scheme, host and port that could not be reached. */
    readonly address: string;
    /** `connecting`: nothing was sent. Only a read gets further: its connection broke before the answer had come. */
    readonly phase: CallPhase;
    /** What prevented it: `ECONNREFUSED`, `ENOTFOUND`, `ECONNRESET`. */
    readonly reason: string;
    /** Whether a read was answered with an HTML page, which the platform does not send. */
    readonly isPage?: true | undefined;
  }>({
    message: ({ route, address, phase, reason, attempts, isPage }) =>
      phase === 'connecting' || isPage
        ? `${address} cannot be reached (${reason}, ${tries(attempts)}); ${route} was not ${isPage ? 'answered' : 'sent'}.`
        : `The connection to ${address} broke (${reason}, ${tries(attempts)}); ${route} was not answered.`,
    hint: ({ endpoint, reason, isPage }) => {
      if (isPage) return NOT_THE_PLATFORM;
      if (/CERT|LEAF/.test(reason))
        return 'Check the certificate. To trust a private authority, start Node.js with NODE_EXTRA_CA_CERTS=ca.pem.';
      return endpoint === 'gateway'
        ? 'Check BOT_GATEWAY_URL: it must lead to the gateway, such as wss://chat.example.com.'
        : 'Check the network, and BOT_BASE_URL (or the upload address) for a typing error.';
    },
  }),
  E_BAD_RESPONSE: callError<{
    readonly status: number;
    /** The field that does not fit, `messages.0.id`; absent when it is not about one. */
    readonly field?: string | undefined;
    /** What was expected, or what is wrong. */
    readonly reason: string;
  }>({
    message: ({ route, status, field, reason }) =>
      `${route} was answered ${status} with something this client cannot read: ${field ? `${field}: ` : ''}${reason}.`,
    hint: NOT_THE_PLATFORM,
  }),
  E_UPLOAD_FAILED: callError<{
    /** Which file, counted from 0: `files[0]`. */
    readonly field: string;
    readonly fileName: string;
    /** The code of what prevented it; that error is the `cause`. */
    readonly reason: string;
    /** What the platform refused it with: the field and the message of its response. */
    readonly refusal?: string | undefined;
  }>({
    message: ({ endpoint, field, fileName, reason, refusal }) =>
      `${fileName} (${field}) was not uploaded (${endpoint}: ${reason}${refusal ? `, ${refusal}` : ''}), so no message was sent.`,
    hint: 'It is safe to call again. The cause says what went wrong.',
  }),
  E_ATTACHMENT_REFUSED: userError<{
    /** What is wrong: its host, the address of that, its redirects, or the answer. */
    readonly reason: 'host' | 'address' | 'redirects' | 'status' | 'encoding' | 'type' | 'size';
    /** The URL, or its host, without the query. */
    readonly url: string;
    /** The address, the status, the encoding, the type, or the limit that does not fit. */
    readonly seen: string;
  }>({
    message: ({ reason, url, seen }) => {
      const why = {
        host: 'it is no URL of the platform, nor of a host of the setting attachments.hosts',
        address: `its address ${seen} is not public`,
        redirects: `it was redirected more than ${seen} times`,
        status: `it was answered with status ${seen}`,
        encoding: `it is encoded as ${seen}`,
        type: `it is of type ${seen}`,
        size: `it is larger than ${seen} bytes`,
      }[reason];
      return `The file at ${url} is not downloaded: ${why}.`;
    },
    hint: ({ reason }) => {
      if (reason === 'host')
        return 'If the bot may download from this host, add it to attachments: { hosts } in virgule.config.ts.';
      if (reason === 'address') return 'Only the base URL may have a private address.';
      return undefined;
    },
  }),
  E_INVALID_CALL: userError<{
    /** The method that was called, `messages.send`. */
    readonly endpoint: string;
    /** What is wrong with it: `content`, `channelId`, `files[0]`. */
    readonly field: string;
    /** What would do. */
    readonly expected: string;
    /** What was given instead, cut to a line. */
    readonly seen: string;
  }>({
    message: ({ endpoint, field, expected, seen }) =>
      `${endpoint}: ${field} must be ${expected}, saw ${seen}.`,
    hint: ({ field, seen }) => callHint(field, seen),
  }),
  E_OVERLOADED: callError<{
    /** The class of calls that is full. */
    readonly priority: 'interaction' | 'awaited' | 'background';
  }>({
    message: ({ route }) => `10,000 calls wait already; ${route} was not sent.`,
    hint: 'Make fewer calls at once. rest.limits() shows what they wait for.',
  }),
  E_SHUTTING_DOWN: callError({
    message: ({ route, attempts }) =>
      attempts === 0
        ? `The client is closed; ${route} was not sent.`
        : `The client was closed before ${route} was done.`,
  }),
  E_BAD_ADDRESS: userError<{
    readonly name: AddressName;
    /** What was given, without query and credentials. */
    readonly seen: string;
    /** The schemes that would do, `http:`. */
    readonly schemes: readonly string[];
    /** True when a % in the user name or the password of a proxy encodes nothing. */
    readonly isNotEncoded?: true | undefined;
  }>({
    message: ({ name, seen, schemes, isNotEncoded }) =>
      isNotEncoded
        ? `The user name or the password of ${name} is not percent-encoded, saw "${seen}".`
        : `${name} must be an address that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}, saw "${seen}".`,
    hint: ({ name, schemes, isNotEncoded }) => {
      if (isNotEncoded) return 'Write each % in them as %25.';
      if (name === 'uploadUrl') {
        return 'The platform opened an upload session with it. Upload the file by other means, or report it there.';
      }
      return name === 'proxy'
        ? 'Set HTTPS_PROXY or the option proxy to http://proxy.example.com:3128, or set proxy to false.'
        : `Write it like ${schemes.at(-1)}//chat.example.com, with its scheme.`;
    },
  }),
});

const PHASE = {
  waiting: 'while waiting to send it',
  connecting: 'while connecting',
  headers: 'while waiting for the answer',
  body: 'while reading the answer',
} as const;

function callHint(field: string, seen: string): string | undefined {
  if (field === 'content') {
    return /^[1-9]\d* characters$/.test(seen)
      ? 'Send a long text in several messages.'
      : 'Pass a text, a file, or both.';
  }
  if (field === 'emoji') return 'Write { unicodeEmoji: "🎲" } or { customEmojiId: emoji.id }.';
  if (field.endsWith('Id') || field === 'before') {
    return 'Take ids from events or from what other calls return.';
  }
  if (field.startsWith('files')) {
    if (/\bhttps?:[\\/]/.test(seen))
      return 'A URL is no path. Pass { name, data: await (await fetch(url)).blob() }.';
    return 'Pass the path of a file, its bytes, a stream, a Blob, { name, data } or { name, path }. A string as data is text.';
  }
  return undefined;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}

function tries(count: number): string {
  return count === 1 ? '1 try' : `${count} tries`;
}
