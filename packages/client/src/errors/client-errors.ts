import { defineErrors } from '@virgule/core/errors';
import type {
  ApiRefusedDetails,
  BadAddressDetails,
  BadResponseDetails,
  CallFacts,
  InterruptedDetails,
  OutcomeUnknownDetails,
  RateLimitedDetails,
  UnauthorizedDetails,
  UnreachableDetails,
} from './error-details.js';

/** Every error of this package, one factory function for each code. */
export const clientErrors = defineErrors({
  E_API_REFUSED: {
    kind: 'user',
    message: ({ route, status, apiCode, field, apiMessage }: ApiRefusedDetails) =>
      [
        `${route} was refused with ${status}`,
        apiCode && ` ${apiCode}`,
        field && ` (field ${field})`,
        apiMessage && `: ${apiMessage}`,
      ]
        .filter(Boolean)
        .join(''),
    hint: ({ status, field }: ApiRefusedDetails) => {
      if (field) return `Mend ${field} and call again.`;
      if (status === 403) return 'Check what the bot is permitted to do in this channel.';
      if (status === 404) {
        return 'Check the ids, that the bot is installed there, and the base URL.';
      }
      return undefined;
    },
  },
  E_RATE_LIMITED: {
    kind: 'user',
    message: ({ route, retryAfterMs }: RateLimitedDetails) =>
      `${route} is rate limited for another ${seconds(retryAfterMs)}, longer than the call may take.`,
    hint: ({ retryAfterMs }: RateLimitedDetails) =>
      `Call again in ${seconds(retryAfterMs)}, or give the call a longer deadlineMs.`,
  },
  E_UNAUTHORIZED: {
    kind: 'user',
    message: ({ answer, attempts, route }: UnauthorizedDetails) =>
      attempts === 0
        ? `The bot token was refused (${answer}); ${route} was not sent.`
        : `The bot token was refused (${answer}).`,
    hint: () => 'Generate a new token in the developer portal and put it into BOT_TOKEN.',
  },
  E_TIMEOUT: {
    kind: 'user',
    message: ({ route, phase, elapsedMs, attempts }: InterruptedDetails) =>
      `${route} was not answered in ${seconds(elapsedMs)} (${PHASE[phase]}, ${tries(attempts)}).`,
    hint: ({ maybeSent }: InterruptedDetails) =>
      maybeSent
        ? 'The request may have taken effect. Calling again does no harm; a longer deadlineMs gives it more time.'
        : 'Nothing was sent. Check the network, or give the call a longer deadlineMs.',
  },
  E_ABORTED: {
    kind: 'user',
    message: ({ route, phase }: InterruptedDetails) =>
      `${route} was aborted by its signal (${PHASE[phase]}).`,
    hint: ({ maybeSent }: InterruptedDetails) =>
      maybeSent ? 'The request may have taken effect.' : undefined,
  },
  E_OUTCOME_UNKNOWN: {
    kind: 'user',
    message: ({ route, phase, status }: OutcomeUnknownDetails) =>
      status === undefined
        ? `${route} was sent, and no answer came (${PHASE[phase]}): whether it took effect is unknown.`
        : `${route} was answered ${status}: whether it took effect is unknown.`,
    hint: ({ repeatIsHarmless }: OutcomeUnknownDetails) =>
      repeatIsHarmless
        ? 'Calling again does no harm.'
        : 'Look whether it took effect before you call again: a second call can do it twice.',
  },
  E_UNREACHABLE: {
    kind: 'user',
    message: ({ route, address, reason, attempts }: UnreachableDetails) =>
      `${address} cannot be reached (${reason}, ${tries(attempts)}); ${route} was not sent.`,
    hint: () => 'Check the network, and BOT_BASE_URL (or the upload address) for a typing error.',
  },
  E_BAD_RESPONSE: {
    kind: 'user',
    message: ({ route, status, field, reason }: BadResponseDetails) =>
      `${route} was answered ${status} with something this client cannot read: ${field ? `${field}: ` : ''}${reason}.`,
    hint: () => 'Check that the base URL leads to the platform and not to a proxy or login page.',
  },
  E_SHUTTING_DOWN: {
    kind: 'user',
    message: ({ route, attempts }: CallFacts) =>
      attempts === 0
        ? `The client is closed; ${route} was not sent.`
        : `The client was closed before ${route} was done.`,
  },
  E_BAD_ADDRESS: {
    kind: 'user',
    message: ({ name, seen, schemes }: BadAddressDetails) =>
      `${name} must be an address that starts with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}, saw "${seen}".`,
    hint: ({ schemes }: BadAddressDetails) => `Write it like ${schemes.at(-1)}//chat.example.com`,
  },
});

const PHASE = {
  waiting: 'while waiting to send it',
  connecting: 'while connecting',
  headers: 'while waiting for the answer',
  body: 'while reading the answer',
} as const;

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
}

function tries(count: number): string {
  return count === 1 ? '1 try' : `${count} tries`;
}
