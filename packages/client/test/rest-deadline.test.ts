import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import type { Rest } from '@virgule/client/rest';
import { eventually } from './eventually.js';
import { readFixture } from './read-fixture.js';
import { startScriptedServer } from './scripted-server.js';
import { CHANNEL, INTERACTION, errorOf, openRest } from './test-rest.js';

const me = readFixture('bot-me');

describe('deadlineMs', () => {
  it.each([
    ['a read', (rest: Rest) => rest.users.me({ deadlineMs: 60_000 })],
    [
      'a message',
      (rest: Rest) => rest.messages.send(CHANNEL, { content: 'x' }, { deadlineMs: 60_000 }),
    ],
  ])('waits half of its time for the answer to %s', async (_name, start) => {
    const clock = createFakeClock();
    const server = await startScriptedServer(({ method }) =>
      clock.sleep(29_000).then(() => (method === 'GET' ? { json: me } : {})),
    );
    const call = start(openRest(server.url, { clock }));
    await eventually(() => expect(server.requests).toHaveLength(1));
    await clock.advance(29_000);
    await call;
    expect(server.requests).toHaveLength(1);
  });

  it('leaves the answer to an acknowledgement 2.5 s, which is a race', async () => {
    const clock = createFakeClock();
    const server = await startScriptedServer((_request, index) => (index === 0 ? 'stall' : {}));
    const rest = openRest(server.url, { clock, random: () => 0 });
    const call = rest.interactions.defer(INTERACTION, { deadlineMs: 60_000 });
    await eventually(() => expect(server.requests).toHaveLength(1));
    await clock.advance(2_500);
    await call;
    expect(server.requests).toHaveLength(2);
  });
});

describe('E_TIMEOUT', () => {
  it('does not say that a read may have taken effect', async () => {
    const clock = createFakeClock();
    const server = await startScriptedServer(() => 'stall');
    const rest = openRest(server.url, { clock });
    const call = errorOf(rest.users.me({ deadlineMs: 10_000 }));
    await eventually(() => expect(server.requests).toHaveLength(1));
    await clock.advance(10_000);
    const { code, hint } = await call;
    expect(code).toBe('E_TIMEOUT');
    expect(hint).toBe('It is safe to call again, with a longer deadlineMs if needed.');
  });

  it('is thrown at once when there is no time at all, and nothing is sent', async () => {
    const server = await startScriptedServer(() => ({ json: me }));
    const rest = openRest(server.url, { clock: createFakeClock() });
    const { code, details } = await errorOf(rest.users.me({ deadlineMs: 0 }));
    expect(code).toBe('E_TIMEOUT');
    expect(details).toMatchObject({ phase: 'waiting', maybeSent: false, attempts: 0 });
    expect(server.requests).toHaveLength(0);
  });

  it('is thrown when the deadline passes before it is its turn in the channel', async () => {
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
