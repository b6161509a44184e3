import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { systemClock } from '@virgule/core/clock';
import { describe, expect, it, onTestFinished } from 'vitest';
import { note, startBot } from './streaming-bot.js';
import { startVoicePlatform } from './voice-platform.js';

const TRANSPORT = 'node-datachannel';
const CLOSED_WITHIN_MS = 2_000;

/** Answers every DELETE in a way that does not close the ingress. */
const REFUSALS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '500': (response) => void response.writeHead(500).end(),
  '429': (response) => void response.writeHead(429, { 'retry-after': '30' }).end(),
  nothing: () => {},
};

describe('the ingress of a bot', () => {
  it.each(['end', 'abort', 'close', 'throw', 'exit', 'native abort', 'SIGTERM', 'SIGKILL'])(
    'is closed after %s, and so is the session',
    async (how) => {
      const platform = await startVoicePlatform();
      onTestFinished(() => platform.close());
      const isSignal = how.startsWith('SIG');
      const { child, atMs } = await startBot(platform.baseUrl, isSignal ? 'wait' : how, TRANSPORT);
      if (isSignal) child.kill(how as NodeJS.Signals);
      await platform.seen('DELETE');
      const ms = (platform.requests.at(-1)?.atMs ?? 0) - atMs;
      note(how, ms);
      expect(ms).toBeLessThan(CLOSED_WITHIN_MS);
      expect(platform.requests.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
      expect(platform.receiver.requests.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
    },
  );

  it('is closed without native code too', async () => {
    const platform = await startVoicePlatform();
    onTestFinished(() => platform.close());
    const { child } = await startBot(platform.baseUrl, 'wait', 'werift');
    child.kill('SIGKILL');
    await platform.seen('DELETE');
    expect(platform.receiver.requests.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
  });

  it('is closed when the process that sends the audio hangs, which holds nothing', async () => {
    const platform = await startVoicePlatform();
    onTestFinished(() => platform.close());
    const { child, atMs } = await startBot(platform.baseUrl, 'hung host', TRANSPORT);
    const ended = once(child, 'exit');
    await platform.seen('DELETE');
    const seenMs = (platform.requests.at(-1)?.atMs ?? 0) - atMs;
    await ended;
    const endMs = systemClock.monotonic() - atMs;
    note('close with a host that hangs', seenMs);
    note('close with a host that hangs: the bot is free', endMs);
    expect(seenMs).toBeLessThan(CLOSED_WITHIN_MS);
    expect(endMs).toBeLessThan(5_000);
  });

  it.each([500, 429])('is closed with another attempt when DELETE answers %i', async (status) => {
    let deletes = 0;
    let isClosed = (): void => {};
    const closed = new Promise<void>((resolve) => (isClosed = resolve));
    const platform = await startVoicePlatform((response) => {
      deletes += 1;
      const limited = {
        code: 'bot_rate_limited',
        message: 'wait',
        details: { retryAfterSeconds: 1 },
      };
      response.writeHead(deletes === 1 ? status : 200, { 'retry-after': '1' });
      response.end(JSON.stringify(deletes === 1 ? { ...limited, requestId: 'r' } : {}));
      if (deletes === 2) isClosed();
    });
    onTestFinished(() => platform.close());
    const { child, atMs } = await startBot(platform.baseUrl, 'wait', TRANSPORT);
    child.kill('SIGKILL');
    await closed;
    expect(deletes).toBe(2);
    note(`SIGKILL, DELETE answers ${status} first`, systemClock.monotonic() - atMs);
  });

  it.each(
    Object.keys(REFUSALS).flatMap((answer) =>
      ['close', 'end', 'SIGTERM'].map((how) => [how, answer]),
    ),
  )(
    'is requested to close after %s, and holds nothing, when DELETE is answered with %s',
    async (how = '', answer = '') => {
      const platform = await startVoicePlatform(REFUSALS[answer]);
      onTestFinished(() => platform.close());
      const isSignal = how.startsWith('SIG');
      const { child, atMs } = await startBot(platform.baseUrl, isSignal ? 'wait' : how, TRANSPORT);
      if (isSignal) child.kill(how as NodeJS.Signals);
      const ended = once(child, isSignal ? 'exit' : 'message');
      await platform.seen('DELETE');
      const seenMs =
        (platform.requests.find(({ method }) => method === 'DELETE')?.atMs ?? 0) - atMs;
      await ended;
      const endMs = systemClock.monotonic() - atMs;
      note(`${how}, DELETE answers ${answer}`, seenMs);
      note(`${how}, DELETE answers ${answer}: the bot is free`, endMs);
      expect(seenMs).toBeLessThan(CLOSED_WITHIN_MS);
      expect(endMs).toBeLessThan(5_000);
    },
  );
});

describe('a bot whose event loop is blocked for 7 s', () => {
  it('plays without an interruption', async () => {
    const platform = await startVoicePlatform();
    onTestFinished(() => platform.close());
    const { child } = await startBot(platform.baseUrl, 'block', TRANSPORT);
    const [finished] = (await once(child, 'message')) as [unknown];
    expect(finished).toMatchObject({ reason: 'ended', playedMs: 9_000, underruns: 0 });
    expect(platform.receiver.sessions[0]?.received.lost).toBe(0);
    expect(platform.receiver.sessions).toHaveLength(1);
  });
});
