import { createFakeClock } from '@virgule/core/clock';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lane } from './pool.js';
import type { PriorityClass } from './request-plan.js';
import { Queue } from './queue.js';
import { Ticket, type Refusal } from './ticket.js';
import { RateLimits, type LimitOutcome } from './rate-limits.js';
import { RefusalGuard } from './refusal-guard.js';

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
  const queue = new Queue({
    clock,
    random: () => 0.5,
    limits: new RateLimits(clock),
    guard: new RefusalGuard({ clock, warn: () => {} }),
  });
  const waiting = new Set<Ticket>();
  const inFlight: Ticket[] = [];
  /** Calls that are to be seen in order: those let through for the first time, by flow. */
  const begun = new Map<string, number[]>();
  const numbers = new Map<Ticket, number>();
  const refused: Ticket[] = [];

  function letThrough(ticket: Ticket): void {
    inFlight.push(ticket);
    if (!ticket.inOrder || ticket.tries > 1) return;
    const { lane, priority, key } = ticket;
    const flow = `${lane} ${priority} ${key.route} ${key.major}`;
    begun.set(flow, [...(begun.get(flow) ?? []), numbers.get(ticket) ?? 0]);
  }

  function admit(ticket: Ticket): void {
    const queued = queue.admit(ticket);
    if (!queued) {
      letThrough(ticket);
      return;
    }
    waiting.add(ticket);
    void queued.then((refusal: Refusal | undefined) => {
      if (!waiting.delete(ticket)) return;
      if (!refusal) {
        letThrough(ticket);
        return;
      }
      refused.push(ticket);
      queue.end(ticket);
    });
  }

  return { clock, queue, waiting, inFlight, begun, numbers, refused, admit };
}

describe('Queue', () => {
  it('lets every call through or refuses it, in order and within its bounds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 120 }), fc.boolean(), async (steps, isDown) => {
        const { clock, queue, waiting, inFlight, begun, numbers, refused, admit } = openModel();
        const patient = new Set<Ticket>();

        function end(ticket: Ticket | undefined, how: string, again: boolean): void {
          if (!ticket) return;
          inFlight.splice(inFlight.indexOf(ticket), 1);
          ticket.outcome =
            how === 'limited' ? limited : { kind: how === 'accepted' ? 'accepted' : 'lost' };
          ticket.network = how === 'fault' ? 'fault' : 'answered';
          queue.release(ticket);
          if (again && how !== 'accepted' && ticket.deadlineAtMs > clock.monotonic()) admit(ticket);
          else queue.end(ticket);
        }

        for (const [index, each] of steps.entries()) {
          if (each.kind === 'start') {
            const { lane, route, major, deadlineMs } = each;
            const ticket = new Ticket({
              lane,
              priority: lane === 'interaction' ? 'interaction' : each.priority,
              origin: lane === 'upload' ? `https://storage-${major % 2}.test` : 'https://chat.test',
              key: { route: String(route), major: String(major), isBrief: lane === 'interaction' },
              inOrder: lane !== 'upload' && route === 0,
              deadlineAtMs: clock.monotonic() + deadlineMs,
            });
            numbers.set(ticket, index);
            if (deadlineMs === PATIENT_MS) patient.add(ticket);
            admit(ticket);
          } else if (each.kind === 'end') {
            end(
              inFlight[each.pick % Math.max(1, inFlight.length)],
              isDown ? 'fault' : each.how,
              each.again,
            );
          } else if (each.kind === 'cancel') {
            const ticket = [...waiting][each.pick % Math.max(1, waiting.size)];
            if (ticket) {
              waiting.delete(ticket);
              queue.cancel(ticket);
              queue.release(ticket);
              queue.end(ticket);
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
          for (const ticket of inFlight.slice()) end(ticket, 'accepted', false);
          await clock.advance(500);
        }
        expect([waiting.size, inFlight.length]).toEqual([0, 0]);
        expect(queue.snapshot()).toEqual({
          inFlight: { interaction: 0, general: 0, upload: 0 },
          queued: { interaction: 0, awaited: 0, background: 0 },
        });
        expect(refused.filter((ticket) => patient.has(ticket))).toEqual([]);
        expect([queue.uploadOrigins, clock.pending]).toEqual([0, 0]);
        for (const order of begun.values()) expect(order).toEqual(order.toSorted((a, b) => a - b));
      }),
      { numRuns: 300 },
    );
  });
});
