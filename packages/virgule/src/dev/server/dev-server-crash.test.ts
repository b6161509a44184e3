import type { Rest } from '@virgule/client/rest';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  openCommandServer,
  openDevServer,
  type TestDevServer,
} from '../../../test/test-dev-server.js';
import { until } from '../../../test/until.js';

describe('startDevServer, when a process is lost in the middle of its work', () => {
  let dev: TestDevServer;
  let rest: Rest;
  beforeEach(async () => {
    ({ dev, rest } = await openCommandServer());
  });

  /** Runs a command and waits until a process has it. */
  async function run(process = 0): Promise<string> {
    const { id } = dev.platform.run({ rawInput: '/x' });
    await until(() => expect(dev.nth(process).events()).toContainEqual(command(id)));
    return id;
  }
  const command = (id: string) => expect.objectContaining({ interactionId: id });
  /** Not the message that answers it, which is an event as well. */
  const ran = (id: string) => expect.objectContaining({ interactionId: id, rawInput: '/x' });
  const RESTARTED = 'The bot is restarting. Please try again in a moment.';
  /** Answers that the user of a command reads. */
  const saidTo = (id: string): readonly string[] =>
    dev.platform
      .messages()
      .filter(({ interactionId }) => interactionId === id)
      .map(({ content }) => content);
  const isNotified = (id: string) => until(() => expect(saidTo(id)).toEqual([RESTARTED]));

  /** Lets the process die, and its successor start. */
  async function replaced(index: number): Promise<void> {
    dev.nth(index).lose('killed by SIGKILL');
    await dev.clock.advance(10_000);
    await dev.spawned(index + 2);
    dev.nth(index + 1).start();
    await until(() => expect(dev.nth(index + 1).registrations).toBe(1));
  }

  it('runs an unstarted command in the next process', async () => {
    const id = await run();
    await replaced(0);
    expect(dev.nth(1).events()).toEqual([command(id)]);
    expect(saidTo(id)).toEqual([]);
  });

  it('runs it a second time only once: the user is shown an error when it ends that process too', async () => {
    const id = await run();
    await replaced(0);
    await replaced(1);
    await isNotified(id);
    expect(dev.nth(2).events()).not.toContainEqual(ran(id));
    const words = [{ command: 'x' }, '/x was interrupted: its process ended'] as const;
    await until(() => expect(dev.log.warn).toHaveBeenCalledWith(...words));
    await replaced(2);
    expect(dev.nth(3).events()).not.toContainEqual(ran(id));
    expect(saidTo(id)).toEqual([RESTARTED]);
  });

  it('does not run a command again that had begun to answer: the user is shown an error', async () => {
    const id = await run();
    await rest.interactions.defer(id);
    await replaced(0);
    await isNotified(id);
    expect(dev.nth(1).events()).not.toContainEqual(ran(id));
  });

  it('leaves a command alone that was answered', async () => {
    const id = await run();
    await rest.interactions.respond(id, { content: 'done' });
    await replaced(0);
    expect([dev.nth(1).events(), saidTo(id)]).toEqual([[], ['done']]);
  });

  it('delivers an event again that was still in flight, and none that was begun', async () => {
    dev.platform.sendMessage({ content: 'begun' });
    await until(() => expect(dev.nth(0).events()).toHaveLength(1));
    dev.nth(0).takesEvents = false;
    dev.platform.sendMessage({ content: 'in flight' });
    await until(() => expect(dev.nth(0).events()).toHaveLength(2));
    await replaced(0);
    expect(dev.nth(1).events()).toMatchObject([{ content: 'in flight' }]);
  });

  it('keeps the order: first what was begun, then what came meanwhile', async () => {
    const first = await run();
    dev.nth(0).lose();
    const second = dev.platform.run({ rawInput: '/x' }).id;
    await vi.waitFor(() => expect(dev.platform.interaction(second)).toBeDefined());
    await dev.clock.advance(250);
    await dev.spawned(2);
    dev.nth(1).start();
    await until(() => expect(dev.nth(1).events()).toEqual([command(first), command(second)]));
  });

  it('has a command run by the new process that its predecessor could not end in time', async () => {
    dev.nth(0).child.stop = () => new Promise(() => {});
    const id = await run();
    dev.save('package.json');
    await until(() => expect(dev.nth(0).reloads).toHaveLength(1));
    dev.nth(0).answer({ restart: 'package.json' });
    await dev.spawned(2);
    dev.nth(1).start();
    await until(() => expect(dev.nth(1).registrations).toBe(1));
    expect(dev.nth(1).events()).toEqual([]);
    dev.nth(0).end();
    await until(() => expect(dev.nth(1).events()).toEqual([command(id)]));
    dev.nth(0).child.stop = async () => {};
  });

  it('shows the thinking state of commands that no process has taken for 1.5 s, and still runs them', async () => {
    const begun = await run();
    dev.nth(0).lose();
    const waiting = dev.platform.run({ rawInput: '/x' }).id;
    await dev.clock.advance(250);
    await dev.spawned(2);
    await dev.clock.advance(1_249);
    const stateOf = (id: string) => dev.platform.interaction(id)?.state;
    expect([stateOf(begun), stateOf(waiting)]).toEqual(['waiting', 'waiting']);
    await dev.clock.advance(1);
    // At once, on a machine that is as busy as it may be: nothing is sent.
    expect([stateOf(begun), stateOf(waiting)]).toEqual(['deferred', 'deferred']);
    dev.nth(1).start();
    await until(() => expect(dev.nth(1).events()).toEqual([command(begun), command(waiting)]));
    expect([saidTo(begun), saidTo(waiting)]).toEqual([[], []]);
  });

  it('reports the connection to each process as its first one, also after a reconnect', async () => {
    dev.platform.setFaults({
      rules: [{ name: 'end', on: { frame: 'MESSAGE_CREATE' }, do: { type: 'close', code: 1012 } }],
    });
    dev.platform.sendMessage({ content: 'the last one' });
    const statuses = (index: number) =>
      dev.nth(index).received.flatMap((said) => (said.type === 'status' ? [said.status] : []));
    await until(async () => {
      await dev.clock.advance(1_000);
      expect(statuses(0).at(-1)).toMatchObject({ state: 'ready', reconnected: true });
    });
    await replaced(0);
    expect(statuses(1)).toMatchObject([{ state: 'ready', reconnected: false }]);
  });

  it('costs no reconnect', async () => {
    await run();
    await replaced(0);
    await replaced(1);
    expect(dev.platform.counts.identifies).toBe(1);
  });
});

