// The faults of the simulator: `/_sim/faults`. Not part of the Bot Interface.
import * as z from 'zod';
import { ENDPOINTS } from '../protocol/endpoints.js';
import { EVENTS, OPS } from '../protocol/gateway.js';

/** Returns whether a socket can be closed with a code; reserved codes, such as 1005 and 1006, are never sent. */
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
    /** @defaultValue the code that the platform uses for the status */
    code: z.string().optional(),
    /** @defaultValue `json`, the error body of the platform */
    body: z.enum(['json', 'html', 'empty']).optional(),
    /** Carries out the request before the response. @defaultValue `false` */
    after: z.boolean().optional(),
  }),
  // A real rate limit: at most `limit` requests in each window; each channel has its own limit with `per: 'channel'`.
  z.strictObject({
    type: z.literal('limit'),
    limit: z.int().min(1),
    perMs: milliseconds.min(1),
    /** @defaultValue `bot` */
    per: z.enum(['bot', 'channel']).optional(),
  }),
  // The interaction in the path expires before the request is carried out.
  z.strictObject({ type: z.literal('expire') }),
  // No response is ever sent.
  z.strictObject({ type: z.literal('hang') }),
  // The connection breaks: before the request is carried out, after it, or in the middle of the response.
  z.strictObject({
    type: z.literal('cut'),
    when: z.enum(['before', 'after', 'within']).optional(),
  }),
  z.strictObject({ type: z.literal('delay'), ms: milliseconds, jitterMs: milliseconds.optional() }),
  // These fields are missing in the response or in `d`.
  z.strictObject({ type: z.literal('omit'), fields: z.array(z.string()).readonly() }),
  z.strictObject({ type: z.literal('lose') }),
  z.strictObject({ type: z.literal('duplicate') }),
  // The frame is sent after the next frame, or a second later.
  z.strictObject({ type: z.literal('reorder') }),
  z.strictObject({ type: z.literal('malformed') }),
  z.strictObject({
    type: z.literal('close'),
    code: z.int().refine(isSendableCode, 'must be a WebSocket close code that can be sent'),
  }),
  // Nothing is sent or received on this connection from now on, and nothing closes the connection.
  z.strictObject({ type: z.literal('silence') }),
]);
/** Effect of a fault. */
export type SimFaultEffect = Readonly<z.infer<typeof effectSchema>>;

type Surface = 'request' | 'frame' | 'connect';

/** Surfaces of each effect. */
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

/** All valid names for `on.request`. */
const REQUESTS: ReadonlySet<string> = new Set([
  '*',
  'upload',
  ...Object.values(ENDPOINTS).flatMap(({ name, number }) => [name, String(number)]),
]);

/** All valid names for `on.frame`. */
const FRAMES: ReadonlySet<string> = new Set(['*', 'READY', ...OPS, ...Object.keys(EVENTS)]);

const oneOf = (names: ReadonlySet<string>) => (value: string | number) => names.has(String(value));

/** Condition of a rule: requests by endpoint, `upload` or `*`; frames by event, operation or `*`; new connections. */
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
    /** Username of the bot that the rule applies to; not for new connections. @defaultValue all bots */
    bot: z.string().min(1).max(32).optional(),
    do: effectSchema,
    /** Number of matches that pass before the rule takes effect. @defaultValue 0 */
    skip: z.int().min(0).optional(),
    /** Maximum number of times that the rule takes effect. @defaultValue no maximum */
    times: z.int().min(1).optional(),
    /** Probability of the effect, from 0 to 1, decided by the seed. @defaultValue 1 */
    probability: z.number().min(0).max(1).optional(),
    /** Lifetime of the rule, in milliseconds from the time at which the rule is set. @defaultValue no end */
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
/** A rule for a fault of the simulator. The first rule that applies decides. */
export type SimFaultRule = Readonly<z.infer<typeof ruleSchema>>;

/** Schema of the file of faults, and of the rules in the action `faults`. */
export const faultsSchema = z.strictObject({
  /** Seed of all random decisions: the same seed leads to the same decisions. @defaultValue '1' */
  seed: z.string().max(100).optional(),
  rules: z.array(ruleSchema).max(100).readonly(),
});
/** Faults in the form of the file and of the control API. */
export type SimFaults = Readonly<z.infer<typeof faultsSchema>>;

/** Rules with a name, and the reaction of a good bot. */
export interface SimFaultPreset extends SimFaults {
  readonly name: string;
  /** Behavior of the platform, in a sentence. */
  readonly does: string;
  /** Expected behavior of the bot, in a sentence. */
  readonly expected: string;
  /** Number of commands that may expire because of the faults. @defaultValue none */
  readonly mayExpire?: number | undefined;
}

/** Result of the action `faults`. */
export interface SimFaultState {
  readonly seed: string;
  /** The rules, with the number of times that each took effect. */
  readonly rules: readonly (SimFaultRule & { readonly hits: number })[];
  readonly presets: readonly SimFaultPreset[];
}
