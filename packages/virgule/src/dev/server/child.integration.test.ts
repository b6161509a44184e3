import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ForkedChild, RELOAD_MS, SILENT_STOP_MS, START_MS, STOP_MS } from './child.js';

const SLOW = { timeout: 60_000, interval: 10 };

/** Code with which a bot's process sends messages to its parent. */
const SPEAKING = `
  const begin = await new Promise((resolve) => process.once('message', resolve));
  const { key } = begin;
  const send = (message, done) => process.send({ key, message }, done);`;
const LOADED = `send({ type: 'loaded', commands: 2, events: 1, problems: [] });`;
/** Lives as long as its parent, and does as `stop` says. */
const ALIVE = `process.on('message', ({ type }) => type === 'stop' && process.exit(0));`;

/** Starts a process that runs this script in place of a bot. */
function start(script: string, env: Readonly<Record<string, string>> = {}, inspectPort?: number) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'virgule-process-')));
  const entry = join(root, 'entry.mjs');
  writeFileSync(entry, SPEAKING + script);
  const clock = createFakeClock();
  const lines: string[] = [];
  const lost: string[] = [];
  const silent: boolean[] = [];
  const awaited = { answer: false };
  const loading: { what?: string } = {};
  const messages: unknown[] = [];
  const child = new ForkedChild({
    root,
    entry,
    inspectPort,
    platform: { token: 'the-token', baseUrl: 'http://127.0.0.1:1', live: false },
    env,
    clock,
    onLine: (line, stream, log) => lines.push(`${log ? 'entry' : stream}: ${line}`),
    onMessage: (message) => messages.push(message),
    onSilent: () => silent.push(true),
    isAwaited: () => awaited.answer,
    loading: () => loading.what,
    onLost: (how) => lost.push(how),
  });
  onTestFinished(async () => {
    if (child.pid !== undefined && isAlive(child.pid)) process.kill(child.pid, 'SIGKILL');
    rmSync(root, { recursive: true, force: true });
  });
  const said = (line: string) => vi.waitFor(() => expect(lines).toContain(line), SLOW);
  const isGone = () =>
    vi.waitFor(() => expect(child.pid !== undefined && isAlive(child.pid)).toBe(false), SLOW);
  return {
    root,
    clock,
    child,
    lines,
    lost,
    silent,
    awaited,
    loading,
    messages,
    said,
    isGone,
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('ForkedChild', () => {
  it('runs in the folder of the project, with the address and the token of the platform', async () => {
    const { root, child, said } = start(
      `const { token, baseUrl } = begin;
       console.log([process.cwd(), token, baseUrl, process.env.OWN].join(' '));
       ${LOADED}${ALIVE}`,
      { OWN: 'of the bot' },
    );
    await said(`stdout: ${root} the-token http://127.0.0.1:1 of the bot`);
    await expect(child.stop()).resolves.toBeUndefined();
  });

  it('receives its environment first, also when it was started in another', async () => {
    const { child, said } = start(
      `const { type, env, live } = begin;
       console.log([type, JSON.stringify(env), live].join(' '));
       ${LOADED}${ALIVE}`,
      { OWN: 'of the bot' },
    );
    await said('stdout: begin {"OWN":"of the bot"} false');
    await expect(child.stop()).resolves.toBeUndefined();
  });

  it('reports what was loaded', async () => {
    const { child, lost } = start(LOADED + ALIVE);
    expect(await child.started).toEqual({
      type: 'loaded',
      commands: 2,
      events: 1,
      problems: [],
    });
    await child.stop();
    expect(lost).toEqual([]);
  });

  it('asks, and gives up on an answer after 5 s', async () => {
    const { child, clock, isGone } = start(
      `process.on('message', ({ type, number, question }) => {
         if (type !== 'question' || question.type === 'storage') return;
         if (question.type === 'tasks') send({ type: 'reply', number, value: { value: [question] } });
         else process.exit(1);
       });
       ${LOADED}${ALIVE}`,
    );
    await child.started;
    expect(await child.ask({ type: 'tasks' })).toEqual({ value: [{ type: 'tasks' }] });
    const unanswered = child.ask({ type: 'storage', prefix: '' });
    await clock.advance(5_000);
    expect(await unanswered).toBeNull();
    expect(await child.ask({ type: 'task', action: 'cancel', name: 'x' })).toBeNull();
    await isGone();
    expect(await child.ask({ type: 'tasks' })).toBeNull();
  });

  it('reports the problems of a project that it refuses, and does not count its exit as a crash', async () => {
    const { child, lost } = start(
      `send({ type: 'refused', problems: [{ code: 'E_X', message: 'no' }] }, () => process.exit(1));`,
    );
    expect(await child.started).toEqual({
      type: 'refused',
      problems: [{ code: 'E_X', message: 'no' }],
    });
    await child.ended;
    expect(lost).toEqual([]);
  });

  it.each([
    ['ends by itself', 'process.exit(3);', 'exit code 3'],
    [
      'is killed',
      `process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1_000);`,
      'killed by SIGKILL',
    ],
    ['throws', `throw new Error('boom');`, 'exit code 1'],
    ['cannot be read', 'const = ;', 'exit code 1'],
  ])('reports how a process was lost that %s before it loaded', async (_, script, how) => {
    const { child, lost } = start(script);
    expect(await child.started).toEqual({ type: 'lost', how });
    await child.ended;
    expect(lost).toEqual([]);
  });

  it('passes on the last lines before it reports that the process was lost', async () => {
    const { child, lines } = start(
      `for (let i = 0; i < 2_000; i += 1) console.error('line ' + i); process.exitCode = 1;`,
    );
    await child.started;
    expect(lines).toHaveLength(2_000);
    expect(lines.at(-1)).toBe('stderr: line 1999');
  });

  it('does not wait indefinitely for the output of the child processes that it started', async () => {
    const { child, clock, lines, said } = start(
      `import { spawn } from 'node:child_process';
       const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
         stdio: ['ignore', 'inherit', 'inherit'], detached: true,
       });
       console.log('started');
       console.log(pid);
       process.on('message', () => process.exit(0));
       ${LOADED}`,
    );
    await said('stdout: started');
    await child.started;
    const stopped = vi.fn();
    void child.stop().then(stopped);
    await vi.waitFor(async () => {
      await clock.advance(100);
      expect(stopped).toHaveBeenCalled();
    }, SLOW);
    process.kill(Number(lines[1]?.replace('stdout: ', '')), 'SIGKILL');
  });

  it('gives up a process that never loads, and ends it', async () => {
    const { child, clock, lost, said, isGone } = start(
      `setInterval(() => {}, 1_000); console.log('up'); await new Promise(() => {});`,
    );
    await said('stdout: up');
    await clock.advance(START_MS);
    expect(await child.started).toEqual({ type: 'lost', how: 'not loaded after 30 s' });
    await isGone();
    await child.ended;
    expect(lost).toEqual([]);
  });

  /** Sends a heartbeat for each line that asks for one, and prints that it did. */
  const SIGNING = `
    let count = 0;
    process.on('message', ({ type, event }) => {
      if (type === 'stop') process.exit(0);
      if (type !== 'event') return;
      send({ type: 'alive' }, () => console.log('sign ' + ++count));
    });`;
  const ASKING = { type: 'event', number: 1, event: { t: 'X', d: 1, receivedAtMs: 0 } } as const;

  it('leaves a process alone that loaded in time and sends heartbeats', async () => {
    const { child, clock, lost, said } = start(LOADED + SIGNING);
    await child.started;
    for (let second = 1; second <= 2 * (START_MS / 1_000); second += 1) {
      child.send(ASKING);
      await said(`stdout: sign ${second}`);
      await clock.advance(1_000);
    }
    expect(child.pid !== undefined && isAlive(child.pid)).toBe(true);
    await child.stop();
    expect(lost).toEqual([]);
  });

  it('ends a process that hangs, and says why', async () => {
    const { child, clock, lost, isGone } = start(`${LOADED} for (;;);`);
    await child.started;
    await clock.advance(10_000);
    expect(lost).toEqual([]);
    await clock.advance(1_000);
    await isGone();
    await vi.waitFor(async () => {
      await clock.advance(100);
      expect(lost).toEqual(['no response for 10 s']);
    }, SLOW);
  });

  it.each([
    ['a command', '', [], '/spin (commands/spin.ts)'],
    [
      'a change that it takes over',
      `process.on('message', ({ type }) => { if (type === 'reload') { console.log('busy'); for (;;); } });`,
      ['commands/loop.ts'],
      'the change of commands/loop.ts',
    ],
  ])(
    'ends one sooner that hangs in %s which someone waits for, and names it',
    async (_, script, files, what) => {
      const { root, child, clock, lost, silent, awaited, said } = start(
        `${LOADED} ${
          script ||
          `send({ type: 'handling', number: 1, what: '/spin (commands/spin.ts)' });
          console.log('busy'); for (;;);`
        }`,
      );
      awaited.answer = true;
      await child.started;
      if (files.length > 0) void child.reload(files.map((file) => join(root, file)));
      await said('stdout: busy');
      await clock.advance(4_000);
      expect([silent, lost]).toEqual([[true], []]);
      await clock.advance(2_000);
      await vi.waitFor(async () => {
        await clock.advance(100);
        expect(lost).toEqual([`no response for 5 s, most likely in ${what}`]);
      }, SLOW);
      expect(child.wasHung).toBe(true);
    },
  );

  it('names what it was busy with, when it ends or takes too long before it has loaded', async () => {
    const ends = start(``);
    ends.loading.what = 'commands/spin.ts';
    const how = 'exit code 0 while loading commands/spin.ts';
    expect(await ends.child.started).toEqual({ type: 'lost', how });
    const stays = start(`console.log('up'); setInterval(() => {}, 1_000);`);
    stays.loading.what = 'commands/spin.ts';
    await stays.said('stdout: up');
    await stays.clock.advance(START_MS);
    expect(await stays.child.started).toEqual({
      type: 'lost',
      how: 'not loaded after 30 s: still loading commands/spin.ts',
    });
    await stays.isGone();
  });

  it('can be given up while it loads', async () => {
    const { child, said, lost } = start(`setInterval(() => {}, 1_000); console.log('up');`);
    await said('stdout: up');
    child.giveUp('no longer wanted');
    expect(await child.started).toEqual({ type: 'lost', how: 'no longer wanted' });
    await child.ended;
    expect([lost, child.wasHung]).toEqual([[], false]);
  });

  it('waits without a limit for a process that a debugger may pause', async () => {
    const { child, clock, lines, lost, said } = start(
      `console.log(process.execArgv.join()); setTimeout(() => { ${LOADED} }, 50); ${ALIVE}`,
      {},
      0,
    );
    await said('stdout: --inspect=127.0.0.1:0');
    await clock.advance(START_MS);
    await child.started;
    await clock.advance(60_000);
    expect(lost).toEqual([]);
    expect(lines.join()).toContain('Debugger listening on ws://127.0.0.1:');
    await child.stop();
  });

  it('passes on what else a process says', async () => {
    const { child, messages } = start(
      `send({ type: 'loading', file: '/x.ts' }); send({ type: 'code', folders: [], restarting: 'x', defers: {} }); ${LOADED} ${ALIVE}`,
    );
    await child.started;
    expect(messages).toEqual([
      { type: 'loading', file: '/x.ts' },
      { type: 'code', folders: [], restarting: 'x', defers: {} },
    ]);
    await child.stop();
  });

  it('ignores messages that code of the bot sends', async () => {
    const { child, messages, lost } = start(
      `for (const message of [null, 7, 'ready', [], {}, { type: 'loaded' }, { type: 'refused' },
         { type: 'reply' }, { key: 'x' }, { key: 'x', message: null }, { message: { type: 'code' } }])
         process.send(message);
       ${LOADED} ${ALIVE}`,
    );
    expect(await child.started).toMatchObject({ type: 'loaded', commands: 2 });
    expect(messages).toEqual([]);
    await child.stop();
    expect(lost).toEqual([]);
  });

  it('distinguishes log entries from lines that look like one, and keeps all in order', async () => {
    const { child, lines } = start(
      `const { writeSync } = await import('node:fs');
       const entry = '{"level":30,"msg":"said"}';
       const log = () => writeSync(1, key + entry + '\\n');
       process.stdout._handle.setBlocking(true);
       console.log(entry);
       log();
       process.stdout.write('no newline');
       log();
       process.stdout.write('y'.repeat(3_000_000));
       log();
       process.exit(1);`,
    );
    await child.ended;
    const short = lines.map((line) => (line.length > 100 ? 'long' : line));
    expect(short.filter((line, index) => line !== 'long' || short[index - 1] !== 'long')).toEqual([
      'stdout: {"level":30,"msg":"said"}',
      'entry: {"level":30,"msg":"said"}',
      'stdout: no newline',
      'entry: {"level":30,"msg":"said"}',
      'long',
      'entry: {"level":30,"msg":"said"}',
    ]);
    const long = lines
      .filter((line) => line.length > 100)
      .map((line) => line.replace('stdout: ', ''));
    expect(long.join('')).toBe('y'.repeat(3_000_000));
  });

  it('reports once when a loaded process is lost', async () => {
    const { child, lost } = start(LOADED + ALIVE);
    await child.started;
    process.kill(child.pid ?? 0, 'SIGKILL');
    await child.ended;
    expect(lost).toEqual(['killed by SIGKILL']);
  });

  it('cannot start in a folder that does not exist', async () => {
    const lost: string[] = [];
    const clock = createFakeClock();
    const child = new ForkedChild({
      root: join(tmpdir(), 'virgule-there-is-no-such-folder'),
      platform: { token: '', baseUrl: '', live: false },
      env: {},
      clock,
      onLine: () => {},
      onMessage: () => {},
      onSilent: () => {},
      isAwaited: () => false,
      loading: () => undefined,
      onLost: (how) => lost.push(how),
    });
    const started = await vi.waitFor(async () => {
      await clock.advance(100);
      const start = await Promise.race([child.started, Promise.resolve(null)]);
      expect(start).not.toBeNull();
      return start;
    }, SLOW);
    expect(started).toMatchObject({
      type: 'lost',
      how: expect.stringMatching(/^the folder .* does not exist$/),
    });
    expect(lost).toEqual([]);
  });
});

describe('reload', () => {
  const ANSWERING = `
    process.on('message', ({ type, number, files }) => {
      if (type === 'stop') process.exit(0);
      if (type === 'reload') send({
        type: 'reply', number,
        value: { isNew: true, evaluated: files.length, problems: [] },
      });
    });`;

  it('returns the result of the change', async () => {
    const { child } = start(LOADED + ANSWERING);
    await child.started;
    expect(await Promise.all([child.reload(['a', 'b']), child.reload(['c'])])).toEqual([
      { isNew: true, evaluated: 2, problems: [] },
      { isNew: true, evaluated: 1, problems: [] },
    ]);
    await child.stop();
  });

  it('returns nothing when the process dies meanwhile', async () => {
    const { root, child, lost } = start(
      `${LOADED} process.on('message', ({ type }) => type === 'reload' && process.exit(7));`,
    );
    await child.started;
    expect(await child.reload([join(root, 'commands/a.ts')])).toBeNull();
    await child.ended;
    expect(lost).toEqual(['exit code 7 while loading commands/a.ts']);
    expect(await child.reload(['b'])).toBeNull();
  });

  it('asks for a new process when the change is never taken over', async () => {
    const { child, clock } = start(LOADED + ALIVE);
    await child.started;
    const reloaded = child.reload(['a']);
    const many = child.reload(['a', 'b', 'c']);
    let isGivenUp = false;
    void many.then(() => (isGivenUp = true));
    await clock.advance(RELOAD_MS + 199);
    expect(isGivenUp).toBe(false);
    const stuck = {
      isNew: false,
      evaluated: 0,
      commands: null,
      problems: [],
      restart: 'a reload did not finish',
    };
    expect(await reloaded).toEqual(stuck);
    await clock.advance(1);
    expect(await many).toEqual(stuck);
    await child.stop();
  });

  it('asks for a new process when the change is given up; without one, nothing is', async () => {
    const { child } = start(
      `${LOADED} ${ALIVE} process.on('message', ({ type, number, files }) => {
        if (files?.[0] === 'a') send({ type: 'reply', number, value: {} });
      });`,
    );
    await child.started;
    child.giveUpReload();
    expect(await child.reload(['a'])).toEqual({});
    const reloaded = child.reload(['b']);
    child.giveUpReload();
    expect(await reloaded).toMatchObject({ restart: expect.any(String) });
    await child.stop();
  });

  it('takes the next change again once a late one is answered, and knows the problems of the late one', async () => {
    const { child, clock } = start(
      `${LOADED} ${ALIVE}
       const late = [];
       process.on('message', ({ type, number, files }) => {
         if (type === 'question') for (const number of late.splice(0))
           send({ type: 'reply', number, value: { problems: [{ code: 'E_LATE', message: 'late' }] } });
         if (type === 'question') send({ type: 'reply', number, value: {} });
         else if (files?.[0] === 'soon.ts') send({ type: 'reply', number, value: { evaluated: 1, problems: [] } });
         else late.push(number);
       });`,
    );
    await child.started;
    const late = child.reload(['late.ts']);
    await clock.advance(RELOAD_MS);
    expect(await late).toMatchObject({ restart: expect.any(String) });
    // Also sent, as no new process may take over.
    const behind = child.reload(['behind.ts']);
    child.giveUpReload();
    expect(await behind).toMatchObject({ restart: expect.any(String) });
    await child.ask({ type: 'tasks' });
    expect(child.problems).toMatchObject([{ code: 'E_LATE' }]);
    expect(await child.reload(['soon.ts'])).toEqual({ evaluated: 1, problems: [] });
    expect(child.problems).toEqual([]);
    await child.stop();
  });

  it('leaves no timer behind', async () => {
    const { child, clock } = start(LOADED + ANSWERING);
    await child.started;
    await child.reload(['a']);
    // Its heartbeats are awaited.
    expect(clock.pending).toBe(1);
    await child.stop();
    expect(clock.pending).toBe(0);
  });
});

describe('send', () => {
  const EVENT = { type: 'event', number: 1, event: { t: 'X', d: 1, receivedAtMs: 0 } } as const;

  it('reaches the process', async () => {
    const { child, said } = start(
      `${LOADED} ${ALIVE} process.on('message', (message) => console.log(JSON.stringify(message)));`,
    );
    await child.started;
    const undelivered = vi.fn();
    child.send(EVENT, undelivered);
    await said(`stdout: ${JSON.stringify(EVENT)}`);
    expect(undelivered).not.toHaveBeenCalled();
    await child.stop();
  });

  it('reports when the process is gone', async () => {
    const { child } = start(LOADED + ALIVE);
    await child.started;
    await child.stop();
    const undelivered = vi.fn();
    child.send(EVENT, undelivered);
    expect(undelivered).toHaveBeenCalledOnce();
    expect(() => child.send(EVENT)).not.toThrow();
  });
});

describe('stop', () => {
  it('ends the process in good order', async () => {
    const { child, lines } = start(
      `${LOADED} process.on('message', ({ type }) => { console.log('told to ' + type); type === 'stop' && process.exit(0); });`,
    );
    await child.started;
    await child.stop();
    expect(lines).toEqual(['stdout: told to stop']);
  });

  it('kills a process that takes longer than its handlers may', async () => {
    const { child, clock, lost, said } = start(
      `${LOADED} process.on('message', () => console.log('no')); process.on('SIGTERM', () => {});`,
    );
    await child.started;
    const stopped = child.stop();
    await said('stdout: no');
    await clock.advance(STOP_MS - 1);
    expect(child.pid !== undefined && isAlive(child.pid)).toBe(true);
    await clock.advance(1);
    await stopped;
    expect(lost).toEqual([]);
  });

  it('kills a process whose code runs in circles', async () => {
    const { child, clock, isGone, said } = start(
      `${LOADED} process.on('message', () => { console.log('busy'); for (;;); });`,
    );
    await child.started;
    const stopped = child.stop();
    await said('stdout: busy');
    await clock.advance(STOP_MS);
    await expect(stopped).resolves.toBeUndefined();
    await isGone();
  });

  it('kills one that was silent before, soon', async () => {
    const { child, clock, silent, isGone } = start(`${LOADED} for (;;);`);
    await child.started;
    await clock.advance(1_500);
    expect(silent).toEqual([true]);
    const stopping = child.stop();
    await clock.advance(SILENT_STOP_MS);
    await isGone();
    await stopping;
  });

  it('does not wait for a process that has not loaded yet', async () => {
    const { child, said, isGone } = start(
      `process.on('message', () => {}); setInterval(() => {}, 1_000); console.log('up');`,
    );
    await said('stdout: up');
    await child.stop();
    await isGone();
    expect(await child.started).toMatchObject({ type: 'lost' });
  });

  it('can be called twice, and after the end', async () => {
    const { child } = start(LOADED + ALIVE);
    await child.started;
    await Promise.all([child.stop(), child.stop()]);
    await expect(child.stop()).resolves.toBeUndefined();
  });

  it('leaves no listener on this process', async () => {
    const before = process.listenerCount('exit');
    const { child } = start(LOADED + ALIVE);
    expect(process.listenerCount('exit')).toBe(before + 1);
    await child.stop();
    expect(process.listenerCount('exit')).toBe(before);
  });
});
