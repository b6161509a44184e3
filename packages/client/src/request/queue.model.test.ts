import { createFakeClock } from '@virgule/core/clock';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planOf } from '../../test/request-plan.js';
import type { Lane } from './pool.js';
import { Call, type PriorityClass, type Refusal } from './call.js';
import { Queue } from './queue.js';
import type { LimitOutcome } from './bucket.js';
import { RateLimits } from './rate-limits.js';
import { runs } from '../../../core/test/fixtures/property-runs.js';

const LANES: readonly Lane[] = ['interaction', 'general', 'upload'];
const CLASSES: readonly PriorityClass[] = ['awaited', 'background'];
const MAX: Readonly<Record<Lane, number>> = {
  interaction: Number.POSITIVE_INFINITY,
  general: 32,
  upload: 8,
};

/** A call that waits this long is never refused here. */
const PATIENT_MS = 600_000;

const limited: LimitOutcome = {
  kind: 'limited',
  limit: 2,
  retryAfterMs: 2_000,
  stated: true,
  jitterMs: 0,
};

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('start' as const),
      lane: fc.constantFrom(...LANES),
      priority: fc.constantFrom(...CLASSES),
      route: fc.nat(1),
      major: fc.nat(2),
      deadlineMs: fc.constantFrom(1_000, 5_000, PATIENT_MS, PATIENT_MS),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      pick: fc.nat(1_000),
      how: fc.constantFrom('accepted', 'limited', 'lost', 'fault'),
      again: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('cancel' as const), pick: fc.nat(1_000) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 500, 2_000, 10_000),
    }),
  },
);

/** A queue and its calls, as the model sees them. */
function openModel() {
  const clock = createFakeClock();
  const queue = new Queue(clock, () => 0.5, new RateLimits(clock));
  const waiting = new Set<Call>();
  const inFlight: Call[] = [];
  /** Calls that are to be seen in order: those let through for the first time, by flow. */
  const begun = new Map<string, number[]>();
  const numbers = new Map<Call, number>();
  /** Calls that were let through before. */
  const known = new Set<Call>();
  const refused: Call[] = [];

  function letThrough(call: Call): void {
    inFlight.push(call);
    if (!call.inOrder || known.has(call)) return;
    known.add(call);
    const { plan, priority } = call;
    const flow = `${plan.lane} ${priority} ${plan.endpoint} ${plan.major}`;
    begun.set(flow, [...(begun.get(flow) ?? []), numbers.get(call) ?? 0]);
  }

  function admit(call: Call): void {
    const queued = queue.admit(call);
    if (!queued) {
      letThrough(call);
      return;
    }
    waiting.add(call);
    void queued.then((refusal: Refusal | undefined) => {
      if (!waiting.delete(call)) return;
      if (!refusal) {
        letThrough(call);
        return;
      }
      refused.push(call);
      queue.end(call);
    });
  }

  return { clock, queue, waiting, inFlight, begun, numbers, refused, admit };
}

describe('Queue', () => {
  it('lets every call through or refuses it, in order and within its bounds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 120 }), fc.boolean(), async (steps, isDown) => {
        const { clock, queue, waiting, inFlight, begun, numbers, refused, admit } = openModel();
        const patient = new Set<Call>();

        function end(call: Call | undefined, how: string, again: boolean): void {
          if (!call) return;
          inFlight.splice(inFlight.indexOf(call), 1);
          queue.release(call, {
            limit: how === 'limited' ? limited : { kind: how === 'accepted' ? 'accepted' : 'lost' },
            network: how === 'fault' ? 'fault' : 'answered',
          });
          if (again && how !== 'accepted' && call.deadlineAtMs > clock.monotonic()) admit(call);
          else queue.end(call);
        }

        for (const [index, each] of steps.entries()) {
          if (each.kind === 'start') {
            const { lane, route, major, deadlineMs } = each;
            const plan = planOf({
              lane,
              origin: lane === 'upload' ? `https://storage-${major % 2}.test` : 'https://chat.test',
              endpoint: String(route),
              major: String(major),
              method: route === 0 ? 'POST' : 'GET',
            });
            const call = new Call(plan, clock, { deadlineMs, priority: each.priority });
            numbers.set(call, index);
            if (deadlineMs === PATIENT_MS) patient.add(call);
            admit(call);
          } else if (each.kind === 'end') {
            end(
              inFlight[each.pick % Math.max(1, inFlight.length)],
              isDown ? 'fault' : each.how,
              each.again,
            );
          } else if (each.kind === 'cancel') {
            const call = [...waiting][each.pick % Math.max(1, waiting.size)];
            if (call) {
              waiting.delete(call);
              queue.cancel(call);
              queue.release(call);
              queue.end(call);
            }
          } else {
            await clock.advance(each.ms);
          }
          await Promise.resolve();
          const { inFlight: now } = queue.snapshot();
          for (const lane of LANES) expect(now[lane]).toBeLessThanOrEqual(MAX[lane]);
        }

        // Everything is answered from here on: nothing may be left behind.
        for (let turn = 0; turn < 200 && (waiting.size > 0 || inFlight.length > 0); turn += 1) {
          for (const call of inFlight.slice()) end(call, 'accepted', false);
          await clock.advance(500);
        }
        expect([waiting.size, inFlight.length]).toEqual([0, 0]);
        expect(queue.snapshot()).toMatchObject({
          inFlight: { interaction: 0, general: 0, upload: 0 },
          queued: { interaction: 0, awaited: 0, background: 0 },
        });
        expect(refused.filter((call) => patient.has(call))).toEqual([]);
        expect(queue.laneCount).toBeLessThanOrEqual(2);
        expect(clock.pending).toBe(0);
        for (const order of begun.values()) expect(order).toEqual(order.toSorted((a, b) => a - b));
      }),
      { numRuns: runs(300) },
    );
  });
});
