// oxlint-disable-next-line virgule/outside-world -- users press at a steady pace, on the clock on the wall.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startDev, type RunningDev } from './running-dev.js';
import { answering } from './test-project.js';
import { until } from './until.js';

const PID = {
  'commands/pid.ts': `export default { description: 'Pid', run: () => String(process.pid) };`,
};

/** Returns the states of the interactions, by id. */
async function states(dev: RunningDev, ids: readonly string[]): Promise<Record<string, number>> {
  const { interactions } = await dev.get('/_sim/world');
  const counts: Record<string, number> = {};
  for (const { id, state } of interactions as { id: string; state: string }[]) {
    if (ids.includes(id)) counts[state] = (counts[state] ?? 0) + 1;
  }
  return counts;
}

describe('virgule dev, when things go wrong', () => {
  it('starts on a project with problems: they are shown on the page, and the rest answers', async () => {
    await using dev = await startDev({
      ...PID,
      'commands/a.ts': 'export {};',
      'commands/b.ts': 'export default {',
    });
    expect(dev.ready).toMatchObject({ commands: 1 });
    expect(await dev.reported('problems')).toMatchObject({
      problems: [{ code: 'E_NO_HANDLER' }, { code: 'E_SYNTAX' }],
      answering: true,
    });
    expect((await dev.get('/_sim/world')).problems).toHaveLength(2);
    expect(Number(await dev.say('/pid'))).toBeGreaterThan(0);

    await dev.project.write('commands/a.ts', answering('a'));
    expect(await dev.reported('reload')).toMatchObject({ commands: { added: ['a'] }, problems: 1 });
    // While one file is broken, the saves of others are swapped.
    await dev.project.write('commands/a.ts', answering('another a'));
    await dev.reported('reload');
    expect(await dev.say('/a')).toBe('another a');
    await dev.project.write('commands/b.ts', answering('b'));
    await dev.reported('fixed');
    expect(await dev.say('/b')).toBe('b');
    expect(await dev.identifies()).toBe(1);
  });

  it('starts a new process although a file is broken, and takes saves while a new one is held back', async () => {
    await using dev = await startDev({ ...PID, 'commands/wip.ts': `import '../lib/none.js';` });
    await dev.reported('problems');
    const pid = await dev.say('/pid');
    await dev.project.write('.env', 'A=1');
    await dev.reported('restart');
    const next = await dev.say('/pid');
    expect(next).not.toBe(pid);

    dev.forgetReports();
    await dev.project.write('services.ts', 'export default {');
    expect(await dev.reported('notice')).toMatchObject({
      text: expect.stringContaining('held back by services.ts:1:17 (services.ts runs only at'),
    });
    await dev.project.write('commands/a.ts', answering('a'));
    await dev.reported('reload');
    expect(await dev.say('/a')).toBe('a');
    expect(await dev.say('/pid')).toBe(next);
    await dev.project.write('services.ts', 'export default () => ({});');
    await dev.reported('restart');
    expect(await dev.say('/pid')).not.toBe(next);
  });

  it('keeps running when the code ends its own process, and loads the fix', async () => {
    await using dev = await startDev({ ...PID, 'commands/a.ts': 'process.exit(3);' });
    expect(await dev.reported('lost')).toMatchObject({
      how: 'exit code 3 while loading commands/a.ts',
    });
    expect((await dev.get('/_sim/world')).problems).toMatchObject([{ code: 'E_CHILD_LOST' }]);
    await dev.project.write('commands/a.ts', answering('a'));
    await dev.reported('restart');
    await dev.registered('a', 'pid');
    expect((await dev.get('/_sim/world')).problems).toEqual([]);
  });
});

describe('virgule dev, when its process is killed or files change all the time', () => {
  let dev: RunningDev;
  beforeAll(async () => {
    dev = await startDev({
      'commands/slow.ts': `export default { description: 'S', defer: 'now', run: () => new Promise(() => {}) };`,
      ...PID,
    });
  });
  beforeEach(() => dev.forgetReports());
  afterAll(() => dev[Symbol.asyncDispose]());

  it('answers every command of a burst in whose middle the process is killed', async () => {
    const pid = Number(await dev.say('/pid'));
    const ids: string[] = [];
    for (let round = 0; round < 10; round += 1) {
      // The kill happens among commands that are typed, in flight, running and answered.
      const typed = Array.from({ length: 10 }, () => dev.type('/pid'));
      if (round === 5) process.kill(pid, 'SIGKILL');
      ids.push(...(await Promise.all(typed)));
    }
    await dev.reported('restart');
    await until(async () => expect(await states(dev, ids)).toEqual({ answered: 100 }));
    expect(Number(await dev.say('/pid'))).not.toBe(pid);
    expect(await dev.identifies()).toBe(1);
  });

  it('replies to the user of a command that had shown the thinking state when its process died', async () => {
    const pid = Number(await dev.say('/pid'));
    const id = await dev.type('/slow');
    // On a busy machine, the server may defer first: a command whose process has made no call runs again.
    const call = expect.objectContaining({
      group: id,
      kind: 'request',
      from: 'bot',
      isError: false,
    });
    await until(async () => expect((await dev.get('/_sim/trace')).rows).toContainEqual(call));
    expect(await states(dev, [id])).toEqual({ deferred: 1 });
    process.kill(pid, 'SIGKILL');
    await until(async () => expect(await states(dev, [id])).toEqual({ answered: 1 }));
    const { messages } = await dev.get('/_sim/messages?limit=5');
    expect(messages.at(-1).content).toContain('The bot is restarting.');
    await dev.reported('restart');
  });

  it('takes every edit that is made while another one is taken over', async () => {
    for (let n = 0; n < 30; n += 1) {
      await dev.project.write('commands/a.ts', answering(`answer ${n}`));
      await dev.project.write(`commands/c${n}.ts`, answering(`command ${n}`));
      // Some are seen apart, some together.
      if (n % 3 === 0) await pause(n % 7);
    }
    const names = ['a', 'pid', 'slow', ...Array.from({ length: 30 }, (_, n) => `c${n}`)];
    await dev.registered(...names.toSorted());
    await until(async () => expect(await dev.say('/a')).toBe('answer 29'));
    expect(await dev.say('/c29')).toBe('command 29');
    // A file that was seen half-written may have been reported, and then fixed.
    expect((await dev.get('/_sim/world')).problems).toEqual([]);
  });
});
