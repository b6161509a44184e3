import { commandSchema, type Command } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import { openPlatform, type Platform } from './open-platform.js';

async function list(platform: Platform): Promise<readonly Command[]> {
  return commandSchema.array().parse((await platform.call('commands.list')).body);
}

describe('commands', () => {
  it('starts with none', async () => {
    expect(await list(await openPlatform())).toEqual([]);
  });

  it('replaces the whole set, and keeps id and date where the name stays', async () => {
    const platform = await openPlatform();
    await platform.register('play', 'skip');
    const before = await list(platform);
    await platform.clock.advance(60_000);
    const body = {
      commands: [
        { name: 'roll', description: 'Roll', options: [] },
        {
          name: 'play',
          description: 'Changed',
          options: [{ name: 'url', description: 'Track', type: 'string', required: true }],
        },
      ],
    };
    const reply = await platform.call('commands.replace', {}, { body });
    const after = await list(platform);
    expect(reply.body).toEqual(after);
    expect(after.map(({ name }) => name)).toEqual(['roll', 'play']);
    expect(after[1]).toEqual({ ...before[0], ...body.commands[1] });
    expect(after[0]?.createdAt).toBe('2026-01-01T00:01:00.000Z');
    expect(before.map(({ id }) => id)).not.toContain(after[0]?.id);
  });

  it('takes 5,000 commands with options', async () => {
    const platform = await openPlatform();
    const options = ['first', 'second', 'third'].map((name) => {
      return { name, description: 'd'.repeat(80), type: 'string', required: false };
    });
    const commands = Array.from({ length: 5_000 }, (_, n) => {
      return { name: `command-${n}`, description: 'd'.repeat(80), options };
    });
    const { status } = await platform.call('commands.replace', {}, { body: { commands } });
    expect([status, (await list(platform)).length]).toEqual([200, 5_000]);
  });

  it('assigns another id to a name that is registered again', async () => {
    const platform = await openPlatform();
    await platform.register('play');
    const [first] = await list(platform);
    await platform.register();
    expect(await list(platform)).toEqual([]);
    await platform.register('play');
    expect((await list(platform))[0]?.id).not.toBe(first?.id);
  });

  it('leaves the set alone when the new one is refused', async () => {
    const platform = await openPlatform();
    await platform.register('play');
    const item = { name: 'skip', description: 'Skip', options: [] };
    await platform.call('commands.replace', {}, { body: { commands: [item, item] } });
    expect((await list(platform)).map(({ name }) => name)).toEqual(['play']);
  });

  it('counts every PUT, and notifies the page of new commands', async () => {
    const platform = await openPlatform();
    const events: unknown[] = [];
    platform.simulator.on((event) => events.push(event));
    await platform.register('play');
    const { botUserId } = platform.simulator.snapshot().bot;
    const commands = (await list(platform)).map((command) => ({ ...command, botUserId }));
    expect(events).toEqual([{ type: 'commands', commands }]);
    const { body } = await platform.send('GET', '/_sim/state');
    expect(body).toMatchObject({ requests: { 'commands.replace': 1, 'commands.list': 1 } });
  });
});
