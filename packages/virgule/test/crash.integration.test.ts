import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startSimulator, type Simulator } from '@virgule/simulator';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildApart, envOf, soon, startBuilt } from './built-bot.js';

const RESTARTING = 'The bot is restarting. Please try again in a moment.';

const FILES = {
  'commands/slow.ts': `
    export default { description: 'Slow', defer: 'now', run: () => new Promise(() => {}) };`,
  'commands/stream.ts': `
    export default {
      description: 'Stream',
      async *run() {
        yield 'state 1';
        await new Promise(() => {});
      },
    };`,
  'commands/boom.ts': `
    export default {
      description: 'Boom',
      defer: 'now',
      run: () => new Promise(() => setTimeout(() => { throw new Error('no luck'); }, 1)),
    };`,
  'commands/exit.ts': `
    export default { description: 'Exit', run: () => process.exit(3) };`,
};

describe('the commands in progress of a bot that ends without a shutdown', () => {
  let platform: Simulator;
  let folder: string;
  beforeAll(async () => {
    const built = await buildApart(FILES);
    ({ folder } = built);
    return built.remove;
  });
  beforeEach(async () => {
    platform = await startSimulator();
  });
  afterEach(() => platform.close());

  /** Returns the messages of the bot: the first one is the welcome of the simulator. */
  const shown = (): readonly string[] =>
    platform
      .messages()
      .slice(1)
      .map(({ content }) => content);

  /** Returns what is still open, as lines; the first line of a file is its process. */
  async function remembered(): Promise<readonly string[]> {
    const journal = join(folder, '.virgule', 'interactions');
    const files = (await readdir(journal)).map((name) => readFile(join(journal, name), 'utf8'));
    const texts = await Promise.all(files);
    return texts.flatMap((text) => text.split('\n\n', 1).join('').split('\n').slice(1));
  }

  /** Starts the bot with /slow, /slow and /stream in progress. */
  async function startBusy() {
    const bot = startBuilt(folder, envOf(platform), ['--sync']);
    await soon(() => expect(platform.snapshot().bot.connected).toBe(true));
    for (const name of ['slow', 'slow', 'stream']) platform.run({ rawInput: `/${name}` });
    await soon(() => {
      const states = platform.snapshot().interactions.map(({ state }) => state);
      expect(states).toEqual(['deferred', 'deferred', 'answered']);
    });
    // On a busy machine, the disk has the notes later.
    const shows = async () => (await remembered()).map((line) => JSON.parse(line).shows);
    await soon(async () => expect(await shows()).toEqual(['thinking', 'thinking', 'state']));
    return bot;
  }

  it('are answered at once after an uncaught exception, which is logged with their names', async () => {
    const bot = await startBusy();
    platform.run({ rawInput: '/boom' });
    expect(await bot.ended).toBe(1);
    expect(shown()).toEqual(Array(4).fill(RESTARTING));
    await bot.said(
      /uncaught exception in \/boom: no luck; the process ends and interrupts \/boom, \/slow, \/stream/,
    );
    // On a busy machine, it may end before it has noted that: the next start does, and answers nothing twice.
    const next = startBuilt(folder, envOf(platform));
    await soon(async () => expect(await remembered()).toEqual([]));
    next.child.kill('SIGTERM');
    await next.ended;
    expect(shown()).toEqual(Array(4).fill(RESTARTING));
  });

  it.each([
    ['a kill', null],
    ['process.exit() in a handler', 3],
  ])('are answered by the next start after %s', async (_, code) => {
    const bot = await startBusy();
    if (code === null) bot.child.kill('SIGKILL');
    else platform.run({ rawInput: '/exit' });
    expect(await bot.ended).toBe(code);
    if (code !== null) await bot.said(/the process was ended and interrupts \/slow, \/stream/);
    expect(shown()).toEqual(['state 1']);
    const next = startBuilt(folder, envOf(platform));
    await soon(() => expect(shown()).toEqual(Array(3).fill(RESTARTING)));
    next.child.kill('SIGTERM');
    expect(await next.ended).toBe(0);
    expect(await remembered()).toEqual([]);
  });
});
