import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it, vi } from 'vitest';
import { planOf } from '../../test/request-plan.js';
import type { Lane } from './pool.js';
import type { LimitOutcome } from './bucket.js';
import { RateLimits } from './rate-limits.js';
import { Call, type PriorityClass, type Refusal } from './call.js';
import { Queue } from './queue.js';

interface CallOf {
  readonly lane?: Lane;
  readonly priority?: PriorityClass;
  readonly route?: string;
  readonly major?: string;
  readonly origin?: string;
  readonly inOrder?: boolean;
  readonly deadlineMs?: number;
}

const OK: LimitOutcome = { kind: 'accepted' };

function limited(seconds: number): LimitOutcome {
  return {
    kind: 'limited',
    limit: 5,
    retryAfterMs: seconds * 1_000,
    stated: true,
    jitterMs: 0,
  };
}

function openQueue() {
  const clock = createFakeClock();
  const limits = new RateLimits(clock);
  const queue = new Queue(clock, () => 0, limits);
  /** Names of the calls that were let through, in order. */
  const sent: string[] = [];
  const refusals = new Map<string, Refusal>();

  function open({
    lane = 'general',
    priority = 'awaited',
    route = 'messages.list',
    major = 'a',
    origin = 'https://chat.example.com',
    inOrder = false,
    deadlineMs = 30_000,
  }: CallOf): Call {
    const method = inOrder ? 'POST' : 'GET';
    const plan = planOf({ lane, origin, major, endpoint: route, method });
    return new Call(plan, clock, { deadlineMs, priority });
  }

  function admit(name: string, call: Call): Call {
    const queued = queue.admit(call);
    if (!queued) sent.push(name);
    else {
      void queued.then((refusal) => {
        if (refusal) refusals.set(name, refusal);
        else if (call.permit) sent.push(name);
      });
    }
    return call;
  }

  return {
    clock,
    queue,
    sent,
    refusals,
    admit,
    start: (name: string, of: CallOf = {}): Call => admit(name, open(of)),
    answer(call: Call, limit: LimitOutcome = OK): void {
      queue.release(call, { limit, network: 'answered' });
    },
    fail(call: Call): void {
      queue.release(call, { limit: { kind: 'lost' }, network: 'fault' });
    },
    end(call: Call): void {
      queue.release(call, { limit: OK, network: 'answered' });
      queue.end(call);
    },
    limits: () => queue.snapshot(),
    /** Lets promises run. */
    settle: () => clock.advance(0),
  };
}

/** Keeps all places of the general lane taken. */
function occupy(opened: ReturnType<typeof openQueue>): Call[] {
  const calls = Array.from({ length: 32 }, (_, index) =>
    opened.start('busy', { major: `busy ${index}` }),
  );
  opened.sent.length = 0;
  return calls;
}

describe('the places of a lane', () => {
  it('are 32, and 4 for uploads', () => {
    const { start, sent, limits } = openQueue();
    for (let index = 0; index < 40; index += 1) {
      start('general', { major: String(index) });
      start('upload', { lane: 'upload' });
    }
    expect(sent.filter((name) => name === 'general')).toHaveLength(32);
    expect(sent.filter((name) => name === 'upload')).toHaveLength(4);
    expect(limits()).toMatchObject({
      inFlight: { interaction: 0, general: 32, upload: 4 },
      queued: { interaction: 0, awaited: 44, background: 0 },
    });
  });

  it('of uploads are those of one origin, and none is kept for an origin without any', () => {
    const opened = openQueue();
    const { start, sent, end, queue } = opened;
    const calls = ['a', 'b'].flatMap((host) =>
      Array.from({ length: 4 }, () =>
        start(host, { lane: 'upload', origin: `https://${host}.example` }),
      ),
    );
    expect(sent).toHaveLength(8);
    expect(opened.limits().inFlight.upload).toBe(8);
    for (const call of calls) end(call);
    expect(queue.laneCount).toBe(0);
  });

  it('do not exist for interactions: 64 at once never queue', () => {
    const opened = openQueue();
    occupy(opened);
    for (let index = 0; index < 64; index += 1) {
      const of = { lane: 'interaction', priority: 'interaction', route: 'interactions.respond' };
      opened.start(`i${index}`, { ...of, major: String(index) } as CallOf);
    }
    expect(opened.sent).toHaveLength(64);
    expect(opened.limits().queued.interaction).toBe(0);
  });

  it('are given back even when the request was never made', async () => {
    const opened = openQueue();
    const [first] = occupy(opened);
    opened.start('next');
    expect(opened.sent).toEqual([]);
    if (first) opened.queue.release(first);
    if (first) opened.queue.release(first);
    await opened.settle();
    expect(opened.sent).toEqual(['next']);
    expect(opened.limits().inFlight.general).toBe(32);
  });
});

