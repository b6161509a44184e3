import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { eventually } from './eventually.js';
import { readFixture } from './read-fixture.js';
import { startScriptedServer } from './scripted-server.js';
import { CHANNEL, errorOf, openRest } from './test-rest.js';

const me = readFixture('bot-me');

describe('E_TIMEOUT', () => {
  it('is told at once when there is no time at all, and nothing is sent', async () => {
    const server = await startScriptedServer(() => ({ json: me }));
    const rest = openRest(server.url, { clock: createFakeClock() });
    const { code, details } = await errorOf(rest.users.me({ deadlineMs: 0 }));
    expect(code).toBe('E_TIMEOUT');
    expect(details).toMatchObject({ phase: 'waiting', maybeSent: false, attempts: 0 });
    expect(server.requests).toHaveLength(0);
  });

  it('is told when the deadline passes before it is its turn in the channel', async () => {
    const clock = createFakeClock();
    const server = await startScriptedServer(() => 'stall');
    const rest = openRest(server.url, { clock });
    const first = errorOf(rest.messages.send(CHANNEL, { content: 'one' }));
    await eventually(() => expect(server.requests).toHaveLength(1));
    const second = errorOf(rest.messages.send(CHANNEL, { content: 'two' }, { deadlineMs: 700 }));
    await clock.advance(700);
    const { code, details, hint } = await second;
    expect(code).toBe('E_TIMEOUT');
    expect(details).toMatchObject({ phase: 'waiting', maybeSent: false, elapsedMs: 700 });
    expect(hint).toContain('Nothing was sent');
    expect(server.requests).toHaveLength(1);
    await clock.advance(30_000);
    expect((await first).code).toBe('E_OUTCOME_UNKNOWN');
  });
});
