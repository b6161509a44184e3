import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openDevServer, type TestDevServer } from '../../test/test-dev-server.js';
import { until } from '../../test/until.js';
import type { ReloadOutcome } from './messages.js';

// A busy machine takes its time.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const SWAPPED: ReloadOutcome = { outcome: 'swapped', evaluated: 1, synced: false };
const PROBLEM = { code: 'E_NO_HANDLER', message: 'commands/a.ts has no handler.' };

describe('startDevServer', () => {
  let dev: TestDevServer;
  beforeEach(async () => {
    dev = await openDevServer();
  });

  describe('at the start', () => {
    it('is ready once the bot is loaded, the socket open and the files watched', async () => {
      await dev.connected();
      dev.nth(0).start();
      await dev.settled();
      expect(dev.reports).toEqual([]);
      dev.isWatcherReady();
      await dev.server;
      const { page, baseUrl, gatewayUrl, token, userToken } = dev.platform;
      expect(dev.reports).toEqual([
        {
          type: 'ready',
          page,
          baseUrl,
          gatewayUrl,
          token,
          userToken,
          bot: 'Demo Bot',
          commands: 2,
          events: 1,
          ms: expect.any(Number),
        },
      ]);
    });

    it('gives the process the platform, the environment and what it lives on', () => {
      expect(dev.nth(0).options).toMatchObject({
        root: '/project',
        token: dev.platform.token,
        baseUrl: dev.platform.baseUrl,
        env: { MODE: 'first' },
      });
    });

    it('throws the problems of the project and leaves nothing running', async () => {
      dev.nth(0).start({ outcome: 'refused', problems: [PROBLEM] });
      await expect(dev.server).rejects.toMatchObject({ problems: [{ code: 'E_NO_HANDLER' }] });
      expect(dev.watching()).toBeUndefined();
      expect(dev.nth(0).isStopped).toBe(true);
      await expect(fetch(dev.platform.baseUrl)).rejects.toThrow('fetch failed');
      expect(dev.reports).toEqual([]);
    });

    it('throws when the process is lost, and leaves nothing running', async () => {
      dev.nth(0).start({ outcome: 'lost', how: 'exit code 3' });
      await expect(dev.server).rejects.toMatchObject({
        code: 'E_CHILD_LOST',
        details: { how: 'exit code 3' },
      });
      expect(dev.watching()).toBeUndefined();
      expect(dev.clock.pending).toBe(0);
      await expect(fetch(dev.platform.baseUrl)).rejects.toThrow('fetch failed');
    });

    it('ends at once when it is interrupted, and leaves nothing running', async () => {
      dev.interrupt.abort('SIGINT');
      await expect(dev.server).rejects.toBe('SIGINT');
      expect(dev.nth(0).isStopped).toBe(true);
      expect(dev.watching()).toBeUndefined();
      expect(dev.reports).toEqual([]);
    });

    it('starts one process although a file is saved meanwhile, and hands it the change', async () => {
      dev.save('commands/a.ts');
      await dev.settled();
      expect(dev.processes).toHaveLength(1);
      dev.nth(0).start();
      dev.isWatcherReady();
      await dev.server;
      await until(() => expect(dev.nth(0).reloads).toEqual([['/project/commands/a.ts']]));
      expect(dev.processes).toHaveLength(1);
      expect(dev.types()).toEqual(['ready']);
    });

    it('brings back a bot that is lost before everything else is ready', async () => {
      dev.nth(0).start();
      await dev.settled();
      dev.nth(0).lose();
      dev.isWatcherReady();
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
      // Who it is comes before what happens.
      expect(dev.nth(0).received.map(({ type }) => type === 'event')).toEqual([false, true]);
    });
  });

  describe('when a file is saved', () => {
    it('tells the reload', async () => {
      await dev.begin();
      dev.save('commands/a.ts', 'lib/b.ts');
      await until(() => expect(dev.nth(0).reloads).toHaveLength(1));
      dev.nth(0).answer({ outcome: 'swapped', evaluated: 3, synced: true });
      await until(() =>
        expect(dev.reports).toEqual([
          {
            type: 'reload',
            files: ['commands/a.ts', 'lib/b.ts'],
            evaluated: 3,
            synced: true,
            ms: expect.any(Number),
          },
        ]),
      );
    });

    it('says nothing about a file that the bot is not made of', async () => {
      await dev.begin();
      dev.save('README.md');
      await until(() => expect(dev.nth(0).reloads).toHaveLength(1));
      dev.nth(0).answer({ outcome: 'unchanged' });
      await dev.settled();
      expect(dev.reports).toEqual([]);
    });

    it('takes changes one after the other, in order', async () => {
      await dev.begin();
      dev.save('a.ts');
      dev.save('b.ts');
      await until(() => expect(dev.nth(0).reloads).toHaveLength(1));
      await dev.settled();
      expect(dev.nth(0).reloads).toHaveLength(1);
      dev.nth(0).answer(SWAPPED);
      await until(() => expect(dev.nth(0).reloads).toEqual([['/project/a.ts'], ['/project/b.ts']]));
    });

    it('shows problems here and on the page, and clears them once the file is mended', async () => {
      await dev.begin();
      dev.save('commands/a.ts');
      await until(() => expect(dev.nth(0).reloads).toHaveLength(1));
      dev.nth(0).answer({ outcome: 'failed', problems: [PROBLEM] });
      await until(() => expect(dev.platform.snapshot().problems).toEqual([PROBLEM]));
      expect(dev.reports).toEqual([{ type: 'problems', problems: [PROBLEM], answering: true }]);

      dev.save('commands/a.ts');
      await until(() => expect(dev.nth(0).reloads).toHaveLength(2));
      dev.nth(0).answer(SWAPPED);
      await until(() => expect(dev.platform.snapshot().problems).toEqual([]));
      expect(dev.types()).toEqual(['problems', 'reload']);
    });

    it('goes on after a change that could not be taken at all', async () => {
      await dev.begin();
      vi.spyOn(dev.nth(0).process, 'reload').mockRejectedValueOnce(new Error('broken'));
      dev.save('a.ts');
      await until(() =>
        expect(dev.log.error).toHaveBeenCalledWith(
          { err: expect.objectContaining({ message: 'broken' }) },
          'A change could not be taken over.',
        ),
      );
      dev.save('b.ts');
      await until(() => expect(dev.nth(0).reloads).toEqual([['/project/b.ts']]));
    });

    it('tells when files cannot be watched', async () => {
      await dev.begin();
      dev.watching()?.onError?.(new Error('too many files'));
      expect(dev.log.error).toHaveBeenCalledWith(
        expect.anything(),
        'Some files cannot be watched for changes.',
      );
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

  it('shows what the bot writes while it ends, and takes its end for no loss', async () => {
    const started = await dev.begin();
    dev.nth(0).process.stop = async () => {
      dev.nth(0).options.onLine('good bye', 'stdout');
      dev.nth(0).lose();
    };
    await started.close();
    expect(dev.reports).toEqual([{ type: 'output', stream: 'stdout', line: 'good bye' }]);
  });

  it('closes once, however often it is asked', async () => {
    const started = await dev.begin();
    const stop = vi.spyOn(dev.nth(0).process, 'stop');
    await Promise.all([started.close(), started.close()]);
    await started[Symbol.asyncDispose]();
    expect(stop).toHaveBeenCalledOnce();
    await expect(fetch(dev.platform.baseUrl)).rejects.toThrow('fetch failed');
  });
});
