import { systemClock } from '@virgule/core/clock';
import type { SimFaultPreset, SimFaultRule } from '@virgule/core/simulator-api';
import { expect, it, onTestFinished } from 'vitest';
import { answering, createTestProject } from '../../test/test-project.js';
import { createTestBot } from '../testing/create-test-bot.js';
import { runChaos, type ChaosScore } from './run-chaos.js';

const FILES = {
  'commands/good.ts': answering('good'),
  'commands/file.ts': `export default { description: 'F', run: () => (
    { content: 'file', files: [{ name: 'a.txt', data: 'a' }] }
  ) };`,
  // It writes again what may have been written.
  'commands/bad.ts': `export default { description: 'B', run: async ({ rest, interactionId }) => {
    const body = { content: 'bad' };
    await rest.interactions.respond(interactionId, body).catch(
      () => rest.interactions.followUp(interactionId, body),
    );
    return null;
  } };`,
};

const preset = (more: Partial<SimFaultPreset>, ...rules: SimFaultRule[]): SimFaultPreset => ({
  name: 'test',
  does: 'nothing',
  expected: 'nothing',
  rules,
  ...more,
});
const RESPOND = { request: 'interactions.respond' } as const;

async function scoresOf(lines: readonly string[], ...presets: SimFaultPreset[]) {
  const project = await createTestProject(FILES);
  onTestFinished(() => project[Symbol.asyncDispose]());
  const bot = await createTestBot({
    root: project.root,
    clock: systemClock,
    strict: false,
    profile: { heartbeat: { intervalMs: 100 }, answerWindowMs: 800 },
  });
  onTestFinished(() => bot.close());
  const scores: Pick<ChaosScore, 'failures' | 'hits'>[] = [];
  const running = runChaos({
    bot,
    lines,
    presets,
    seed: '1',
    clock: systemClock,
    signal: new AbortController().signal,
  });
  for await (const { failures, hits } of running) scores.push({ failures, hits });
  return scores;
}

it('finds nothing wrong with a bot that answers once, whatever the platform does', async () => {
  const cut: SimFaultRule = { name: 'cut', on: RESPOND, do: { type: 'cut', when: 'after' } };
  const lost: SimFaultRule = {
    name: 'lost',
    on: { frame: 'HEARTBEAT_ACK' },
    do: { type: 'silence' },
    times: 1,
  };
  expect(
    await scoresOf(
      ['/good'],
      preset({}, { ...cut, times: 1 }),
      preset({ disconnects: true }, lost),
    ),
  ).toEqual([
    { failures: [], hits: 1 },
    { failures: [], hits: 1 },
  ]);
});

it('accepts files in a message of their own, but not the loss of one', async () => {
  const failed: SimFaultRule = {
    name: 'failed',
    on: RESPOND,
    do: { type: 'status', status: 502 },
    times: 1,
  };
  const lost: SimFaultRule = {
    name: 'lost',
    on: { request: 'interactions.followUp' },
    do: { type: 'status', status: 403 },
  };
  const [apart, without] = await scoresOf(['/file'], preset({}, failed), preset({}, failed, lost));
  expect(apart?.failures).toEqual([]);
  expect(without?.failures).toContain('/file sent 0 files instead of 1');
});

it('names the commands that write more than without faults', async () => {
  const cut: SimFaultRule = { name: 'cut', on: RESPOND, do: { type: 'cut', when: 'after' } };
  expect(await scoresOf(['/bad', '/good'], preset({}, cut))).toMatchObject([
    { failures: ['/bad wrote 2 messages instead of 1'] },
  ]);
});

it('names the commands that expire, unless they may', async () => {
  const down: SimFaultRule = { name: 'down', on: RESPOND, do: { type: 'expire' }, times: 1 };
  const [strict, lenient] = await scoresOf(
    ['/good'],
    preset({}, down),
    preset({ mayExpire: 1 }, down),
  );
  expect([strict?.failures, lenient?.failures]).toEqual([['/good expired'], []]);
});