describe('whose turn it is', () => {
  it('goes to answers before awaited calls, and to these before background ones', async () => {
    const opened = openQueue();
    const busy = occupy(opened);
    opened.start('background', { priority: 'background' });
    opened.start('awaited 1');
    opened.start('awaited 2');
    opened.start('answer', { priority: 'interaction' });
    for (const call of busy.slice(0, 4)) opened.answer(call);
    await opened.settle();
    expect(opened.sent).toEqual(['answer', 'awaited 1', 'awaited 2', 'background']);
  });

  it('alternates between channels: one call does not wait behind 5,000 of another', async () => {
    const opened = openQueue();
    const { start, sent, end, settle } = opened;
    const flood = Array.from({ length: 5_000 }, (_, index) =>
      start(`flood ${index}`, { route: 'messages.send', inOrder: true }),
    );
    const reads = Array.from({ length: 5_000 }, (_, index) => start(`read ${index}`));
    start('other', { route: 'messages.send', major: 'b', inOrder: true });
    const held = [...flood, ...reads].filter(({ permit }) => permit);
    expect(held).toHaveLength(32);
    const before = sent.length;
    for (const call of held.slice(0, 2)) end(call);
    await settle();
    expect(sent.slice(before)).toContain('other');
    expect(sent.length).toBe(before + 2);
  });

  it('takes turns between channels and between the routes of one', async () => {
    const opened = openQueue();
    const busy = occupy(opened);
    for (const index of [1, 2, 3]) {
      for (const major of ['a', 'b']) opened.start(`${major}${index}`, { major });
      opened.start(`a typing ${index}`, { route: 'channels.typing' });
    }
    for (const call of busy.slice(0, 9)) opened.answer(call);
    await opened.settle();
    expect(opened.sent).toEqual([
      'a1',
      'b1',
      'a typing 1',
      'a2',
      'b2',
      'a typing 2',
      'a3',
      'b3',
      'a typing 3',
    ]);
  });
});

describe('the order within a route of a channel', () => {
  const send: CallOf = { route: 'messages.send', inOrder: true };

  it('is kept: the next begins when the one before has ended, its tries included', async () => {
    const { start, admit, sent, answer, end, queue, settle } = openQueue();
    const first = start('first', send);
    const second = start('second', send);
    start('third', send);
    start('elsewhere', { ...send, major: 'b' });
    start('reading', { route: 'messages.list' });
    expect(sent).toEqual(['first', 'elsewhere', 'reading']);
    answer(first, { kind: 'lost' });
    await settle();
    expect(sent).toHaveLength(3);
    admit('first again', first);
    end(first);
    await settle();
    expect(sent.slice(3)).toEqual(['first again', 'second']);
    queue.release(second);
    queue.end(second);
    await settle();
    expect(sent.at(-1)).toBe('third');
  });

  it('is kept through a pause', async () => {
    const { clock, start, admit, sent, answer, end, settle } = openQueue();
    const first = start('first', send);
    start('second', send);
    answer(first, limited(2));
    admit('first again', first);
    await clock.advance(2_000);
    expect(sent).toEqual(['first', 'first again']);
    end(first);
    await settle();
    expect(sent).toEqual(['first', 'first again', 'second']);
  });

  it('continues when a call that was just admitted is canceled', async () => {
    const { start, sent, queue, end, settle } = openQueue();
    const first = start('first', send);
    const second = start('second', send);
    start('third', send);
    end(first);
    // Before it learns that it may go.
    queue.cancel(second);
    queue.release(second);
    queue.end(second);
    await settle();
    expect(sent).toEqual(['first', 'third']);
    expect(queue.snapshot()).toMatchObject({ inFlight: { general: 1 }, queued: { awaited: 0 } });
  });

  it('continues when the call before is canceled while it waits', async () => {
    const { start, sent, queue, end, settle } = openQueue();
    const first = start('first', send);
    const second = start('second', send);
    start('third', send);
    queue.cancel(second);
    queue.end(second);
    end(first);
    await settle();
    expect(sent).toEqual(['first', 'third']);
  });
});

