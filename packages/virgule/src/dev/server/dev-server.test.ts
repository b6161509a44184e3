import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openDevServer, type TestDevServer } from '../../../test/test-dev-server.js';
import { until } from '../../../test/until.js';
import type { ReloadOutcome } from '../ipc.js';

const SWAPPED: ReloadOutcome = { isNew: true, evaluated: 1, commands: null, problems: [] };
const PROBLEM = { code: 'E_NO_HANDLER', message: 'commands/a.ts has no handler.' };

describe('startDevServer', () => {
  let dev: TestDevServer;
  beforeEach(async () => {
    dev = await openDevServer();
  });

  describe('at the start', () => {
    it('is ready once the bot is loaded and the socket open', async () => {
      await dev.connected();
      await dev.settled();
      expect(dev.reports).toEqual([]);
      dev.nth(0).start();
      await dev.server;
      const { page, baseUrl, gatewayUrl, token, userToken } = dev.platform;
      expect(dev.reports).toEqual([
        {
          type: 'ready',
          live: false,
          page,
          baseUrl,
          gatewayUrl,
          token,
          userToken,
          bot: 'Demo Bot',
          commands: 2,
          events: 1,
          tasks: 0,
          ms: expect.any(Number),
        },
      ]);
    });

    it('passes the platform, the environment and its settings to the process', () => {
      expect(dev.nth(0).options).toMatchObject({
        root: '/project',
        platform: { token: dev.platform.token, baseUrl: dev.platform.baseUrl, live: false },
        env: { MODE: 'first' },
      });
    });

    it('lets the bot answer the questions of the page', async () => {
      const ask = () => fetch(`${dev.platform.baseUrl}/_sim/tasks`);
      expect((await ask()).status).toBe(503);
      dev.nth(0).start();
      await dev.server;
      expect(await (await ask()).json()).toEqual({ tasks: { type: 'tasks' } });
    });

    it('starts on a project with problems too: reports them here and on the page, and continues after the fix', async () => {
      dev.nth(0).start({ type: 'loaded', commands: 1, events: 0, tasks: 0, problems: [PROBLEM] });
      const started = await dev.server;
      expect(dev.reports).toMatchObject([
        { type: 'ready', commands: 1 },
        { type: 'problems', problems: [PROBLEM], answering: true, fresh: true },
      ]);
      expect(started.problems).toEqual([PROBLEM]);
      expect(dev.platform.snapshot().problems).toEqual([PROBLEM]);
      dev.save('commands/a.ts');
      await until(() => expect(dev.nth(0).reloads).toHaveLength(1));
      dev.nth(0).answer(SWAPPED);
      await until(() => expect(dev.types().slice(2)).toEqual(['reload', 'fixed']));
      expect(dev.platform.snapshot().problems).toEqual([]);
      expect(dev.platform.trace().at(-1)?.what).toBe('reloaded commands/a.ts');
    });

    it('is up when the project cannot be loaded at all, and starts the bot with the next change', async () => {
      dev.nth(0).start({ type: 'refused', problems: [PROBLEM] });
      await dev.server;
      expect(dev.reports).toMatchObject([
        { type: 'ready', commands: 0, events: 0, tasks: 0, answering: false },
        { type: 'problems', answering: false },
      ]);
      expect((await fetch(dev.platform.page)).status).toBeLessThan(500);
      dev.platform.sendMessage({ content: 'anyone?' });
      dev.save('virgule.config.ts');
      await dev.spawned(2);
      dev.nth(1).start();
      await until(() => expect(dev.types().slice(2)).toEqual(['restart', 'fixed']));
      expect(dev.nth(1).events()).toMatchObject([{ content: 'anyone?' }]);
    });

    it('is up when the process is lost, shows it on the page, and starts another', async () => {
      dev.nth(0).start({ type: 'lost', how: 'exit code 3' });
      const started = await dev.server;
      expect(dev.types()).toEqual(['ready', 'lost']);
      expect(started.problems).toMatchObject([{ code: 'E_CHILD_LOST' }]);
      expect(dev.platform.snapshot().problems).toMatchObject([{ code: 'E_CHILD_LOST' }]);
      await dev.clock.advance(250);
      await dev.spawned(2);
      dev.nth(1).start();
      await until(() => expect(dev.types()).toEqual(['ready', 'lost', 'restart']));
      expect(dev.platform.snapshot().problems).toEqual([]);
    });

    it('reports what a slow start is waiting for', async () => {
      await dev.connected();
      dev.nth(0).say({ type: 'loading', file: '/project/commands/quick.ts' });
      await dev.clock.advance(300);
      dev.nth(0).say({ type: 'loading', file: '/project/commands/heavy.ts', imports: 'big-lib' });
      await dev.clock.advance(1_199);
      expect(dev.reports).toEqual([]);
      await dev.clock.advance(1);
      const step = { type: 'loading', file: 'commands/heavy.ts', imports: 'big-lib' };
      expect(dev.reports).toEqual([{ ...step, ms: 1_200 }]);
      await dev.clock.advance(1_500);
      expect(dev.reports[1]).toEqual({ ...step, ms: 2_700 });
      // One that hangs is not to fill the terminal.
      await dev.clock.advance(2_999);
      expect(dev.reports).toHaveLength(2);
      await dev.clock.advance(1);
      expect(dev.reports[2]).toEqual({ ...step, ms: 5_700 });
      await dev.begin();
      await dev.clock.advance(3_000);
      expect(dev.reports).toEqual([]);
    });

    it('ends at once when it is interrupted, and leaves nothing running', async () => {
      dev.interrupt.abort('SIGINT');
      await expect(dev.server).rejects.toBe('SIGINT');
      expect(dev.nth(0).isStopped).toBe(true);
      expect(dev.watching()).toBeUndefined();
      expect(dev.reports).toEqual([]);
      await until(() => expect(dev.clock.pending).toBe(0));
    });

    it('starts one process although a file is saved meanwhile, and hands it the change', async () => {
      dev.save('commands/a.ts');
      await dev.settled();
      expect(dev.processes).toHaveLength(1);
      dev.nth(0).start();
      await dev.server;
      await until(() => expect(dev.nth(0).reloads).toEqual([['/project/commands/a.ts']]));
      expect(dev.processes).toHaveLength(1);
      expect(dev.types()).toEqual(['ready']);
    });

    it('brings back a bot that is lost before everything else is ready', async () => {
      dev.nth(0).start();
      await dev.settled();
      dev.nth(0).lose();
      await dev.server;
      await dev.clock.advance(250);
      await dev.spawned(2);
      dev.nth(1).start();
      await until(() => expect(dev.types()).toEqual(['lost', 'ready', 'restart']));
    });

    it('keeps the commands that come before the bot is loaded', async () => {
      await dev.connected();
      dev.platform.sendMessage({ content: 'early' });
      dev.nth(0).start();
      await until(() => expect(dev.nth(0).events()).toMatchObject([{ content: 'early' }]));
      // The identity of the bot precedes its events.
      expect(dev.nth(0).received.map(({ type }) => type === 'event')).toEqual([false, true]);
    });
  });

  describe('when a file is saved', () => {
    it('reports the reload', async () => {
      await dev.begin();
      dev.save('commands/a.ts', 'lib/b.ts');
      await until(() => expect(dev.nth(0).reloads).toHaveLength(1));
      dev.nth(0).answer({
        isNew: true,
        evaluated: 3,
        commands: { added: ['a'], changed: [], removed: [] },
        problems: [],
      });
      await until(() =>
        expect(dev.reports).toEqual([
          {
            type: 'reload',
            files: ['commands/a.ts', 'lib/b.ts'],
            evaluated: 3,
            synced: true,
            commands: { added: ['a'], changed: [], removed: [] },
            ms: expect.any(Number),
          },
        ]),
      );
    });

    it('says nothing about a file that the bot is not made of', async () => {
      await dev.begin();
      dev.save('README.md');
      await until(() => expect(dev.nth(0).reloads).toHaveLength(1));
      dev.nth(0).answer({});
      await dev.settled();
      expect(dev.reports).toEqual([]);
    });

    it('reports that a broken file was restored', async () => {
      await dev.begin();
      for (const problems of [[PROBLEM], [PROBLEM], []]) {
        dev.save('a.ts');
        await dev.quiet();
        await until(() => expect(dev.nth(0).reloads).toHaveLength(1));
        dev.nth(0).reloads.length = 0;
        dev.nth(0).answer({ problems });
        await dev.settled();
      }
      await until(() => expect(dev.types()).toEqual(['problems', 'reload', 'fixed']));
    });

    it('takes a save at once, and together what changes meanwhile and shortly after', async () => {
      await dev.begin();
      dev.save('a.ts');
      await until(() => expect(dev.nth(0).reloads).toEqual([['/project/a.ts']]));
      dev.save('b.ts', 'c.ts');
      await dev.clock.advance(100);
      dev.save('b.ts');
      expect(dev.nth(0).reloads).toHaveLength(1);
      dev.nth(0).answer(SWAPPED);
      await until(() => expect(dev.types()).toEqual(['reload']));
      await dev.clock.advance(19);
      dev.save('d.ts');
      await dev.clock.advance(19);
      expect(dev.nth(0).reloads).toHaveLength(1);
      await dev.clock.advance(1);
      const files = ['b.ts', 'c.ts', 'd.ts'].map((file) => `/project/${file}`);
      await until(() => expect(dev.nth(0).reloads.slice(1)).toEqual([files]));
      dev.nth(0).answer(SWAPPED);
      await until(() => expect(dev.types()).toEqual(['reload', 'reload']));
      await dev.clock.advance(100);
      dev.save('e.ts');
      await until(() => expect(dev.nth(0).reloads.slice(2)).toEqual([['/project/e.ts']]));
    });

    it('takes what has changed after five seconds, although files still change', async () => {
      await dev.begin();
      dev.save('first.ts');
      await until(() => expect(dev.nth(0).reloads).toHaveLength(1));
      dev.nth(0).answer(SWAPPED);
      await until(() => expect(dev.types()).toEqual(['reload']));
      for (let n = 0; n < 60; n += 1) {
        dev.save(`${n}.ts`);
        await dev.clock.advance(90);
      }
      await until(() => expect(dev.nth(0).reloads).toHaveLength(2));
    });

    it('reports problems when all files of a checkout are there, and none that they fix', async () => {
      await dev.begin();
      dev.save('a.ts');
      await until(() => expect(dev.nth(0).reloads).toHaveLength(1));
      dev.save('b.ts');
      dev.nth(0).answer({ problems: [PROBLEM] });
      await dev.quiet();
      await until(() => expect(dev.nth(0).reloads).toHaveLength(2));
      dev.save('c.ts');
      dev.nth(0).answer({ problems: [PROBLEM, PROBLEM] });
      await dev.quiet();
      await until(() => expect(dev.nth(0).reloads).toHaveLength(3));
      expect(dev.reports).toEqual([]);
      // The last file is none of the bot's: what is wrong is so still.
      dev.nth(0).answer({});
      await until(() => expect(dev.types()).toEqual(['problems']));
      expect(dev.reports).toMatchObject([{ problems: [PROBLEM, PROBLEM] }]);
    });

    it('names a change that takes long to apply', async () => {
      await dev.begin();
      dev.save('commands/a.ts');
      await until(() => expect(dev.nth(0).reloads).toHaveLength(1));
      await dev.clock.advance(1_500);
      expect(dev.reports).toEqual([{ type: 'loading', file: 'commands/a.ts', ms: 1_500 }]);
      dev.nth(0).answer(SWAPPED);
      await until(() => expect(dev.types()).toEqual(['loading', 'reload']));
      await dev.clock.advance(5_000);
      expect(dev.types()).toEqual(['loading', 'reload']);
    });

    it('watches the folders of all code, wherever it is', async () => {
      await dev.begin();
      dev.nth(0).say({
        type: 'code',
        folders: ['/project/commands', '/shared'],
        restarting: '',
        defers: {},
      });
      expect(dev.folders).toEqual(['/project/commands', '/shared']);
    });

    it('shows problems here and on the page, and clears them once the file is fixed', async () => {
      await dev.begin();
      dev.save('commands/a.ts');
      await until(() => expect(dev.nth(0).reloads).toHaveLength(1));
      dev.nth(0).answer({ problems: [PROBLEM] });
      await until(() => expect(dev.platform.snapshot().problems).toEqual([PROBLEM]));
      expect(dev.reports).toEqual([{ type: 'problems', problems: [PROBLEM], answering: true }]);

      dev.save('commands/a.ts');
      await dev.quiet();
      await until(() => expect(dev.nth(0).reloads).toHaveLength(2));
      dev.nth(0).answer(SWAPPED);
      await until(() => expect(dev.platform.snapshot().problems).toEqual([]));
      expect(dev.types()).toEqual(['problems', 'reload', 'fixed']);
    });

    it('continues after a change that could not be applied at all', async () => {
      await dev.begin();
      vi.spyOn(dev.nth(0).child, 'reload').mockRejectedValueOnce(new Error('broken'));
      dev.save('a.ts');
      await until(() =>
        expect(dev.log.error).toHaveBeenCalledWith(
          { err: expect.objectContaining({ message: 'broken' }) },
          'cannot apply a change',
        ),
      );
      dev.save('b.ts');
      await until(() => expect(dev.nth(0).reloads).toEqual([['/project/b.ts']]));
    });

    it('reports which problems are new, and how many are left', async () => {
      await dev.begin();
      const answers: Partial<ReloadOutcome>[] = [
        { problems: [PROBLEM] },
        { ...SWAPPED, problems: [PROBLEM] },
        SWAPPED,
      ];
      for (const [index, answer] of answers.entries()) {
        dev.save(`${index}.ts`);
        await dev.quiet();
        await until(() => expect(dev.nth(0).reloads).toHaveLength(index + 1));
        dev.nth(0).answer(answer);
        await until(() => expect(dev.types()).toHaveLength([1, 2, 4][index] ?? 0));
      }
      await until(() => expect(dev.types()).toEqual(['problems', 'reload', 'reload', 'fixed']));
      expect(dev.reports.slice(1, 3)).toMatchObject([{ problems: 1 }, { files: ['2.ts'] }]);
      expect(dev.reports[2]).not.toHaveProperty('problems');
    });

    it('CHOKIDAR_USEPOLLING: polls when the environment asks for it', async () => {
      for (const [value, poll] of [
        ['true', true],
        ['1', true],
        ['0', false],
        ['False', false],
        ['', false],
      ] as const) {
        const other = await openDevServer({ env: () => ({ CHOKIDAR_USEPOLLING: value }) });
        expect(other.watching()?.poll).toBe(poll);
      }
      expect(dev.watching()?.poll).toBe(false);
    });

    it('reports what to do when files cannot be watched', async () => {
      await dev.begin();
      dev.watching()?.onError?.(Object.assign(new Error('too many'), { code: 'ENOSPC' }));
      dev.watching()?.onError?.(new Error('no such thing'));
      expect(dev.reports).toEqual([
        { type: 'notice', text: expect.stringContaining('max_user_watches') },
        { type: 'notice', text: expect.stringContaining('no such thing. Set CHOKIDAR_USEPOLLING') },
      ]);
    });
  });

  it('passes on what the bot writes, with the stream', async () => {
    await dev.begin();
    dev.nth(0).options.onLine('hello', 'stdout');
    dev.nth(0).options.onLine('careful', 'stderr');
    expect(dev.reports).toEqual([
      { type: 'output', stream: 'stdout', line: 'hello' },
      { type: 'output', stream: 'stderr', line: 'careful' },
    ]);
  });

  it('shows what the bot writes while it ends, and does not count its end as a loss', async () => {
    const started = await dev.begin();
    dev.nth(0).child.stop = async () => {
      dev.nth(0).options.onLine('good bye', 'stdout');
      dev.nth(0).lose();
    };
    await started.close();
    expect(dev.reports).toEqual([{ type: 'output', stream: 'stdout', line: 'good bye' }]);
  });

  it('names the second Ctrl+C when the end takes longer than a moment', async () => {
    const started = await dev.begin();
    let stopped = (): void => {};
    dev.nth(0).child.stop = () => new Promise((resolve) => (stopped = resolve));
    const closed = started.close();
    await dev.settled();
    expect(dev.reports).toEqual([]);
    await dev.clock.advance(1_000);
    expect(dev.reports).toEqual([
      { type: 'notice', text: 'Waiting for running handlers. Press Ctrl+C again to end now.' },
    ]);
    stopped();
    await closed;
    expect(dev.clock.pending).toBe(0);
  });

  /** A gateway that refuses the token: a fault of a simulator, the last word of a real platform. */
  const REFUSING = {
    rules: [{ name: 'refused', on: { connect: true }, do: { type: 'status', status: 401 } }],
  } as const;

  it('connects again after a fault of its simulator that looks like a refused token', async () => {
    await dev.begin();
    dev.platform.setFaults(REFUSING);
    dev.platform.dropGateway();
    await until(async () => {
      await dev.clock.advance(1_000);
      expect(dev.platform.faults.rules[0]?.hits).toBeGreaterThan(2);
    });
    dev.platform.setFaults({ rules: [] });
    await until(async () => {
      await dev.clock.advance(1_000);
      expect(dev.platform.snapshot().bot.connected).toBe(true);
    });
    expect(dev.nth(0).received.filter(({ type }) => type === 'status')).not.toContainEqual(
      expect.objectContaining({ status: expect.objectContaining({ state: 'closed' }) }),
    );
  });

  it('cannot continue when a real platform refuses the token', async () => {
    const live = await openDevServer({
      platform: { live: true, stateOf: undefined, checkToken: async () => 'refused' },
    });
    const started = await live.begin();
    live.platform.setFaults(REFUSING);
    live.platform.dropGateway();
    await until(async () => {
      await live.clock.advance(1_000);
      const failure = await Promise.race([started.failed, Promise.resolve(null)]);
      expect(failure).toMatchObject({ code: 'E_UNAUTHORIZED' });
    });
  });

  it('leaves no timer when it is closed without a process, while an event waits', async () => {
    const started = await dev.begin();
    dev.nth(0).lose();
    const { pending } = dev.clock;
    dev.platform.sendMessage({ content: 'anyone?' });
    await until(() => expect(dev.clock.pending).toBeGreaterThan(pending));
    await started.close();
    expect(dev.clock.pending).toBe(0);
  });

  it('closes once, however often it is asked', async () => {
    const started = await dev.begin();
    const stop = vi.spyOn(dev.nth(0).child, 'stop');
    await Promise.all([started.close(), started.close()]);
    await started[Symbol.asyncDispose]();
    expect(stop).toHaveBeenCalledOnce();
    // Nothing is left that would report a slow end.
    expect(dev.clock.pending).toBe(0);
    await expect(fetch(dev.platform.baseUrl)).rejects.toThrow('fetch failed');
  });
});
