import type { GatewayEvent } from '@virgule/client/gateway';
import { createFakeClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import type { SimInteractionState } from '@virgule/core/simulator-api';
import { describe, expect, it } from 'vitest';
import type { ToChild } from '../ipc.js';
import type { DevReport } from '../ui/dev-report.js';
import type { Child } from './child.js';
import { Frames, type CommandFrame } from './frames.js';

const RESTARTING = 'The bot is restarting. Please try again in a moment.';

function open() {
  const clock = createFakeClock();
  const states: Record<string, SimInteractionState> = {};
  const calls: string[] = [];
  const reports: DevReport[] = [];
  const lines: string[] = [];
  const frames = new Frames({
    clock,
    log: silentLog,
    report: (report) => reports.push(report),
    platform: {
      live: false,
      logged: (line) => lines.push(line),
      stateOf: (id) => states[id] ?? 'waiting',
      async defer(id) {
        calls.push(`defer ${id}`);
        if (id === 'refused') throw new Error('refused');
      },
      async respond(id, content) {
        calls.push(`respond ${id}: ${content}`);
      },
    },
  });
  const deliver = (t: string, id: string, name = 'x'): void =>
    frames.deliver({ t, d: { interactionId: id, name }, receivedAtMs: clock.monotonic() });
  function child() {
    const got: unknown[] = [];
    const fake = {
      isPaused: false,
      begun: new Set<CommandFrame>(),
      wasHung: false,
      send(message: ToChild): void {
        if (message.type !== 'event') return;
        got.push((message.event.d as CommandFrame).interactionId);
        if (!fake.isPaused) frames.began(asChild, message.number);
      },
    };
    // The other members are of no use to frames.
    const asChild = fake as Pick<Child, 'begun' | 'wasHung' | 'send'> as Child;
    return { got, fake, child: asChild };
  }
  return {
    clock,
    states,
    calls,
    reports,
    lines,
    frames,
    child,
    run: (id: string, name?: string) => deliver('APPLICATION_COMMAND', id, name),
    say: (id: string) => deliver('MESSAGE_CREATE', id),
  };
}

describe('Frames', () => {
  it('keeps the newest 1,000 frames, each for 30 s, and answers a deferred command that it drops', async () => {
    const { clock, calls, reports, frames, child, run, say } = open();
    for (let n = 0; n < 1_005; n += 1) say(String(n));
    await clock.advance(29_000);
    run('late');
    await clock.advance(1_500);
    const { got, child: first } = child();
    frames.handTo(first);
    expect(got).toEqual(['late']);
    expect(reports).toEqual([{ type: 'dropped', events: 1_005 }]);
    expect([calls, clock.pending]).toEqual([['defer late'], 0]);
    frames.handTo(null);
    run('dropped');
    run('refused');
    await clock.advance(30_000);
    expect(calls.slice(1)).toEqual([
      'defer dropped',
      'defer refused',
      `respond dropped: ${RESTARTING}`,
      `respond refused: ${RESTARTING}`,
    ]);
  });

  it('hands them over in the order of their receipt, also what an earlier child left', async () => {
    const { clock, frames, child, run, say } = open();
    const first = child();
    frames.handTo(first.child);
    run('1');
    await clock.advance(1);
    frames.handTo(null);
    say('2');
    frames.died(first.child);
    const second = child();
    frames.handTo(second.child);
    expect(second.got).toEqual(['1', '2']);
    expect(clock.pending).toBe(0);
  });

  it('keeps what a paused child has not begun, such as in a debugger, and hands it on when that dies', async () => {
    const { clock, frames, child, run, say, calls } = open();
    const first = child();
    first.fake.isPaused = true;
    frames.handTo(first.child);
    run('1');
    say('2');
    await clock.advance(10 * 60_000);
    expect([first.got, calls]).toEqual([['1', '2'], ['defer 1']]);
    const second = child();
    frames.handTo(second.child);
    expect(second.got).toEqual([]);
    frames.died(first.child);
    expect(second.got).toEqual(['1', '2']);
    expect(clock.pending).toBe(0);
  });

  it('asks again before it hands a command over once more: a call may have been in flight', () => {
    const { states, calls, frames, child, run } = open();
    const first = child();
    frames.handTo(first.child);
    for (const id of ['none', 'deferred', 'answered', 'acknowledged']) run(id);
    frames.handTo(null);
    frames.died(first.child);
    for (const state of ['deferred', 'answered', 'acknowledged'] as const) states[state] = state;
    const second = child();
    frames.handTo(second.child);
    expect([second.got, calls]).toEqual([['none'], [`respond deferred: ${RESTARTING}`]]);
    frames.close();
  });

  it('defers what a child that began commands late has begun, unless it has a call by then', async () => {
    const { clock, states, calls, frames, child, run } = open();
    run('late');
    run('late and called');
    await clock.advance(600);
    frames.handTo(child().child);
    run('soon after');
    states['late and called'] = 'acknowledged';
    await clock.advance(899);
    expect(calls).toEqual([]);
    await clock.advance(1_000);
    expect(calls).toEqual(['defer late', 'defer soon after']);
    run('in time');
    await clock.advance(10_000);
    expect(calls).toHaveLength(2);
    expect(clock.pending).toBe(0);
  });

  it('logs why a command was interrupted, for the page', async () => {
    const { clock, lines, frames, run } = open();
    frames.lost = 'no response for 5 s';
    run('1');
    await clock.advance(30_000);
    const message = 'The bot was restarted: no response for 5 s.';
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
      { level: 50, msg: message, interactionId: '1', err: { code: 'E_CHILD_LOST', message } },
    ]);
  });

  it('follows the settings of the bot', async () => {
    const { clock, calls, frames, run } = open();
    frames.answers = { restarting: 'Un moment.', defers: { x: 100 } };
    run('early');
    await clock.advance(100);
    expect(calls).toEqual(['defer early']);
    frames.answers = { restarting: 'Un moment.', defers: { x: null } };
    run('never');
    await clock.advance(30_000);
    expect(calls).toEqual(['defer early', 'respond early: Un moment.']);
  });

  it('defers a command with the name of a property of every object as any other', async () => {
    const { clock, calls, run } = open();
    run('1', 'constructor');
    await clock.advance(1_499);
    expect(calls).toEqual([]);
    await clock.advance(1);
    expect(calls).toEqual(['defer 1']);
  });

  it('forgets commands that are answered', () => {
    const { states, frames, child, run } = open();
    const { child: first } = child();
    frames.handTo(first);
    for (let n = 0; n < 10_000; n += 1) {
      run(String(n));
      if (n > 0) states[String(n)] = 'answered';
    }
    expect(first.begun.size).toBeLessThanOrEqual(1_000);
    expect([...first.begun][0]?.interactionId).toBe('0');
  });

  it('is for commands with an id alone', () => {
    const { clock, frames } = open();
    const event: GatewayEvent = { t: 'APPLICATION_COMMAND', d: null, receivedAtMs: 0 };
    frames.deliver(event);
    // No defer is due.
    expect(clock.pending).toBe(1);
    frames.close();
    expect(clock.pending).toBe(0);
  });
});