describe('a pause', () => {
  it('holds back its bucket only, then lets one through, and the rest as they succeed', async () => {
    const { clock, start, sent, answer, settle } = openQueue();
    answer(start('first'), limited(3));
    const held = [1, 2, 3].map((index) => start(`held ${index}`));
    start('other', { major: 'b' });
    expect(sent).toEqual(['first', 'other']);
    await clock.advance(2_999);
    expect(sent).toHaveLength(2);
    await clock.advance(1);
    expect(sent.slice(2)).toEqual(['held 1']);
    if (held[0]) answer(held[0]);
    await settle();
    expect(sent.slice(2)).toEqual(['held 1', 'held 2', 'held 3']);
  });

  it('has one timer, and none when no call waits any more', async () => {
    const { clock, start, queue, answer, limits } = openQueue();
    answer(start('first'), limited(3));
    const held = Array.from({ length: 500 }, (_, index) => start(`held ${index}`));
    // One for each call's own time, one for the pause.
    expect(clock.pending).toBe(501);
    for (const call of held) queue.cancel(call);
    await clock.advance(0);
    expect(clock.pending).toBe(0);
    expect(limits().queued.awaited).toBe(0);
  });

  it('of 1,000 buckets costs the calls of others next to nothing', () => {
    const { clock, start, answer, end } = openQueue();
    for (let index = 0; index < 1_000; index += 1) {
      const of = { route: 'messages.send', major: `paused ${index}` };
      answer(start('first', of), limited(20));
      start('waits', of);
    }
    const read = vi.spyOn(clock, 'monotonic');
    end(start('other'));
    expect(read.mock.calls.length).toBeLessThan(20);
  });

  it('refuses at once what cannot wait for it, and nothing else', async () => {
    const { clock, start, sent, answer, refusals, settle } = openQueue();
    answer(start('first', { deadlineMs: 300_000 }), limited(61));
    start('short', { deadlineMs: 5_000 });
    start('long', { deadlineMs: 300_000 });
    await settle();
    expect(refusals).toEqual(new Map([['short', { why: 'limited', retryAfterMs: 61_000 }]]));
    await clock.advance(61_000);
    expect(sent).toEqual(['first', 'long']);
  });

  it('of everything does not let all go at once when it ends', async () => {
    const { clock, start, sent, answer } = openQueue();
    const first = ['messages.list', 'channels.typing', 'users.me'].map((route) =>
      start('first', { route }),
    );
    for (const call of first) answer(call, limited(4));
    sent.length = 0;
    for (let index = 0; index < 500; index += 1) start(`held ${index}`, { major: String(index) });
    await clock.advance(4_000);
    expect(sent).toHaveLength(1);
  });

  it('of everything does not hold back interactions, and lets awaited calls out before background ones', async () => {
    const { clock, start, sent, answer } = openQueue();
    const first = ['messages.list', 'channels.typing', 'users.me'].map((route) =>
      start('first', { route }),
    );
    for (const call of first) answer(call, limited(4));
    sent.length = 0;
    start('background', { priority: 'background' });
    start('awaited');
    start('interaction', { lane: 'interaction', priority: 'interaction' });
    expect(sent).toEqual(['interaction']);
    await clock.advance(4_000);
    expect(sent).toEqual(['interaction', 'awaited']);
  });
});

describe('the queue', () => {
  it('takes 10,000 calls and refuses more', async () => {
    const opened = openQueue();
    occupy(opened);
    const held = Array.from({ length: 10_000 }, () => opened.start('held'));
    opened.start('one too many');
    await opened.settle();
    expect(opened.refusals).toEqual(new Map([['one too many', { why: 'queue-full' }]]));
    for (const call of held) opened.queue.cancel(call);
    expect(opened.limits().queued.awaited).toBe(0);
    expect(opened.clock.pending).toBe(0);
  });

  it('keeps a call that was let through before and met a 429', async () => {
    const opened = openQueue();
    const { clock, answer, admit, sent, refusals } = opened;
    const first = opened.start('first');
    const others = occupy(opened);
    for (let count = 0; count < 10_000; count += 1) opened.start('held', { major: 'b' });
    answer(first, limited(1));
    opened.start('fills the place that it left', { major: 'b' });
    admit('first', first);
    await clock.advance(1_000);
    for (const call of others) opened.end(call);
    await opened.settle();
    expect(refusals.get('first')).toBeUndefined();
    expect(sent).toContain('first');
  });

  it('takes awaited calls while 10,000 background ones wait, and they go first', async () => {
    const opened = openQueue();
    const [busy] = occupy(opened);
    for (let index = 0; index < 10_001; index += 1) {
      opened.start(`held ${index}`, { priority: 'background' });
    }
    opened.start('awaited', { major: 'b' });
    await opened.settle();
    expect(opened.refusals).toEqual(new Map([['held 10000', { why: 'queue-full' }]]));
    if (busy) opened.end(busy);
    await opened.settle();
    expect(opened.sent).toEqual(['awaited']);
  });

  it('lets a call wait until its own deadline', async () => {
    const opened = openQueue();
    occupy(opened);
    opened.start('patient', { deadlineMs: 300_000 });
    opened.start('late', { deadlineMs: 20_000 });
    await opened.clock.advance(299_999);
    expect([...opened.refusals.keys()]).toEqual(['late']);
    await opened.clock.advance(1);
    expect(opened.refusals.get('patient')).toEqual({ why: 'late' });
  });

  it('rejects calls whose deadline is before the end of a new pause, at once', async () => {
    const { clock, start, answer, refusals, settle } = openQueue();
    answer(start('first'), limited(3));
    const pioneer = start('pioneer');
    start('short', { deadlineMs: 5_000 });
    start('long');
    await clock.advance(3_000);
    answer(pioneer, limited(10));
    await settle();
    expect(refusals).toEqual(new Map([['short', { why: 'limited', retryAfterMs: 10_000 }]]));
  });

  it('is checked again after another, longer one of the same bucket', async () => {
    const { start, answer, refusals, settle } = openQueue();
    const [first, second] = [start('first'), start('second')];
    answer(first, limited(3));
    start('short', { deadlineMs: 5_000 });
    answer(second, limited(10));
    await settle();
    expect(refusals).toEqual(new Map([['short', { why: 'limited', retryAfterMs: 10_000 }]]));
  });

  it('does not blame a limit when the time was spent waiting for another call', async () => {
    const { clock, start, answer, refusals } = openQueue();
    answer(start('first'), limited(3));
    start('pioneer');
    start('behind it', { deadlineMs: 5_000 });
    await clock.advance(5_000);
    expect(refusals).toEqual(new Map([['behind it', { why: 'late' }]]));
  });
});

