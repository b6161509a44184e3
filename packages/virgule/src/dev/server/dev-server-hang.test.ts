import type { Rest } from '@virgule/client/rest';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  openCommandServer,
  openDevServer,
  type TestDevServer,
} from '../../../test/test-dev-server.js';
import { until } from '../../../test/until.js';

const STUCK = { type: 'restart', reason: 'a reload did not finish' };
const RESTARTED = 'The bot is restarting. Please try again in a moment.';

describe('startDevServer, when a process hangs', () => {
  let dev: TestDevServer;
  let rest: Rest;
  beforeEach(async () => {
    ({ dev, rest } = await openCommandServer());
  });

  const stateOf = (id: string) => dev.platform.interaction(id)?.state;
  const ran = (id: string) => expect.objectContaining({ interactionId: id, rawInput: '/x' });
  /** Answers that the user of a command reads. */
  const saidTo = (id: string) =>
    dev.platform
      .messages()
      .filter(({ interactionId }) => interactionId === id)
      .map(({ content }) => content);

  /** Runs a command and waits until a process has it. */
  async function run(process = 0): Promise<string> {
    const { id } = dev.platform.run({ rawInput: '/x' });
    await until(() => expect(dev.nth(process).events()).toContainEqual(ran(id)));
    return id;
  }

  async function replaced(index: number): Promise<void> {
    dev.nth(index).hang();
    await dev.clock.advance(10_000);
    await dev.spawned(index + 2);
    dev.nth(index + 1).start();
    await until(() => expect(dev.nth(index + 1).registrations).toBe(1));
  }

  it('defers the commands that a silent process has, begun or not', async () => {
    const begun = await run();
    dev.nth(0).options.onSilent();
    expect(stateOf(begun)).toBe('deferred');
    dev.nth(0).takesEvents = false;
    const behind = await run();
    await dev.clock.advance(1_500);
    expect(stateOf(behind)).toBe('deferred');
    expect([saidTo(begun), saidTo(behind)]).toEqual([[], []]);
  });

  it('knows whether a user waits for the first sign of a command', async () => {
    const { isAwaited } = dev.nth(0).options;
    expect(isAwaited()).toBe(false);
    const id = await run();
    expect(isAwaited()).toBe(true);
    dev.nth(0).options.onSilent();
    expect(isAwaited()).toBe(true);
    await rest.interactions.defer(id);
    expect(isAwaited()).toBe(false);
    dev.nth(0).takesEvents = false;
    await run();
    expect(isAwaited()).toBe(true);
  });

  it('runs no command again that a process had begun when it hung, replies to its user, and runs those behind it', async () => {
    const hangs = await run();
    const answered = await run();
    await rest.interactions.respond(answered, { content: 'done' });
    dev.nth(0).options.onSilent();
    dev.nth(0).takesEvents = false;
    const behind = await run();
    await replaced(0);
    await until(() => expect(saidTo(hangs)).toEqual([RESTARTED]));
    expect(dev.nth(1).events()).toContainEqual(ran(behind));
    expect(dev.nth(1).events()).not.toContainEqual(ran(hangs));
    expect([saidTo(answered), saidTo(behind)]).toEqual([['done'], []]);
  });

  it('replies to the user of a command that ended two processes, also when the third one hangs', async () => {
    const dies = await run();
    dev.nth(0).lose();
    await dev.clock.advance(250);
    await dev.spawned(2);
    dev.nth(1).start();
    await until(() => expect(dev.nth(1).events()).toContainEqual(ran(dies)));
    const hangs = await run(1);
    dev.nth(1).lose();
    await dev.clock.advance(500);
    await dev.spawned(3);
    dev.nth(2).start();
    // From here on it does nothing.
    await until(() => expect(saidTo(dies)).toEqual([RESTARTED]));
    await replaced(2);
    await until(() => expect(saidTo(hangs)).toEqual([RESTARTED]));
  });

  it('replies to the user of a command that waited too long for a process', async () => {
    dev.nth(0).lose();
    const { id } = dev.platform.run({ rawInput: '/x' });
    await until(() => expect(stateOf(id)).toBe('waiting'));
    await dev.settled();
    await dev.clock.advance(1_500);
    await until(() => expect(stateOf(id)).toBe('deferred'));
    await dev.clock.advance(30_000);
    dev.nth(1).start();
    await until(() => expect(saidTo(id)).toEqual([RESTARTED]));
    expect(dev.reports).toContainEqual({ type: 'dropped', events: 1 });
  });

  it('lists the commands that expired', async () => {
    await run();
    await run();
    // The platform's own time is not that of the server here.
    dev.platformOptions.stateOf = () => 'expired';
    await replaced(0);
    expect(dev.reports).toContainEqual({ type: 'expired', commands: ['x', 'x'] });
  });
});

