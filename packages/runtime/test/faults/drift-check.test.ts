import { describe, expect, it } from 'vitest';
import type { Act } from '../../../simulator/test/shared/gated-simulator.js';
import { openInteractionWorld } from './interaction-world.js';

const answer = (status: number, body: string, headers: Record<string, string> = {}): Act => ({
  reply: { status, body, headers },
});

const listing = (act: Act) => (call: string) => (call === 'GET commands' ? act : undefined);

const COULD_NOT = 'could not compare the registered commands with the local ones';

describe("a start with sync: 'check'", () => {
  it.each<readonly [string, Act]>([
    ['403', answer(403, '{}')],
    ['404', answer(404, '{}')],
    ['429 for a minute', answer(429, '{}', { 'retry-after': '60' })],
    ['500', answer(500, '{}')],
    ['503', answer(503, '{}')],
    ['HTML', answer(200, '<!doctype html>', { 'content-type': 'text/html' })],
    ['a redirect', answer(302, '', { location: '/login' })],
    ['something else than a list', answer(200, '{"commands":[]}')],
    ['a command without a name', answer(200, '[{"options":[]}]')],
    ['a reset', { reply: 'reset' }],
    ['nothing at all', { reply: 'stall' }],
  ])('warns when GET /commands is answered with %s, and the bot lives', async (_, act) => {
    const world = await openInteractionWorld({
      run: () => 'done',
      sync: 'check',
      script: listing(act),
    });
    // The bot answers before and after the end of the check.
    const first = world.platform.run();
    await world.arrive(() => expect(first.content).toBe('done'));
    await world.push(1_000, () => expect(world.log.at('warn')).toContain(COULD_NOT));
    const second = world.platform.run();
    await world.arrive(() => expect(second.content).toBe('done'));
    expect([world.platform.bots, world.log.at('error')]).toEqual([1, []]);
    await world.end();
  });

  it('compares a listing with incomplete options and unusual dates', async () => {
    const world = await openInteractionWorld({
      run: () => 'done',
      sync: 'check',
      script: listing(
        answer(
          200,
          `[{"id":7,"name":"x","description":"x","options":null,"createdAt":"2026-01-01 10:00:00"},
          {"id":8,"name":"y","options":[{"name":"o","type":"string"}],"createdAt":0}]`,
        ),
      ),
    });
    const drift = (): unknown => world.log.lines.find(({ level }) => level === 'warn')?.details;
    await world.arrive(() => expect(drift()).toEqual({ add: 0, change: 0, remove: 1 }));
    await world.end();
  });

  it('does not warn when the bot is closed before the answer comes', async () => {
    const world = await openInteractionWorld({
      run: () => 'done',
      sync: 'check',
      script: listing({ reply: 'stall' }),
    });
    await world.end();
    expect(world.log.at('warn')).toEqual([]);
  });
});
