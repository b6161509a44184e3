import { MockAgent } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mockDispatcher } from './mock-dispatcher.js';
import { readFixture } from './read-fixture.js';
import { createWatchedClock } from './watched-clock.js';
import { CHANNEL, errorOf, openRest } from './test-rest.js';

const ORIGIN = 'http://chat.test';

describe("undici's MockPool", () => {
  it('answers in place of the platform', async () => {
    const agent = new MockAgent();
    agent.disableNetConnect();
    onTestFinished(() => agent.close());
    const pool = agent.get(ORIGIN);
    const me = readFixture('bot-me') as object;
    pool.intercept({ path: '/api/bot/v1/users/@me' }).reply(200, me);
    pool
      .intercept({ path: '/api/bot/v1/commands' })
      .reply(429, {}, { headers: { 'Retry-After': '3' } });
    pool.intercept({ path: '/api/bot/v1/commands' }).reply(200, []);
    const send = { path: `/api/bot/v1/channels/${CHANNEL}/messages`, method: 'POST' };
    pool.intercept(send).replyWithError(new Error('gone'));
    pool.intercept(send).reply(403, { code: 'no' });

    const clock = createWatchedClock({ stepping: true });
    const rest = openRest(ORIGIN, { dispatcher: mockDispatcher(pool), clock });
    expect(await rest.users.me()).toEqual(me);
    expect(await rest.commands.list()).toEqual([]);
    // Chance is 0.5: 3 s and half of 250 ms.
    expect(clock.sleepsMs).toEqual([3_125]);
    // The mocked fault comes before the request starts, so it is provably unsent and tried again.
    const error = await errorOf(rest.messages.send(CHANNEL, { content: 'x' }));
    expect(error.details).toMatchObject({ status: 403, apiCode: 'no', attempts: 2 });
  });
});
