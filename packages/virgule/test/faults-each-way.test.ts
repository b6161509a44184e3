// The same file of faults does the same, whichever way it is set. The page sets them over the control API.
import type { SimFaultRule, SimFaults } from '@virgule/core/simulator-api';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run as runCli } from '../src/commands/command-line.js';
import { lockState } from '../src/state/state-lock.js';
import { createTestBot } from '../src/testing/create-test-bot.js';
import type { TestBot } from '../src/testing/test-bot.js';
import { createTestIo } from './test-io.js';
import { answering, createTestProject } from './test-project.js';

interface Place {
  readonly bot: TestBot;
  readonly root: string;
  readonly text: string;
}

/** The ways to set faults. */
const WAYS: readonly (readonly [way: string, set: (place: Place) => Promise<void>])[] = [
  ['the test kit', async ({ bot, text }) => bot.platform.setFaults(JSON.parse(text) as SimFaults)],
  [
    'the control API',
    async ({ bot, text }) => {
      const headers = { 'content-type': 'application/json' };
      const init = { method: 'POST', headers, body: text };
      expect((await fetch(`${bot.platform.baseUrl}/_sim/faults`, init)).ok).toBe(true);
    },
  ],
  [
    'virgule sim faults',
    async ({ bot, root }) => {
      using lock = lockState({ root });
      lock.announce(bot.platform.baseUrl);
      const io = createTestIo({ cwd: root });
      expect([await runCli(['sim', 'faults', '--rules', '@faults.json'], io), io.err]).toEqual([
        0,
        '',
      ]);
    },
  ],
];

const on = { request: 'interactions.respond' };

/** The faults, the number of connections that follow, and what the user of a command sees. */
const FAULTS: readonly (readonly [
  fault: string,
  rule: Pick<SimFaultRule, 'on' | 'do'>,
  identifies: number,
  seen: object,
])[] = [
  [
    'a dropped connection',
    { on: { frame: 'HEARTBEAT_ACK' }, do: { type: 'close', code: 1012 } },
    2,
    { content: 'hello' },
  ],
  [
    'missed acknowledgements',
    { on: { frame: 'HEARTBEAT_ACK' }, do: { type: 'silence' } },
    2,
    { content: 'hello' },
  ],
  ['429', { on, do: { type: 'status', status: 429, retryAfter: 1 } }, 1, { content: 'hello' }],
  ['503', { on, do: { type: 'status', status: 503, body: 'html' } }, 1, { content: 'hello' }],
  [
    'expiry',
    { on, do: { type: 'expire' } },
    1,
    { state: 'expired', error: { message: expect.stringContaining('was not answered in time') } },
  ],
];

describe.each(WAYS)('faults set by %s', (_way, set) => {
  it.each(FAULTS)('are survived or explained: %s', async (fault, rule, identifies, seen) => {
    const text = JSON.stringify({ seed: '1', rules: [{ name: fault, ...rule, times: 1 }] });
    const project = await createTestProject({
      'commands/hello.ts': answering('hello'),
      'faults.json': text,
    });
    onTestFinished(() => project[Symbol.asyncDispose]());
    const { root } = project;
    const bot = await createTestBot({ root, network: true, strict: false });
    onTestFinished(() => bot.close());
    await set({ bot, root, text });
    await bot.clock.advance('2m');
    const ran = bot.run('/hello');
    await bot.clock.advance('10s');
    expect(await ran).toMatchObject(seen);
    expect(bot.platform.counts.identifies).toBe(identifies);
    expect(bot.platform.faults).toMatchObject({ seed: '1', rules: [{ name: fault, hits: 1 }] });
    expect((await bot.run('/hello')).content).toBe('hello');
  });
});
