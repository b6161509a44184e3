import { createFakeClock } from '@virgule/core/clock';
import { Pool } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from './eventually.js';
import { readFixture } from './read-fixture.js';
import { startScriptedServer, type Answer } from './scripted-server.js';
import { CHANNEL, errorOf, openRest } from './test-rest.js';
import { createWatchedClock } from './watched-clock.js';

const me = readFixture('bot-me');

describe('close', () => {
  it('lets a request in flight finish', async () => {
    let answer: (answer: Answer) => void = () => {};
    const server = await startScriptedServer(() => new Promise((resolve) => (answer = resolve)));
    const rest = openRest(server.url);
    const call = rest.users.me();
    await eventually(() => expect(server.requests).toHaveLength(1));
    const closing = rest.close();
    answer({ json: me });
    expect(await call).toEqual(me);
    await closing;
  });

  it('gives up on those that take longer than 5 s', async () => {
    const clock = createFakeClock();
    const server = await startScriptedServer(() => 'stall');
    const rest = openRest(server.url, { clock });
    const read = errorOf(rest.users.me());
    const sent = errorOf(rest.messages.send(CHANNEL, { content: 'x' }));
    await eventually(() => expect(server.requests).toHaveLength(2));
    const closing = rest.close();
    await clock.advance(5_000);
    expect((await read).code).toBe('E_SHUTTING_DOWN');
    expect((await sent).code).toBe('E_OUTCOME_UNKNOWN');
    await closing;
    expect(clock.pending).toBe(0);
  });

  it('ends calls that wait, at once', async () => {
    const clock = createWatchedClock();
    const server = await startScriptedServer(() => ({
      status: 429,
      headers: { 'retry-after': '20' },
    }));
    const rest = openRest(server.url, { clock });
    const call = errorOf(rest.users.me());
    await eventually(() => expect(clock.sleeping).toBe(1));
    await rest.close();
    expect((await call).code).toBe('E_SHUTTING_DOWN');
    expect(clock.pending).toBe(0);
  });

  it('does not let one in flight wait for another try', async () => {
    const clock = createFakeClock();
    let answer: (answer: Answer) => void = () => {};
    const server = await startScriptedServer(() => new Promise((resolve) => (answer = resolve)));
    const rest = openRest(server.url, { clock });
    const call = errorOf(rest.users.me());
    await eventually(() => expect(server.requests).toHaveLength(1));
    const closing = rest.close();
    answer({ status: 503, headers: { 'retry-after': '20' } });
    expect((await call).code).toBe('E_SHUTTING_DOWN');
    await closing;
    expect(clock.elapsedMs).toBe(0);
  });

  it('does nothing more the second time, and works through asyncDispose', async () => {
    const server = await startScriptedServer(() => ({ json: me }));
    const rest = openRest(server.url);
    await rest.users.me();
    await rest[Symbol.asyncDispose]();
    await rest.close();
    expect((await errorOf(rest.users.me())).code).toBe('E_SHUTTING_DOWN');
  });

  it('leaves a dispatcher open that the caller passed', async () => {
    const server = await startScriptedServer(() => ({ json: me }));
    const pool = new Pool(server.url);
    onTestFinished(() => pool.destroy());
    const rest = openRest(server.url, { dispatcher: pool });
    await rest.users.me();
    await rest.close();
    expect(pool.destroyed).toBe(false);
  });
});