describe('startDevServer, replacing processes', () => {
  it('does not count the end of a replaced process as a loss', async () => {
    const dev = await openDevServer();
    const server = await dev.begin();
    server.restart('manual');
    await dev.spawned(2);
    dev.nth(1).start();
    await until(() => expect(dev.types()).toContain('restart'));
    dev.nth(0).options.onLost('killed by SIGKILL');
    expect(dev.types()).not.toContain('lost');
    dev.platform.sendMessage({ content: 'hi' });
    await until(() => expect(dev.nth(1).events()).toMatchObject([{ content: 'hi' }]));
    await dev.clock.advance(10_000);
    expect(dev.processes).toHaveLength(2);
  });

  it('says nothing of a restart whose process was lost in the same moment', async () => {
    const dev = await openDevServer();
    await dev.begin();
    dev.nth(0).lose('exit code 1');
    await dev.clock.advance(250);
    await dev.spawned(2);
    const next = dev.nth(1);
    next.child.reload = async () => {
      next.lose('exit code 7');
      return { isNew: true, evaluated: 0, commands: null, problems: [] };
    };
    next.start();
    await until(() => expect(dev.types()).toEqual(['lost', 'lost']));
    await dev.settled();
    expect(dev.types()).toEqual(['lost', 'lost']);
    expect(dev.platform.snapshot().problems).toMatchObject([
      { code: 'E_CHILD_LOST', message: expect.stringContaining('exit code 7') },
    ]);
  });

  it('replaces it when asked', async () => {
    const dev = await openDevServer();
    const started = await dev.begin();
    started.restart('manual');
    await dev.spawned(2);
    dev.nth(1).start();
    await until(() => expect(dev.reports).toMatchObject([{ type: 'restart', reason: 'manual' }]));
  });

  it('ends one process before it starts the next when a debugger needs the port', async () => {
    const dev = await openDevServer({ inspectPort: 9_229 });
    const started = await dev.begin();
    expect(dev.nth(0).options.inspectPort).toBe(9_229);
    let end = (): void => {};
    dev.nth(0).child.stop = () => new Promise((resolve) => (end = resolve));
    started.restart('manual');
    await dev.settled();
    expect(dev.processes).toHaveLength(1);
    dev.platform.sendMessage({ content: 'meanwhile' });
    end();
    await dev.spawned(2);
    dev.nth(1).start();
    await until(() => expect(dev.nth(1).events()).toMatchObject([{ content: 'meanwhile' }]));
    dev.nth(0).child.stop = async () => dev.nth(0).end();
  });
});
