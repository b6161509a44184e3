import { beforeEach, describe, expect, it } from 'vitest';
import { openDevServer, type TestDevServer } from '../../../test/test-dev-server.js';
import { until } from '../../../test/until.js';
import type { DevServer } from './dev-server.js';

const PROBLEM = { code: 'E_NO_HANDLER', message: 'commands/a.ts has no handler.' };
const SERVICES = { code: 'E_SERVICES_FAILED', message: 'The services could not be created: no' };
/** A process that runs without what this problem is in. */
const LOADED = {
  type: 'loaded',
  commands: 1,
  events: 0,
  tasks: 0,
  problems: [PROBLEM],
} as const;
/** Report of a new process that cannot take over. */
const HELD = ['problems', 'notice'];
const SWAPPED = { isNew: true, evaluated: 1, commands: null, problems: [] } as const;

describe('startDevServer', () => {
  let dev: TestDevServer;
  beforeEach(async () => {
    dev = await openDevServer();
  });

  describe('when a change cannot be swapped', () => {
    /** Saves package.json, and waits for the second process. */
    async function replaced(): Promise<DevServer> {
      const started = await dev.begin();
      dev.save('package.json');
      await until(() => expect(dev.nth(0).reloads).toHaveLength(1));
      dev.nth(0).answer({
        restart: 'package.json affects how imports are resolved',
      });
      await dev.spawned(2);
      return started;
    }

    it('starts a new process next to the old one, and stops that once the new one is loaded', async () => {
      await replaced();
      expect(dev.nth(0).isStopped).toBe(false);
      dev.platform.sendMessage({ content: 'meanwhile' });
      await until(() => expect(dev.nth(0).events()).toMatchObject([{ content: 'meanwhile' }]));

      dev.nth(1).start();
      await until(() => expect(dev.nth(0).isStopped).toBe(true));
      expect(dev.reports).toEqual([
        {
          type: 'restart',
          reason: 'package.json affects how imports are resolved',
          ms: expect.any(Number),
        },
      ]);
      // The page then runs its pinned command again.
      expect(dev.platform.trace().at(-1)?.what).toBe('reloaded');
      expect(dev.nth(1).received).toMatchObject([
        { type: 'status', status: { state: 'ready', ready: { displayName: 'Demo Bot' } } },
      ]);
      dev.platform.sendMessage({ content: 'afterwards' });
      await until(() => expect(dev.nth(1).events()).toMatchObject([{ content: 'afterwards' }]));
      expect(dev.nth(0).events()).toHaveLength(1);
      expect(dev.platform.counts.identifies).toBe(1);
    });

    it('starts the new process with the current environment', async () => {
      await dev.begin();
      dev.env['MODE'] = 'second';
      dev.save('.env');
      await until(() => expect(dev.nth(0).reloads).toHaveLength(1));
      dev.nth(0).answer({ restart: '.env is read only at startup' });
      await dev.spawned(2);
      expect(dev.nth(1).options.env).toEqual({ MODE: 'second' });
    });

    it('keeps the old process answering when the new one is refused', async () => {
      await replaced();
      dev.nth(1).start({ type: 'refused', problems: [PROBLEM] });
      await until(() =>
        expect(dev.reports).toEqual([
          { type: 'problems', problems: [PROBLEM], answering: true },
          {
            type: 'notice',
            text: 'Restart held back by E_NO_HANDLER (package.json affects how imports are resolved). Other saves still reload.',
          },
        ]),
      );
      expect(dev.nth(0).isStopped).toBe(false);
      dev.platform.sendMessage({ content: 'still there?' });
      await until(() => expect(dev.nth(0).events()).toHaveLength(1));
      // The next change goes to the process that runs.
      dev.save('commands/a.ts');
      await dev.quiet();
      await until(() => expect(dev.nth(0).reloads).toHaveLength(2));
    });

    it.each([
      { type: 'refused', problems: [PROBLEM] },
      { type: 'lost', how: 'exit code 9' },
    ] as const)(
      'reports again at the next save why no new process takes over: %o',
      async (start) => {
        await replaced();
        dev.nth(1).start(start);
        await until(() => expect(dev.types()).toEqual(HELD));
        dev.save('commands/a.ts');
        await dev.quiet();
        await until(() => expect(dev.nth(0).reloads).toHaveLength(2));
        dev.nth(0).answer({ ...SWAPPED, restart: 'package.json' });
        await dev.spawned(3);
        dev.nth(2).start(start);
        await until(() => expect(dev.types()).toEqual([...HELD, 'reload', 'notice']));
        expect(dev.reports[3]).toMatchObject({
          text: expect.stringMatching(/^Restart held back by E_\w+ \(package.json\)/),
        });
      },
    );

    it('takes over with the problems that the old process had, and reports which files do not answer', async () => {
      await dev.begin();
      dev.save('commands/a.ts');
      await until(() => expect(dev.nth(0).reloads).toHaveLength(1));
      dev.nth(0).answer({ problems: [PROBLEM] });
      await until(() => expect(dev.types()).toEqual(['problems']));
      dev.save('.env');
      await dev.quiet();
      await until(() => expect(dev.nth(0).reloads).toHaveLength(2));
      dev.nth(0).answer({ problems: [PROBLEM], restart: '.env' });
      await dev.spawned(2);
      dev.nth(1).start(LOADED);
      await until(() => expect(dev.types()).toEqual(['problems', 'restart', 'problems']));
      expect(dev.reports[2]).toMatchObject({ problems: [PROBLEM], answering: true, fresh: true });
      expect([dev.nth(0).isStopped, dev.nth(1).isStopped]).toEqual([true, false]);
    });

    it('reports that problems are fixed that were held back when they came again', async () => {
      const refused = { type: 'refused', problems: [PROBLEM] } as const;
      const unsupported = { restart: 'package.json' } as const;
      await replaced();
      dev.nth(1).start(refused);
      await until(() => expect(dev.types()).toEqual(HELD));
      dev.save('commands/a.ts');
      await dev.quiet();
      await until(() => expect(dev.nth(0).reloads).toHaveLength(2));
      dev.nth(0).answer(unsupported);
      await dev.spawned(3);
      dev.save('commands/b.ts');
      dev.nth(2).start(refused);
      await dev.settled();
      await dev.quiet();
      await until(() => expect(dev.nth(0).reloads).toHaveLength(3));
      dev.nth(0).answer(unsupported);
      await dev.spawned(4);
      dev.nth(3).start();
      await until(() => expect(dev.types()).toEqual([...HELD, 'restart', 'fixed']));
    });

    it('keeps the old process answering when the new one has new problems: it has the last good code', async () => {
      await replaced();
      dev.nth(1).start(LOADED);
      await until(() => expect(dev.types()).toEqual(HELD));
      expect([dev.nth(0).isStopped, dev.nth(1).isStopped]).toEqual([false, true]);
      expect(dev.nth(1).registrations).toBe(0);
      dev.save('commands/a.ts');
      await dev.quiet();
      await until(() => expect(dev.nth(0).reloads).toHaveLength(2));
      dev.nth(0).answer({ restart: 'package.json' });
      await dev.spawned(3);
      dev.nth(2).start();
      await until(() => expect(dev.types()).toEqual([...HELD, 'restart', 'fixed']));
      expect(dev.nth(2).registrations).toBe(1);
    });

    it('keeps the old process answering when the new one is lost, and reports it as a problem', async () => {
      await replaced();
      dev.nth(1).start({ type: 'lost', how: 'exit code 9' });
      await until(() =>
        expect(dev.reports).toMatchObject([
          { type: 'problems', problems: [{ code: 'E_CHILD_LOST' }], answering: true },
          { type: 'notice' },
        ]),
      );
      expect(dev.nth(0).isStopped).toBe(false);
      await dev.clock.advance(60_000);
      expect(dev.processes).toHaveLength(2);
    });

    it.each([
      {
        type: 'refused',
        problems: [{ ...SERVICES, message: 'listen EADDRINUSE 0.0.0.0:3000' }],
      },
      { type: 'refused', problems: [{ ...SERVICES, message: 'The database is locked.' }] },
      { type: 'lost', how: 'exit code 75', isInUse: true },
    ] as const)(
      'stops the old process first when the new one lacks what it has: %o',
      async (start) => {
        await replaced();
        dev.nth(1).start(start);
        await dev.spawned(3);
        expect(dev.nth(0).isStopped).toBe(true);
        dev.platform.sendMessage({ content: 'meanwhile' });
        dev.nth(2).start();
        await until(() => expect(dev.types()).toEqual(['restart']));
        await until(() => expect(dev.nth(2).events()).toMatchObject([{ content: 'meanwhile' }]));
        // Known from then on.
        dev.save('package.json');
        await dev.quiet();
        await until(() => expect(dev.nth(2).reloads).toHaveLength(1));
        dev.nth(2).answer({ restart: 'package.json' });
        await dev.spawned(4);
        expect(dev.nth(2).isStopped).toBe(true);
      },
    );

    it('says that no bot runs when the new process cannot start without the old one either', async () => {
      await replaced();
      const problems = [{ ...SERVICES, message: 'Another process is in use.' }];
      dev.nth(1).start({ type: 'refused', problems });
      await dev.spawned(3);
      dev.nth(2).start({ type: 'refused', problems });
      await until(() =>
        expect(dev.reports).toEqual([{ type: 'problems', problems, answering: false }]),
      );
      expect(dev.processes).toHaveLength(3);
    });

    it('keeps the old process answering when services fail for another reason', async () => {
      await replaced();
      dev.nth(1).start({ type: 'refused', problems: [SERVICES] });
      await until(() => expect(dev.types()).toEqual(HELD));
      expect(dev.nth(0).isStopped).toBe(false);
      expect(dev.processes).toHaveLength(2);
    });

    it('stops the old process first at a manual restart', async () => {
      const started = await dev.begin();
      started.restart('manual');
      await dev.spawned(2);
      expect(dev.nth(0).isStopped).toBe(true);
      dev.nth(1).start();
      await until(() => expect(dev.types()).toEqual(['restart']));
    });

    it('takes a change that comes meanwhile to the new process, afterwards', async () => {
      await replaced();
      dev.save('commands/a.ts');
      await dev.settled();
      expect(dev.nth(0).reloads).toHaveLength(1);
      dev.nth(1).start();
      await until(() => expect(dev.types()).toEqual(['restart']));
      await dev.quiet();
      await until(() => expect(dev.nth(1).reloads).toEqual([['/project/commands/a.ts']]));
      expect(dev.processes).toHaveLength(2);
    });

    it('does not keep the next change waiting for the handlers of the old process', async () => {
      await replaced();
      dev.nth(0).child.stop = () => new Promise(() => {});
      dev.nth(1).start();
      await until(() => expect(dev.types()).toEqual(['restart']));
      dev.save('commands/a.ts');
      await dev.quiet();
      await until(() => expect(dev.nth(1).reloads).toHaveLength(1));
      dev.nth(0).child.stop = async () => dev.nth(0).end();
    });

    it('stops both processes when it is closed meanwhile, and reports nothing more', async () => {
      const started = await replaced();
      await started.close();
      expect([dev.nth(0).isStopped, dev.nth(1).isStopped]).toEqual([true, true]);
      await dev.settled();
      expect(dev.reports).toEqual([]);
      expect(dev.processes).toHaveLength(2);
    });

    it('starts no third process when it is closed while the second lacks what the first has', async () => {
      const started = await replaced();
      const closed = started.close();
      dev.nth(1).start({ type: 'lost', how: 'exit code 75', isInUse: true });
      await closed;
      await dev.settled();
      expect(dev.reports).toEqual([]);
      expect(dev.processes).toHaveLength(2);
    });

    it('starts nothing when it is closed between the answer and the start', async () => {
      const started = await dev.begin();
      dev.save('package.json');
      await until(() => expect(dev.nth(0).reloads).toHaveLength(1));
      const closed = started.close();
      dev.nth(0).answer({ restart: 'package.json' });
      await closed;
      await dev.settled();
      expect(dev.processes).toHaveLength(1);
    });
  });

  it.each([[false], [true]])(
    'has the real token only where it is used: live is %s',
    async (live) => {
      const env = { BOT_TOKEN: 'a-real-token', MODE: 'x' };
      dev = await openDevServer({ env: () => env, platform: { live } });
      const started = await dev.begin();
      started.restart('r');
      await dev.spawned(2);
      const expected = live ? env : { ...env, BOT_TOKEN: dev.platform.token };
      expect([0, 1].map((n) => dev.nth(n).options.env)).toEqual([expected, expected]);
    },
  );

  describe('when the process is lost', () => {
    it('starts another after a moment, which gets what came meanwhile', async () => {
      await dev.begin();
      dev.nth(0).lose('killed by SIGKILL');
      expect(dev.reports).toEqual([{ type: 'lost', how: 'killed by SIGKILL' }]);
      dev.platform.sendMessage({ content: 'anyone?' });
      await dev.clock.advance(249);
      expect(dev.processes).toHaveLength(1);
      await dev.clock.advance(1);
      await dev.spawned(2);
      dev.nth(1).start();
      await until(() => expect(dev.nth(1).events()).toMatchObject([{ content: 'anyone?' }]));
      expect(dev.nth(1).received[0]).toMatchObject({ status: { state: 'ready' } });
      expect(dev.reports[1]).toMatchObject({
        type: 'restart',
        reason: 'the process ended: killed by SIGKILL',
      });
    });

    it('keeps what was sent to it in its last moment', async () => {
      await dev.begin();
      dev.nth(0).isDeaf = true;
      dev.platform.sendMessage({ content: 'too late' });
      await until(() => expect(dev.nth(0).undelivered).toBe(1));
      dev.nth(0).lose();
      await dev.clock.advance(250);
      await dev.spawned(2);
      dev.nth(1).start();
      await until(() => expect(dev.nth(1).events()).toMatchObject([{ content: 'too late' }]));
    });

    it('waits longer each time, up to 10 s', async () => {
      await dev.begin();
      let waits = 0;
      for (const delayMs of [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]) {
        dev.nth(waits).lose();
        await dev.clock.advance(delayMs - 1);
        expect(dev.processes).toHaveLength(waits + 1);
        await dev.clock.advance(1);
        waits += 1;
        await dev.spawned(waits + 1);
        dev.nth(waits).start();
        await until(() =>
          expect(dev.types().filter((type) => type === 'restart')).toHaveLength(waits),
        );
      }
    });

    it('waits only a moment again after the process had lived for a while', async () => {
      await dev.begin();
      dev.nth(0).lose();
      await dev.clock.advance(250);
      await dev.spawned(2);
      dev.nth(1).start();
      await until(() => expect(dev.types()).toContain('restart'));
      await dev.clock.advance(30_001);
      dev.nth(1).lose();
      await dev.clock.advance(250);
      await dev.spawned(3);
    });

    it('keeps trying when the next process does not come up either', async () => {
      await dev.begin();
      dev.nth(0).lose();
      await dev.clock.advance(250);
      await dev.spawned(2);
      dev.nth(1).start({ type: 'lost', how: 'exit code 2' });
      await until(() => expect(dev.types()).toEqual(['lost', 'lost']));
      await dev.clock.advance(500);
      await dev.spawned(3);
      dev.nth(2).start();
      await until(() => expect(dev.types()).toEqual(['lost', 'lost', 'restart']));
    });

    it('says that no bot runs when the code is refused, and waits for a change', async () => {
      await dev.begin();
      dev.nth(0).lose();
      await dev.clock.advance(250);
      await dev.spawned(2);
      dev.nth(1).start({ type: 'refused', problems: [PROBLEM] });
      await until(() =>
        expect(dev.reports[1]).toEqual({ type: 'problems', problems: [PROBLEM], answering: false }),
      );
      await dev.clock.advance(60_000);
      expect(dev.processes).toHaveLength(2);
      dev.save('commands/a.ts');
      await dev.spawned(3);
      dev.nth(2).start();
      await until(() =>
        expect(dev.reports.slice(2)).toMatchObject([
          { type: 'restart', reason: 'commands/a.ts changed' },
          { type: 'fixed' },
        ]),
      );
      expect(dev.platform.snapshot().problems).toEqual([]);
    });

    it('starts one process when a change and the timer want one', async () => {
      await dev.begin();
      dev.nth(0).lose();
      dev.save('commands/a.ts');
      await dev.spawned(2);
      await dev.clock.advance(10_000);
      dev.nth(1).start();
      await until(() => expect(dev.types()).toEqual(['lost', 'restart']));
      await dev.settled();
      expect(dev.processes).toHaveLength(2);
    });

    it('starts one process when it is lost during a reload', async () => {
      await dev.begin();
      dev.save('commands/a.ts');
      await until(() => expect(dev.nth(0).reloads).toHaveLength(1));
      dev.nth(0).lose();
      await dev.settled();
      await dev.clock.advance(250);
      await dev.spawned(2);
      dev.nth(1).start();
      await until(() => expect(dev.types()).toEqual(['lost', 'restart']));
      await dev.clock.advance(60_000);
      expect(dev.processes).toHaveLength(2);
      expect(dev.log.error).not.toHaveBeenCalled();
    });

    it('starts no other process when the next change is refused', async () => {
      await dev.begin();
      dev.nth(0).lose();
      dev.save('commands/a.ts');
      await dev.spawned(2);
      dev.nth(1).start({ type: 'refused', problems: [PROBLEM] });
      await until(() => expect(dev.types()).toEqual(['lost', 'problems']));
      await dev.clock.advance(60_000);
      expect(dev.processes).toHaveLength(2);
    });

    it('starts one process when it is lost while its successor is loaded', async () => {
      await dev.begin();
      dev.save('services.ts');
      await until(() => expect(dev.nth(0).reloads).toHaveLength(1));
      dev.nth(0).answer({ restart: 'services.ts' });
      await dev.spawned(2);
      dev.nth(0).lose();
      await dev.clock.advance(10_000);
      dev.nth(1).start();
      await until(() => expect(dev.types()).toEqual(['lost', 'restart']));
      await dev.settled();
      expect(dev.processes).toHaveLength(2);
    });

    it('reports how many of the events in between were dropped', async () => {
      await dev.begin();
      dev.nth(0).isDeaf = true;
      dev.platform.sendMessage({ content: 'old' });
      await until(() => expect(dev.nth(0).undelivered).toBe(1));
      dev.nth(0).lose();
      await dev.clock.advance(250);
      await dev.spawned(2);
      await dev.clock.advance(31_000);
      dev.nth(1).start();
      await until(() => expect(dev.reports).toContainEqual({ type: 'dropped', events: 1 }));
      expect(dev.nth(1).events()).toEqual([]);
    });

    it('starts nothing after it was closed', async () => {
      const started = await dev.begin();
      dev.nth(0).lose();
      await started.close();
      await dev.clock.advance(60_000);
      await dev.settled();
      expect(dev.processes).toHaveLength(1);
      expect(dev.clock.pending).toBe(0);
    });
  });
});