describe('an origin that cannot be reached', () => {
  function broken() {
    const opened = openQueue();
    for (let fault = 0; fault < 10; fault += 1) opened.fail(opened.start('fault'));
    opened.sent.length = 0;
    return opened;
  }

  it('gets one probe, and everything as soon as it answers', async () => {
    const { clock, start, sent, fail, answer, settle } = broken();
    const held = Array.from({ length: 5 }, (_, index) => start(`held ${index}`));
    expect(sent).toEqual([]);
    await clock.advance(1_000);
    expect(sent).toEqual(['held 0']);
    if (held[0]) fail(held[0]);
    await clock.advance(999);
    expect(sent).toHaveLength(1);
    await clock.advance(1);
    expect(sent).toHaveLength(2);
    if (held[1]) answer(held[1]);
    await settle();
    expect(sent).toHaveLength(5);
    expect(clock.pending).toBe(0);
  });

  it('does not keep others from being reached', () => {
    const { start, sent } = broken();
    start('elsewhere', { lane: 'upload', origin: 'https://files.example.com' });
    expect(sent).toEqual(['elsewhere']);
  });

  it('is not forgotten over a hundred others that are reached', () => {
    const { start, answer, sent } = broken();
    for (let n = 0; n < 100; n += 1)
      answer(start('elsewhere', { lane: 'upload', origin: `https://files-${n}.example.com` }));
    sent.length = 0;
    start('held');
    expect(sent).toEqual([]);
  });

  it('is known to all lanes, also after calls to a hundred other origins', () => {
    const { start, answer, fail, sent } = openQueue();
    const calls = Array.from({ length: 10 }, () => start('fault'));
    for (let n = 0; n < 100; n += 1)
      answer(start('elsewhere', { lane: 'upload', origin: `https://files-${n}.example.com` }));
    for (const call of calls) fail(call);
    sent.length = 0;
    start('held', { lane: 'interaction', priority: 'background' });
    expect(sent).toEqual([]);
  });

  it('is tried once by each answer to an interaction', async () => {
    const { start, admit, sent, fail } = broken();
    const of: CallOf = { lane: 'interaction', priority: 'interaction' };
    const calls = ['1', '2', '3'].map((major) => start(major, { ...of, major }));
    expect(sent).toEqual(['1', '2', '3']);
    for (const call of calls) fail(call);
    for (const call of calls) admit('again', call);
    expect(sent).toHaveLength(3);
  });

  it('is reached by the waiting calls of all lanes as soon as an interaction is answered', async () => {
    const { start, answer, sent, settle } = broken();
    start('held');
    answer(start('answer', { lane: 'interaction', priority: 'interaction' }));
    await settle();
    expect(sent).toEqual(['answer', 'held']);
  });

  it('is the error of calls whose deadline has passed', async () => {
    const { clock, start, refusals, limits } = broken();
    start('held', { deadlineMs: 500 });
    expect(limits().origins).toEqual([
      { origin: 'https://chat.example.com', faults: 10, isCircuitOpen: true },
    ]);
    await clock.advance(500);
    expect(refusals.get('held')).toEqual({ why: 'unreachable' });
  });
});
