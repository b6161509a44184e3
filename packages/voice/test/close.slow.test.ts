import { once } from 'node:events';
import { systemClock } from '@virgule/core/clock';
import { describe, expect, it, onTestFinished } from 'vitest';
import { note, startBot } from './streaming-bot.js';
import { startVoicePlatform } from './voice-platform.js';

const TRANSPORT = 'node-datachannel';

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
      note(how, (platform.requests.at(-1)?.atMs ?? 0) - atMs);
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

  it('does not keep the bot when DELETE is never answered', async () => {
    const platform = await startVoicePlatform(() => {});
    onTestFinished(() => platform.close());
    const { child, atMs } = await startBot(platform.baseUrl, 'close', TRANSPORT);
    const [finished] = (await once(child, 'message')) as [unknown];
    expect(finished).toMatchObject({ reason: 'closed' });
    note('close, DELETE never answers: closed()', systemClock.monotonic() - atMs);
  });
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
