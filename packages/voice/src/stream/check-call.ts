import { describeSeen, isObject } from '@virgule/core/objects';
import { voiceErrors } from '../errors/voice-errors.js';
import { TRANSPORT_NAMES } from '../transport/transport.js';

const isOptional =
  (isValid: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || isValid(value);
const isOneOf = (values: readonly unknown[]) => isOptional((value) => values.includes(value));

/** Values that the functions of this package take: the expected value, and its check. */
const VALUES = {
  channelId: [
    'the id of a voice channel, such as channel.id',
    (value) => typeof value === 'string' && value !== '',
  ],
  options: ['an object', isObject],
  // An AbortController has no listeners.
  signal: [
    'an AbortSignal',
    isOptional((value) => isObject(value) && 'addEventListener' in value && 'aborted' in value),
  ],
  volume: ['a number', isOptional((value) => typeof value === 'number')],
  ifBusy: ["'replace' or 'reject'", isOneOf(['replace', 'reject'])],
  transport: [TRANSPORT_NAMES.map((name) => `'${name}'`).join(' or '), isOneOf(TRANSPORT_NAMES)],
  input: ['a path or a URL', (value) => typeof value === 'string' || value instanceof URL],
} satisfies Record<string, [expected: string, isValid: (value: unknown) => boolean]>;

/** Checks values of a call by their names, for callers without types. @throws VirguleError `E_VOICE_CALL`. */
export function checkCall(
  call: string,
  values: Readonly<Partial<Record<keyof typeof VALUES, unknown>>>,
): void {
  for (const [field, value] of Object.entries(values)) {
    const [expected, isValid] = VALUES[field as keyof typeof VALUES];
    if (isValid(value)) continue;
    const seen = describeSeen(value);
    throw voiceErrors.E_VOICE_CALL({ kind: 'arguments', call, field, expected, seen });
  }
}
