import { describeSeen, isObject } from '@virgule/core/objects';
import { voiceErrors } from '../errors/voice-errors.js';
import { TRANSPORT_NAMES, type TransportName } from '../transport/transport.js';
import type { StreamOptions } from './voice.js';

/** Checks one value of a call, for callers without types. @throws VirguleError `E_VOICE_CALL`. */
export function checkValue(
  isValid: boolean,
  details: {
    readonly call: string;
    readonly field: string;
    readonly expected: string;
    readonly value: unknown;
  },
): void {
  const { value, ...rest } = details;
  if (!isValid)
    throw voiceErrors.E_VOICE_CALL({ kind: 'arguments', ...rest, seen: describeSeen(value) });
}

/** @throws VirguleError `E_VOICE_CALL`. */
export function checkChannel(call: string, channelId: unknown): void {
  const expected = 'the id of a voice channel, such as channel.id';
  const isValid = typeof channelId === 'string' && channelId !== '';
  checkValue(isValid, { call, field: 'channelId', expected, value: channelId });
}

/** @throws VirguleError `E_VOICE_CALL`. */
export function checkOptions(call: string, options: unknown): void {
  checkValue(isObject(options), { call, field: 'options', expected: 'an object', value: options });
}

/** @throws VirguleError `E_VOICE_CALL` if it has no listeners, such as an AbortController. */
export function checkSignal(call: string, signal: unknown): void {
  const isValid =
    signal === undefined ||
    (isObject(signal) && 'addEventListener' in signal && 'aborted' in signal);
  checkValue(isValid, { call, field: 'signal', expected: 'an AbortSignal', value: signal });
}

/** @throws VirguleError `E_VOICE_CALL`. */
export function checkStreamCall(channelId: unknown, options: StreamOptions): void {
  const call = 'voice.stream';
  checkChannel(call, channelId);
  checkOptions(call, options);
  const { signal, volume, ifBusy } = options;
  checkSignal(call, signal);
  const isNumber = volume === undefined || typeof volume === 'number';
  checkValue(isNumber, { call, field: 'volume', expected: 'a number', value: volume });
  const isKnown = ifBusy === undefined || ['replace', 'reject'].includes(ifBusy);
  const expected = "'replace' or 'reject'";
  checkValue(isKnown, { call, field: 'ifBusy', expected, value: ifBusy });
}

/** @throws VirguleError `E_VOICE_CALL`. */
export function checkTransport(call: string, transport: TransportName | undefined): void {
  const isKnown = transport === undefined || TRANSPORT_NAMES.includes(transport);
  const expected = TRANSPORT_NAMES.map((name) => `'${name}'`).join(' or ');
  checkValue(isKnown, { call, field: 'transport', expected, value: transport });
}
