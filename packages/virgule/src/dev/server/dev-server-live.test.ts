import { createRest } from '@virgule/client/rest';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDevServer } from '../../../test/test-dev-server.js';
import { until } from '../../../test/until.js';

/** The state of a real platform is not visible: the state of a command is known from its process alone. */
async function openLive() {
  const dev = await openDevServer({ platform: { live: true, progressOf: undefined } });
  return { ...dev, started: await dev.begin() };
}

describe('startDevServer, on a real platform', () => {
  it('requests the plan on demand, and reports it', async () => {
    const { started, nth, reports } = await openLive();
    started.plan();
    expect(nth(0).received).toContainEqual({ type: 'plan' });
    const plan = { added: ['x'], changed: [], removed: ['y'] };
    nth(0).say({ type: 'plan', plan });
    expect(reports).toEqual([{ type: 'plan', ...plan }]);
  });

  it('uses what a lost process reported about its commands', async () => {
    const { platform, nth, clock, spawned } = await openLive();
    const { token, baseUrl } = platform;
    const rest = createRest({ token, baseUrl });
    onTestFinished(() => rest.close());
    await rest.commands.replace([{ name: 'x', description: 'X', options: [] }]);
    const run = () => platform.run({ rawInput: '/x' }).id;
    const [untouched, called, settled] = [run(), run(), run()];
    await until(() => expect(nth(0).events()).toHaveLength(3));
    nth(0).say({ type: 'progress', interactionId: called, progress: 'open' });
    nth(0).say({ type: 'progress', interactionId: settled, progress: 'open' });
    nth(0).say({ type: 'progress', interactionId: settled, progress: 'done' });
    nth(0).lose();
    await clock.advance(250);
    await spawned(2);
    nth(1).start();
    await until(() => expect(nth(1).registrations).toBe(1));
    expect(nth(1).events()[0]).toMatchObject({ interactionId: untouched });
    await until(() => expect(platform.interaction(called)?.state).toBe('answered'));
    expect(platform.messages().at(-1)).toMatchObject({
      interactionId: called,
      content: 'The bot was restarted while this command ran. Please try again.',
    });
    expect(platform.interaction(settled)?.state).toBe('waiting');
    expect(JSON.stringify(nth(1).received)).not.toContain(settled);
  });
});
