// The faults of the simulator: `/_sim/faults`. Not part of the Bot Interface.
import * as z from 'zod';
import { ENDPOINTS } from '../protocol/endpoints.js';
import { EVENTS, OPS } from '../protocol/gateway.js';

/** Returns whether a socket can be closed with a code: one that is reserved, such as 1005 and 1006, is never sent. */
export const isSendableCode = (code: number): boolean =>
  (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) ||
  (code >= 3000 && code <= 4999);

const milliseconds = z.number().min(0).max(3_600_000);

const effectSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('status'),
    status: z.int().min(200).max(599),
    /** Value of `Retry-After`: seconds, or any text. */
    retryAfter: z
      .union([z.number(), z.string().regex(/^[\t -~\u0080-\u00FF]*$/, 'must be a header value')])
      .optional(),
    /** @defaultValue that of the platform for the status */
    code: z.string().optional(),
    /** @defaultValue `json`, the error body of the platform */
    body: z.enum(['json', 'html', 'empty']).optional(),
    /** Whether the request is carried out first. @defaultValue `false` */
    after: z.boolean().optional(),
  }),
  // A real rate limit: at most so many requests in each window, each channel by itself with `per: 'channel'`.
  z.strictObject({
    type: z.literal('limit'),
    limit: z.int().min(1),
    perMs: milliseconds.min(1),
    /** @defaultValue `bot` */
    per: z.enum(['bot', 'channel']).optional(),
  }),
  // The interaction in the path expires before the request is carried out.
  z.strictObject({ type: z.literal('expire') }),
  // Nothing is ever answered.
  z.strictObject({ type: z.literal('hang') }),
  // The connection breaks: before the request is carried out, after it, or in the middle of the response.
  z.strictObject({
    type: z.literal('cut'),
    when: z.enum(['before', 'after', 'within']).optional(),
  }),
  z.strictObject({
    type: z.literal('delay'),
    ms: milliseconds,
    jitterMs: milliseconds.optional(),
  }),
  // These fields are missing, of the response or of `d`.
  z.strictObject({ type: z.literal('omit'), fields: z.array(z.string()).readonly() }),
  z.strictObject({ type: z.literal('lose') }),
  z.strictObject({ type: z.literal('duplicate') }),
  // It comes after the next frame, or a second later.
  z.strictObject({ type: z.literal('reorder') }),
  z.strictObject({ type: z.literal('malformed') }),
  z.strictObject({
    type: z.literal('close'),
    code: z.int().refine(isSendableCode, 'must be a WebSocket close code that can be sent'),
  }),
  // Nothing is sent or received on this connection any more, and nothing closes it.
  z.strictObject({ type: z.literal('silence') }),
]);
/** What a fault does. */
export type SimFaultEffect = Readonly<z.infer<typeof effectSchema>>;

type Surface = 'request' | 'frame' | 'connect';

/** Where each effect is possible. */
const SURFACES: Readonly<Record<SimFaultEffect['type'], readonly Surface[]>> = {
  status: ['request', 'connect'],
  limit: ['request'],
  expire: ['request'],
  hang: ['request'],
  cut: ['request', 'connect'],
  delay: ['request', 'frame'],
  omit: ['request', 'frame'],
  lose: ['frame'],
  duplicate: ['frame'],
  reorder: ['frame'],
  malformed: ['frame'],
  close: ['frame'],
  silence: ['frame'],
};

/** Every name that `on.request` takes. */
const REQUESTS: ReadonlySet<string> = new Set([
  '*',
  'upload',
  ...Object.values(ENDPOINTS).flatMap(({ name, number }) => [name, String(number)]),
]);

/** Every name that `on.frame` takes. */
const FRAMES: ReadonlySet<string> = new Set(['*', 'READY', ...OPS, ...Object.keys(EVENTS)]);

const oneOf = (names: ReadonlySet<string>) => (value: string | number) => names.has(String(value));

/**
 * What a rule applies to: requests by name or number of their endpoint, `upload`, or `*`; frames by event or operation, or
 * `*`; new gateway connections.
 */
const onSchema = z.union([
  z.strictObject({
    request: z
      .union([z.string(), z.number()])
      .refine(oneOf(REQUESTS), 'must be the name or number of an endpoint, "upload" or "*"'),
  }),
  z.strictObject({
    frame: z.string().refine(oneOf(FRAMES), `must be one of ${[...FRAMES].join(', ')}`),
  }),
  z.strictObject({ connect: z.literal(true) }),
]);

const surfaceOf = (on: z.infer<typeof onSchema>): Surface =>
  'request' in on ? 'request' : 'frame' in on ? 'frame' : 'connect';

const ruleSchema = z
  .strictObject({
    name: z.string().min(1).max(100),
    on: onSchema,
    /** Username of the bot that it applies to; not for new connections, which have no bot yet. @defaultValue all bots */
    bot: z.string().min(1).max(32).optional(),
    do: effectSchema,
    /** How many of those that it applies to pass first. @defaultValue 0 */
    skip: z.int().min(0).optional(),
    /** How often it takes effect. @defaultValue without an end */
    times: z.int().min(1).optional(),
    /** From 0 to 1, decided by the seed. @defaultValue 1 */
    probability: z.number().min(0).max(1).optional(),
    /** How long it applies, in milliseconds from when it is set. @defaultValue without an end */
    forMs: milliseconds.optional(),
  })
  .refine(({ on, do: effect }) => SURFACES[effect.type].includes(surfaceOf(on)), {
    path: ['do', 'type'],
    message: 'is not possible for what "on" names',
  })
  .refine(({ on, bot }) => bot === undefined || !('connect' in on), {
    path: ['bot'],
    message: 'is not known when a connection begins',
  });
/** A rule by which the simulator misbehaves. The first rule that applies decides. */
export type SimFaultRule = Readonly<z.infer<typeof ruleSchema>>;

/** The file of faults, and what the action `faults` takes as rules. */
export const faultsSchema = z.strictObject({
  /** The same seed decides the same. @defaultValue '1' */
  seed: z.string().max(100).optional(),
  rules: z.array(ruleSchema).max(100).readonly(),
});
/** Faults as a file and the control API have them. */
export type SimFaults = Readonly<z.infer<typeof faultsSchema>>;

/** Rules under a name, and what a good bot does about them. */
export interface SimFaultPreset extends SimFaults {
  readonly name: string;
  /** What the platform does, in a sentence. */
  readonly does: string;
  /** What the bot should do then, in a sentence. */
  readonly expected: string;
  /** How many commands may expire by it. @defaultValue none */
  readonly mayExpire?: number | undefined;
  /** Whether it takes the connection away: what happens until the bot is back is lost, on the real platform too. */
  readonly disconnects?: boolean | undefined;
}

/** Result of the action `faults`. */
export interface SimFaultState {
  readonly seed: string;
  /** With how often each took effect. */
  readonly rules: readonly (SimFaultRule & { readonly hits: number })[];
  readonly presets: readonly SimFaultPreset[];
}
