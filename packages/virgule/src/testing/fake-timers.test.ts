import { mock } from 'node:test';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTestProject } from '../../test/test-project.js';
import { createTestBot } from './create-test-bot.js';

const FILES = {
  'commands/slow.ts': `export default { description: 'Test', async run({ clock }) { await clock.sleep('5s'); return 'done'; } };`,
  'commands/ask.ts': `export default { description: 'Test', intents: ['MESSAGE_REACTIONS'],
    async run({ confirm }) { return String(await confirm('Sure?')); } };`,
  'commands/hang.ts': `export default { description: 'Test', run: () => new Promise(() => {}) };`,
  'events/message-create.ts': `export default ({ channel, event }) => channel().send(event.content);`,
  'tasks/tick.ts': `export default { every: '10m', run: () => {} };`,
};

const EVERY_API = [
  'Date',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'hrtime',
  'performance',
  'queueMicrotask',
] as const;

/** By name: turns fake timers on, and returns what turns them off. */
const KINDS: Readonly<Record<string, () => () => void>> = {
  'vi.useFakeTimers()': () => {
    vi.useFakeTimers();
    return () => void vi.useRealTimers();
  },
  'vi.useFakeTimers() of everything': () => {
    vi.useFakeTimers({ toFake: [...EVERY_API] });
    return () => void vi.useRealTimers();
  },
  'mock.timers.enable()': () => {
    mock.timers.enable();
    return () => mock.timers.reset();
  },
  'mock.timers.enable() of setTimeout': () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    return () => mock.timers.reset();
  },
};

afterEach(() => {
  vi.useRealTimers();
  mock.timers.reset();
});

describe.each(Object.entries(KINDS))('createTestBot with %s', (_, enable) => {
  it.each(['before', 'after'] as const)(
    'runs, advances and closes, enabled %s it',
    async (when) => {
      const { root, ...project } = await createTestProject(FILES);
      const disable = when === 'before' ? enable() : undefined;
      const bot = await createTestBot({ root });
      onTestFinished(disable ?? enable());
      const ran = bot.run('/slow');
      await bot.clock.advance('1h');
      expect((await ran).content).toBe('done');
      const asked = bot.run('/ask');
      await bot.as('grace').react('✅');
      expect((await asked).content).toBe('true');
      await bot.idle();
      await bot.close();
      const hasty = await createTestBot({ root, limit: '1ms' });
      await expect(hasty.run('/hang')).rejects.toThrow('/hang did not end in 1ms.');
      await hasty.close();
      disable?.();
      await project[Symbol.asyncDispose]();
    },
  );
});
