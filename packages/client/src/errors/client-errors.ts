import { defineErrors, userError } from '@virgule/core/errors';
import type {
  ApiRefusedDetails,
  BadAddressDetails,
  BadResponseDetails,
  CallFacts,
  InterruptedDetails,
  InvalidCallDetails,
  OutcomeUnknownDetails,
  OverloadedDetails,
  RateLimitedDetails,
  UnauthorizedDetails,
  UnreachableDetails,
  UploadFailedDetails,
} from './error-details.js';

/** Every error of this package, one factory function for each code. */
export const clientErrors = defineErrors({
  E_API_REFUSED: userError<ApiRefusedDetails>({
    message: ({ route, status, apiCode, field, apiMessage }) =>
      [
        `${route} was refused with ${status}`,
        apiCode && ` ${apiCode}`,
        field && ` (field ${field})`,
        apiMessage && `: ${apiMessage}`,
      ]
        .filter(Boolean)
        .join(''),
    hint: ({ status, field }) => {
      if (field) return `Fix ${field} and call again.`;
      if (status === 403) return 'Check what the bot is permitted to do in this channel.';
      if (status === 404) {
        return 'Check the ids, that the bot is installed there, and the base URL.';
      }
      return undefined;
    },
  }),
  E_RATE_LIMITED: userError<RateLimitedDetails>({
    message: ({ route, retryAfterMs }) =>
      `${route} is rate limited for another ${seconds(retryAfterMs)}, longer than the call may take.`,
    hint: ({ retryAfterMs }) =>
      `Call again in ${seconds(retryAfterMs)}, or pass a longer deadlineMs.`,
  }),
  E_UNAUTHORIZED: userError<UnauthorizedDetails>({
    message: ({ answer, attempts, route }) =>
      attempts === 0
        ? `The bot token was refused (${answer}); ${route} was not sent.`
        : `The bot token was refused (${answer}).`,
    hint: () => 'Generate a new token in the developer portal and put it into BOT_TOKEN.',
  }),
  E_TIMEOUT: userError<InterruptedDetails>({
    message: ({ route, phase, elapsedMs, attempts }) =>
      `${route} was not answered in ${seconds(elapsedMs)} (${PHASE[phase]}, ${tries(attempts)}).`,
    hint: ({ maybeSent, route }) => {
      if (!maybeSent) return 'Nothing was sent. Check the network, or pass a longer deadlineMs.';
      const isRead = route.startsWith('GET ');
      const again = 'It is safe to call again, with a longer deadlineMs if needed.';
      return isRead ? again : `The request may have taken effect. ${again}`;
    },
  }),
  E_ABORTED: userError<InterruptedDetails>({
    message: ({ route, phase }) => `${route} was aborted by its signal (${PHASE[phase]}).`,
    hint: ({ maybeSent }) => (maybeSent ? 'The request may have taken effect.' : undefined),
  }),
  E_OUTCOME_UNKNOWN: userError<OutcomeUnknownDetails>({
    message: ({ route, phase, status }) =>
      status === undefined
        ? `${route} was sent, and no answer came (${PHASE[phase]}): whether it took effect is unknown.`
        : `${route} was answered ${status}: whether it took effect is unknown.`,
    hint: ({ repeatIsHarmless }) =>
      repeatIsHarmless
        ? 'It is safe to call again.'
        : 'Check whether it took effect before you call again: a second call can do it twice.',
  }),
  E_UNREACHABLE: userError<UnreachableDetails>({
    message: ({ route, address, phase, reason, attempts }) =>
      phase === 'connecting'
        ? `${address} cannot be reached (${reason}, ${tries(attempts)}); ${route} was not sent.`
        : `The connection to ${address} broke (${reason}, ${tries(attempts)}); ${route} was not answered.`,
    hint: ({ endpoint }) =>
      endpoint === 'gateway'
        ? 'Check BOT_GATEWAY_URL: it must lead to the gateway, and ends before /gateway/bot.'
        : 'Check the network, and BOT_BASE_URL (or the upload address) for a typing error.',
  }),
  E_BAD_RESPONSE: userError<BadResponseDetails>({
    message: ({ route, status, field, reason }) =>
      `${route} was answered ${status} with something this client cannot read: ${field ? `${field}: ` : ''}${reason}.`,
    hint: () => 'Check that the base URL leads to the platform and not to a proxy or login page.',
  }),
  E_UPLOAD_FAILED: userError<UploadFailedDetails>({
    message: ({ endpoint, field, fileName, reason }) =>
      `${fileName} (${field}) was not uploaded (${endpoint}: ${reason}), so no message was sent.`,
    hint: () => 'It is safe to call again. The cause says what went wrong.',
  }),
  E_INVALID_CALL: userError<InvalidCallDetails>({
    message: ({ endpoint, field, expected, seen }) =>
      `${endpoint}: ${field} must be ${expected}, saw ${seen}.`,
    hint: ({ field }) => callHint(field),
  }),
  E_OVERLOADED: userError<OverloadedDetails>({
    message: ({ route, reason, attempts }) =>
      `${OVERLOAD[reason]}; ${route} was ${attempts === 0 ? 'not sent' : 'not sent again'}.`,
    hint: ({ reason }) =>
      reason === 'too-many-refusals'
        ? 'Look at what is refused (401, 403, 404, 429) and stop asking for it: platforms block bots that continue.'
        : 'Make fewer calls at once. rest.limits() shows what they wait for.',
  }),
  E_SHUTTING_DOWN: userError<CallFacts>({
    message: ({ route, attempts }) =>
      attempts === 0
        ? `The client is closed; ${route} was not sent.`
        : `The client was closed before ${route} was done.`,
  }),
  E_BAD_ADDRESS: userError<BadAddressDetails>({
    message: ({ name, seen, schemes }) =>
      `${name} must be an address that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}, saw "${seen}".`,
    hint: ({ name, schemes }) => {
      if (name === 'uploadUrl') {
        return 'The platform opened an upload session with it. Upload the file by other means, or report it there.';
      }
      return name === 'proxy'
        ? 'Set HTTPS_PROXY or the option proxy to http://proxy.example.com:3128, or set proxy to false.'
        : `Write it like ${schemes.at(-1)}//chat.example.com, with its scheme.`;
    },
  }),
});

const OVERLOAD = {
  'queue-full': '10,000 calls wait already',
  'too-many-refusals':
    'The platform refused too many requests in the last ten minutes, and background calls stop first',
} as const;

const PHASE = {
  waiting: 'while waiting to send it',
  connecting: 'while connecting',
  headers: 'while waiting for the answer',
  body: 'while reading the answer',
} as const;

function callHint(field: string): string | undefined {
  if (field === 'content') return 'Send a long text in several messages.';
  if (field === 'emoji') return 'Write { unicodeEmoji: "🎲" } or { customEmojiId: emoji.id }.';
  if (field.endsWith('Id') || field === 'before') {
    return 'Take ids from events or from what other calls return.';
  }
  if (field.startsWith('files')) {
    return 'Pass the path of a file, its bytes, a stream, a Blob, or { name, data }.';
  }
  return undefined;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}

function tries(count: number): string {
  return count === 1 ? '1 try' : `${count} tries`;
}
