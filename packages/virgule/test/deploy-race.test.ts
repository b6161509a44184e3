import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startSimulator, type Simulator } from '@virgule/simulator';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../src/commands/command-line.js';
import { openGate, type Gate } from '../../simulator/test/shared/gated-simulator.js';
import { createTestIo } from './test-io.js';
import { answering, createTestProject, type TestProject } from './test-project.js';
import { until } from './until.js';

const PUT = 'PUT /commands';
const GET = 'GET /commands';

/** The given number of requests wait, and then all of them continue. */
function meeting(expected: number): () => Promise<void> {
  let come = 0;
  let open: () => void = () => {};
  const all = new Promise<void>((resolve) => (open = resolve));
  return () => {
    come += 1;
    if (come >= expected) open();
    return all;
  };
}

describe('two deploys racing, or one that is cut off (scenario 30)', () => {
  let platform: Simulator;
  let one: TestProject;
  let other: TestProject;

  beforeEach(async () => {
    platform = await startSimulator();
    one = await createTestProject({ 'commands/one.ts': answering('one') });
    other = await createTestProject({ 'commands/other.ts': answering('other') });
  });
  afterEach(async () => {
    await platform.close();
    await one[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
  });

  async function start({ root }: TestProject, gate: Gate, argv = ['--yes'], typed?: string[]) {
    const { baseUrl, lines } = await openGate(platform, gate);
    const env = {
      BOT_TOKEN: platform.token,
      BOT_BASE_URL: baseUrl,
      BOT_GATEWAY_URL: platform.gatewayUrl,
    };
    const io = createTestIo({ cwd: root, env, typed });
    const ended = run(['deploy', ...argv], io).then((code) => ({ code, out: io.out, err: io.err }));
    return { ended, lines };
  }
  const registered = (): string[] => platform.snapshot().commands.map(({ name }) => name);
  const saved = ({ root }: TestProject): Promise<string[]> =>
    readdir(join(root, '.virgule', 'deploys')).catch(() => []);

  it('stops the one whose plan is stale, and changes nothing for it', async () => {
    // Both have made their plans before either of them looks again.
    const planned = meeting(2);
    let looks = 0;
    const slow = await start(other, async (line) => {
      if (line !== GET) return;
      looks += 1;
      if (looks === 1) return;
      // The second look, right before the PUT: the first deploy is over by then.
      await planned();
      await fast.ended;
    });
    await until(() => expect(slow.lines.filter((line) => line === GET)).toHaveLength(2));
    const fast = await start(one, () => void planned());
    expect((await fast.ended).code).toBe(0);
    const stopped = await slow.ended;
    expect(stopped.code).toBe(1);
    expect(stopped.err).toContain('[E_SYNC_STALE]');
    expect(stopped.err).toContain('Nothing was changed.');
    expect(slow.lines).not.toContain(PUT);
    expect(registered()).toEqual(['one']);
    // A set that was not replaced is not offered for a rollback.
    expect(await saved(other)).toEqual([]);
    expect(await saved(one)).toHaveLength(1);
  });

  it('stops the one whose commands were overwritten, when both looked before either wrote', async () => {
    const looked = meeting(2);
    let looks = 0;
    const first = await start(one, async (line) => {
      if (line === PUT) await looked();
      if (line === GET) looks += 1;
      // It reads back only after the other one has written.
      if (line === GET && looks === 3) await second.ended;
    });
    const second = await start(other, async (line) => {
      if (line !== PUT) return;
      await looked();
      await until(() => expect(registered()).toEqual(['one']));
    });
    expect((await second.ended).code).toBe(0);
    const { code, err } = await first.ended;
    expect(code).toBe(1);
    expect(err).toContain('[E_SYNC_NOT_APPLIED]');
    expect(err).toContain('/one, /other read back differently');
    expect(registered()).toEqual(['other']);
    // It was replaced, so it can be brought back.
    expect(await saved(one)).toHaveLength(1);
  });

  it('finds by reading back that a deploy whose answer was lost was applied', async () => {
    let puts = 0;
    const cut = await start(one, (line) => {
      if (line !== PUT) return undefined;
      puts += 1;
      return { reply: 'reset' };
    });
    const { code, out } = await cut.ended;
    expect(code).toBe(0);
    expect(out).toContain('verified by reading it back');
    expect(puts).toBeGreaterThan(0);
    expect(registered()).toEqual(['one']);
  });

  it('says that nothing was changed when the request never arrived', async () => {
    const cut = await start(one, (line) =>
      line === PUT ? { takesEffect: false, reply: 'reset' } : undefined,
    );
    const { code, err } = await cut.ended;
    expect(code).toBe(1);
    expect(err).toMatch(/\[E_(OUTCOME_UNKNOWN|TIMEOUT|UNREACHABLE)\]/);
    expect(registered()).toEqual([]);
  });
});