describe('startDevServer, while a file never gets to its end', () => {
  it('starts again with a file that was saved meanwhile, and names the other one', async () => {
    const dev = await openDevServer();
    dev.nth(0).say({ type: 'loading', file: '/project/commands/loop.ts' });
    await dev.connected();
    await dev.clock.advance(1_500);
    expect(dev.reports).toEqual([{ type: 'loading', file: 'commands/loop.ts', ms: 1_500 }]);
    dev.save('commands/loop.ts');
    await dev.spawned(2);
    dev.nth(1).start();
    await until(() => expect(dev.types()).toContain('restart'));
    expect(dev.reports).toContainEqual({
      type: 'lost',
      how: 'given up, since commands/loop.ts changed',
    });
  });

  it('does so when the file turns out to be stuck after another one was saved', async () => {
    const dev = await openDevServer();
    await dev.connected();
    await dev.clock.advance(1_000);
    dev.nth(0).say({ type: 'loading', file: '/project/commands/loop.ts' });
    dev.save('commands/other.ts');
    await dev.clock.advance(1_000);
    expect(dev.processes).toHaveLength(1);
    await dev.clock.advance(1_000);
    await dev.spawned(2);
    dev.nth(1).start();
    await until(() => expect(dev.types()).toContain('restart'));
  });

  it('starts a new process for a change of it, as soon as another one is saved', async () => {
    const dev = await openDevServer();
    await dev.begin();
    dev.save('commands/loop.ts');
    await until(() => expect(dev.nth(0).reloads).toHaveLength(1));
    await dev.clock.advance(1_500);
    expect(dev.processes).toHaveLength(1);
    dev.save('commands/loop.ts');
    await dev.spawned(2);
    dev.nth(1).start();
    await until(() => expect(dev.reports).toContainEqual(expect.objectContaining(STUCK)));
    // It takes the change as well, and is not given up for it: nothing is stuck any more.
    await dev.quiet();
    await until(() => expect(dev.nth(1).reloads).toHaveLength(1));
    dev.save('commands/other.ts');
    await dev.settled();
    expect(dev.processes).toHaveLength(2);
  });

  it('lets a reload of many files continue when another one is saved', async () => {
    const dev = await openDevServer();
    await dev.begin();
    // The first is taken at once, the others of a checkout together.
    for (let n = 0; n <= 100; n += 1) dev.save(`commands/c${n}.ts`);
    await until(() => expect(dev.nth(0).reloads).toHaveLength(1));
    const many = dev.nth(0).reloads[0]?.length ?? 0;
    expect(many).toBeGreaterThanOrEqual(100);
    dev.save('commands/late.ts');
    await dev.clock.advance(9_000);
    expect(dev.processes).toHaveLength(1);
    await dev.clock.advance(6_000);
    await dev.spawned(2);
  });

  it('lets a start continue that is waiting for services', async () => {
    const dev = await openDevServer();
    dev.nth(0).say({ type: 'loading', file: '/project/services.ts', isCreating: true });
    await dev.connected();
    await dev.clock.advance(1_500);
    dev.save('commands/a.ts');
    await dev.settled();
    expect([dev.processes.length, dev.nth(0).isEnded]).toEqual([1, false]);
    dev.nth(0).start();
    await until(() => expect(dev.nth(0).reloads).toHaveLength(1));
  });

  it('names what a later start is busy with as well', async () => {
    const dev = await openDevServer();
    const server = await dev.begin();
    server.restart('manual');
    await dev.spawned(2);
    dev.nth(1).say({ type: 'loading', file: '/project/commands/loop.ts' });
    await dev.clock.advance(1_500);
    expect(dev.reports).toEqual([{ type: 'loading', file: 'commands/loop.ts', ms: 1_500 }]);
  });
});
