import type { CallOptions, Rest } from '@virgule/client/rest';
import { CHANNEL } from '../test-rest.js';
import { normal, type Act } from './platform.js';

/** One of many channels. */
export const channel = (number: number): string =>
  `5e9b3c17-a264-4d80-b91e-${String(number).padStart(12, '0')}`;

/** The effect of `send`. */
export const sent = (content: string, to = CHANNEL): string => `send ${to} ${content}`;

/** Sends a message. */
export const send =
  (content: string, to = CHANNEL, options: CallOptions = {}) =>
  (rest: Rest): Promise<unknown> =>
    rest.messages.send(to, { content }, options);

/** Only reads. */
export const me = (rest: Rest): Promise<unknown> => rest.users.me();

/** The first requests go through these, all others through `normal`. */
export const inTurn =
  (...acts: readonly Act[]) =>
  (_request: unknown, index: number): Act =>
    acts[index] ?? normal;
