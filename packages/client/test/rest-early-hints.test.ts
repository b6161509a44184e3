import { describe, expect, it } from 'vitest';
import { readFixture } from './read-fixture.js';
import { startScriptedServer } from './scripted-server.js';
import { CHANNEL, errorOf, openRest } from './test-rest.js';

const me = readFixture('bot-me');

describe('a 103 before the answer', () => {
  it('is skipped', async () => {
    const server = await startScriptedServer(() => ({ json: me, hasEarlyHints: true }));
    const rest = openRest(server.url);
    // The second one over the same connection.
    for (let n = 0; n < 2; n += 1) expect(await rest.users.me()).toEqual(me);
    expect(server.requests).toHaveLength(2);
  });

  it('does not hide a refusal', async () => {
    const server = await startScriptedServer(() => ({ status: 403, hasEarlyHints: true }));
    const error = await errorOf(openRest(server.url).channels.typing(CHANNEL));
    expect(error.details).toMatchObject({ status: 403 });
  });
});
