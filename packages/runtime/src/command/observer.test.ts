import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it, vi } from 'vitest';
import { unauthorized } from '../../test/client-failures.js';
import { interactionId, OTHER_USER } from '../../test/ids.js';
import { messageWith } from '../../test/messages.js';
import { createRecordedLog } from '../../test/recorded-log.js';
import { createTaskMachine } from '../../test/task-processes.js';
import { startCommand, startTestBot } from '../../test/test-bot.js';
import { defineEvent } from '../events/define-event.js';
import { defineTask } from '../tasks/define-task.js';
import type { BotObserver, Work } from './observer.js';
import { observe } from './observer.js';

describe('BotObserver', () => {
  it('receives the parts before the bot connects, and then the states of the connection', async () => {
    const reported: string[] = [];
    const bot = await startCommand(
      { run: () => 'ok' },
      {
        observers: [
          {
            connecting: ({ gateway, rest }) =>
              reported.push(`connecting ${'connect' in (gateway ?? {})} ${'commands' in rest}`),
            status: ({ state }) => reported.push(state),
          },
        ],
      },
    );
    bot.gateway.status({ state: 'reconnecting', reason: 'lost', attempt: 1, delayMs: 5 });
    bot.gateway.status({ state: 'closed', error: unauthorized() });
    expect(reported).toEqual(['connecting true true', 'ready', 'reconnecting', 'closed']);
  });

  it('receives how each command ended and how long it took', async () => {
    const records: Work[] = [];
    const bot = await startCommand(
      {
        run: async ({ clock }) => {
          await clock.sleep('250ms');
          return 'ok';
        },
      },
      { observers: [{ ended: (record) => records.push(record) }] },
    );
    const id = bot.type('/x', { agoMs: 30 });
    await bot.clock.advance(250);
    await bot.bot.idle();
    expect(records).toEqual([
      {
        kind: 'command',
        name: 'x',
        id,
        caller: 'slash',
        startMs: expect.any(Number),
        trace: undefined,
        outcome: 'answered',
        result: 'ok',
        error: undefined,
        ms: 280,
      },
    ]);
  });

  it('receives the error that made a command fail', async () => {
    const records: Work[] = [];
    const error = new Error('no dice');
    const run = (): never => {
      throw error;
    };
    const bot = await startCommand(
      { run },
      { observers: [{ ended: (record) => records.push(record) }] },
    );
    await bot.run('/x');
    expect(records).toMatchObject([{ outcome: 'answered', error }]);
  });

  it.each<[what: string, handler: () => Promise<void>, result: object]>([
    ['has ended', async () => {}, { result: 'ok' }],
    ['failed', () => Promise.reject(new Error('no')), { result: 'failed', error: new Error('no') }],
    ['timed out', () => new Promise(() => {}), { result: 'E_COMMAND_TIMEOUT' }],
  ])(
    'receives that the handler of an event %s, and that a handler of ready is none',
    async (_, handler, result) => {
      const works: Work[] = [];
      const modules = {
        'events/ready.ts': { default: defineEvent('ready', () => {}) },
        'events/message-create.ts': {
          default: defineEvent('MESSAGE_CREATE', handler, { timeout: '1s' }),
        },
      };
      const bot = await startTestBot(modules, {
        observers: [{ ended: (work) => works.push(work) }],
      });
      bot.emit('MESSAGE_CREATE', messageWith({ authorId: OTHER_USER }));
      await bot.clock.advance(1_000);
      await bot.bot.idle();
      const ended = works.filter(({ kind }) => kind === 'event');
      expect(ended).toMatchObject([{ name: 'events/message-create.ts', ...result }]);
    },
  );

  it.each([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no'))],
  ])('receives the failure of a handler of ready that %s', async (_, handler) => {
    const works: Work[] = [];
    const bot = await startTestBot(
      { 'events/ready.ts': { default: defineEvent('ready', handler) } },
      { observers: [{ ended: (work) => works.push(work) }] },
    );
    await bot.clock.advance(0);
    const ended = works.filter(({ kind }) => kind === 'event');
    const failure = { name: 'events/ready.ts', result: 'failed', error: new Error('no') };
    expect(ended).toMatchObject([failure]);
  });

  it('receives each attempt of a task, whose pause is no delay, and each use of the storage', async () => {
    const works: Work[] = [];
    const run = vi.fn<() => void>().mockImplementationOnce(() => {
      throw new Error('no');
    });
    const machine = await createTaskMachine();
    const observers = [{ ended: (work: Work) => void works.push(work) }];
    const process = await machine.start({ x: defineTask({ run, backoff: '10s' }) }, { observers });
    await process.task('x').in('1m');
    await machine.clock.advance(75_000);
    const ended = (kind: string) => works.filter((work) => work.kind === kind);
    expect(ended('task')).toMatchObject([
      { name: 'x', result: 'failed', lateMs: 0 },
      { name: 'x', result: 'ok', lateMs: 0 },
    ]);
    expect(ended('storage')[0]).toMatchObject({ name: 'the disk', result: 'ok' });
  });

  it('surrounds the run of a command, the first observer outermost', async () => {
    const reported: string[] = [];
    const surrounding = (name: string): BotObserver => ({
      async around(work, run) {
        reported.push(`${name} before ${work.name} ${work.id === interactionId(1)}`);
        await run();
        reported.push(`${name} after`);
      },
    });
    const bot = await startCommand(
      { run: () => `run ${reported.push('run')}` },
      { observers: [surrounding('a'), surrounding('b')] },
    );
    await bot.run('/x');
    expect(reported).toEqual(['a before x true', 'b before x true', 'run', 'b after', 'a after']);
  });

  it('changes nothing by what it throws, which is logged', async () => {
    const throwing = (): never => {
      throw new Error('odd');
    };
    const observers: BotObserver[] = [
      { connecting: throwing, status: throwing, around: throwing, ended: throwing },
      { around: (_, run) => run().then(throwing) },
    ];
    const bot = await startCommand({ run: () => 'ok' }, { observers });
    expect(await bot.run('/x')).toEqual(['respond ok']);
    expect(bot.log.at('error').toSorted()).toEqual([
      'an observer threw in "around"',
      'an observer threw in "around"',
      'an observer threw in "connecting"',
      'an observer threw in "ended"',
      'an observer threw in "status"',
    ]);
  });

  it('passes no trace on if the observer of traces throws', () => {
    const log = createRecordedLog();
    const { passing } = observe(
      [
        {},
        {
          passing() {
            throw new Error('odd');
          },
        },
      ],
      log,
      createFakeClock(),
    );
    const work: Work = { kind: 'command', name: 'x', startMs: 0 };
    expect(passing?.(work)).toBeUndefined();
    expect(log.at('error')).toEqual(['an observer threw in "passing"']);
    expect(observe([{}], log, createFakeClock()).passing).toBeUndefined();
  });

  it('cannot run a command twice, nor keep it from running', async () => {
    const observers: BotObserver[] = [
      { around: async () => {} },
      {
        async around(_, run) {
          await run();
          await run();
        },
      },
    ];
    const run = vi.fn<() => string>(() => 'ok');
    const bot = await startCommand({ run }, { observers });
    expect(await bot.run('/x')).toEqual(['respond ok']);
    expect(run).toHaveBeenCalledOnce();
  });
});
