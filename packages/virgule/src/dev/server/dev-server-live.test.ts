import { createRest } from '@virgule/client/rest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDevServer } from '../../../test/test-dev-server.js';
import { until } from '../../../test/until.js';

/** A real platform cannot be asked for the state of a command. */
async function openLive() {
  const dev = await openDevServer({ platform: { live: true, stateOf: undefined } });
  return { ...dev, started: await dev.begin() };
}

describe('startDevServer, on a real platform', () => {
  it('requests the plan on demand, and reports it', async () => {
    const { started, nth, reports } = await openLive();
    started.plan();
    expect(nth(0).registrations).toBe(2);
    const plan = { added: ['x'], changed: [], removed: ['y'] };
    nth(0).say({ type: 'plan', plan });
    expect(reports).toEqual([{ type: 'plan', ...plan }]);
  });

  it('hands nothing over twice when a process is lost, and leaves its commands to the next one', async () => {
    const { platform, nth, clock, spawned } = await openLive();
    const { token, baseUrl } = platform;
    const rest = createRest({ token, baseUrl });
    onTestFinished(() => rest.close());
    await rest.commands.replace([{ name: 'x', description: 'X', options: [] }]);
    const run = () => platform.run({ rawInput: '/x' }).id;
    run();
    const called = run();
    await until(() => expect(nth(0).events()).toHaveLength(2));
    await rest.interactions.defer(called);
    nth(0).lose();
    const waiting = run();
    await until(async () => {
      await clock.advance(100);
      expect(platform.interaction(waiting)?.state).toBe('deferred');
    });
    await spawned(2);
    nth(1).start();
    await until(() => expect(nth(1).registrations).toBe(1));
    expect(nth(1).received.filter(({ type }) => type === 'event')).toMatchObject([
      { event: { d: { interactionId: waiting } }, isDeferred: true },
    ]);
    expect(platform.interaction(called)?.state).toBe('deferred');
  });
});
