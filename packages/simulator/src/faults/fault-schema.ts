import { ENDPOINTS, EVENTS, OPS } from '@virgule/core/protocol';
import type { SimFaultEffect, SimFaultRule, SimFaults } from '@virgule/core/simulator-api';
import * as z from 'zod';
import { isSendableCode } from '../gateway/close-codes.js';

const milliseconds = z.number().min(0).max(3_600_000);

const effectSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('status'),
    status: z.int().min(200).max(599),
    retryAfter: z
      .union([z.number(), z.string().regex(/^[\t -~\u0080-\u00FF]*$/, 'must be a header value')])
      .optional(),
    code: z.string().optional(),
    body: z.enum(['json', 'html', 'empty']).optional(),
    after: z.boolean().optional(),
  }),
  z.strictObject({
    type: z.literal('limit'),
    limit: z.int().min(1),
    perMs: milliseconds.min(1),
    per: z.enum(['bot', 'channel']).optional(),
  }),
  z.strictObject({ type: z.literal('expire') }),
  z.strictObject({ type: z.literal('hang') }),
  z.strictObject({
    type: z.literal('cut'),
    when: z.enum(['before', 'after', 'within']).optional(),
  }),
  z.strictObject({
    type: z.literal('delay'),
    ms: milliseconds,
    jitterMs: milliseconds.optional(),
  }),
  z.strictObject({ type: z.literal('omit'), fields: z.array(z.string()) }),
  z.strictObject({ type: z.literal('lose') }),
  z.strictObject({ type: z.literal('duplicate') }),
  z.strictObject({ type: z.literal('reorder') }),
  z.strictObject({ type: z.literal('malformed') }),
  z.strictObject({
    type: z.literal('close'),
    code: z.int().refine(isSendableCode, 'must be a WebSocket close code that can be sent'),
  }),
  z.strictObject({ type: z.literal('silence') }),
]) satisfies z.ZodType<SimFaultEffect>;

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

const ruleSchema = z
  .strictObject({
    name: z.string().min(1).max(100),
    on: z.union([
      z.strictObject({
        request: z
          .union([z.string(), z.number()])
          .refine(oneOf(REQUESTS), 'must be the name or number of an endpoint, "upload" or "*"'),
      }),
      z.strictObject({
        frame: z.string().refine(oneOf(FRAMES), `must be one of ${[...FRAMES].join(', ')}`),
      }),
      z.strictObject({ connect: z.literal(true) }),
    ]),
    bot: z.string().min(1).max(32).optional(),
    do: effectSchema,
    skip: z.int().min(0).optional(),
    times: z.int().min(1).optional(),
    probability: z.number().min(0).max(1).optional(),
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

const surfaceOf = (on: SimFaultRule['on']): Surface =>
  'request' in on ? 'request' : 'frame' in on ? 'frame' : 'connect';

/** The file of faults, and the body of PUT /_sim/faults. */
export const faultsSchema = z.strictObject({
  seed: z.string().max(100).optional(),
  rules: z.array(ruleSchema).max(100),
}) satisfies z.ZodType<SimFaults>;
