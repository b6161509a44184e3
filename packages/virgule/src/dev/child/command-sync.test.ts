import { createFakeClock } from '@virgule/core/clock';
import type { Command, SyncCommandItem } from '@virgule/core/protocol';
import type { Project } from '@virgule/runtime/project';
import { describe, expect, it } from 'vitest';
import { createCommandSync } from './command-sync.js';

const item: SyncCommandItem = { name: 'hello', description: 'Greet', options: [] };
const project = {
  commands: new Map([['hello', { name: 'hello', aliases: [], wire: item }]]),
} as unknown as Project;

/** A platform that takes a second for each call, and a list of the time limits it was given. */
function createSlowPlatform() {
  const clock = createFakeClock();
  const limits: (number | undefined)[] = [];
  let registered: readonly Command[] = [];
  const take = async (limitMs: number | undefined): Promise<void> => {
    limits.push(limitMs);
    await clock.advance(1_000);
  };
  const sync = createCommandSync({
    clock,
    commands: {
      async list(call) {
        await take(call?.deadlineMs);
        return registered;
      },
      async replace(items, call) {
        await take(call?.deadlineMs);
        registered = items.map((each) => ({ ...each, id: '1', createdAt: '2026-01-01T00:00:00Z' }));
      },
    },
  });
  return { sync, limits };
}

describe('createCommandSync', () => {
  it('allows all calls of a sync five seconds together', async () => {
    const { sync, limits } = createSlowPlatform();
    expect(await sync.sync(project)).toEqual({ added: ['hello'], changed: [], removed: [] });
    expect(limits).toEqual([5_000, 4_000, 3_000, 2_000]);
    expect(await sync.sync(project)).toBeNull();
    await sync.plan(project);
    expect(limits.slice(4)).toEqual([5_000]);
  });
});
