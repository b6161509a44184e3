import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { systemClock } from '@virgule/core/clock';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hashAudio } from './fake-platform.js';
import { isRunning, note, startBot } from './streaming-bot.js';
import { startVoicePlatform } from './voice-platform.js';

const TRANSPORT = 'node-datachannel';
const CLOSED_WITHIN_MS = 2_000;

/** Answers every DELETE in a way that does not close the ingress. */
const REFUSALS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '500': (response) => void response.writeHead(500).end(),
  '429': (response) => void response.writeHead(429, { 'retry-after': '30' }).end(),
  nothing: () => {},
};

/** Ends of a bot, and first responses to DELETE; `reload` is in the tests of `virgule dev`. */
const ENDS = ['end', 'abort', 'close', 'throw', 'exit', 'native abort', 'SIGTERM', 'SIGKILL'];
const ANSWERS = ['204', '500', '429', 'never'] as const;

const answerFirst = (answer: (typeof ANSWERS)[number], response: ServerResponse): void => {
  if (answer === 'never') return;
  // As the platform words it; the other status has no body that is read.
  const limited = { code: 'bot_rate_limited', message: 'wait', requestId: 'r' };
  response.writeHead(Number(answer), answer === '429' ? { 'retry-after': '1' } : {});
  response.end(
    answer === '429'
      ? JSON.stringify({ ...limited, details: { retryAfterSeconds: 1 } })
      : undefined,
  );
};

describe('the ingress of a bot', () => {
  it.each(ENDS.flatMap((how) => ANSWERS.map((answer) => ({ how, answer }))))(
    'is closed after $how when DELETE answers $answer, and so is the session',
    async ({ how, answer }) => {
      const deletesAtMs: number[] = [];
      let onClosed = (): void => {};
      const closed = new Promise<void>((resolve) => (onClosed = resolve));
      const platform = await startVoicePlatform((response) => {
        deletesAtMs.push(systemClock.monotonic());
        const isFirst = deletesAtMs.length === 1;
        if (isFirst) answerFirst(answer, response);
        else response.writeHead(204).end();
        // One that is never answered has arrived, which is all that can be done.
        if (!isFirst || answer === '204' || answer === 'never') onClosed();
      });
      onTestFinished(() => platform.close());
      const isSignal = how.startsWith('SIG');
      const { child, atMs, hostPid } = await startBot(
        platform.baseUrl,
        isSignal ? 'wait' : how,
        TRANSPORT,
      );
      if (isSignal) child.kill(how as NodeJS.Signals);
      await platform.seen('DELETE');
      await closed;
      const [firstMs = 0, lastMs = firstMs] = [deletesAtMs[0], deletesAtMs.at(-1)];
      note(`close table | ${how} | ${answer} | asked`, firstMs - atMs);
      if (answer !== 'never') note(`close table | ${how} | ${answer} | closed`, lastMs - atMs);
      expect(firstMs - atMs).toBeLessThan(CLOSED_WITHIN_MS);
      expect(platform.receiver.requests.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
      // Nothing of the bot is left, which also ends when it is not answered.
      if (isSignal || child.connected) child.kill('SIGKILL');
      await expect.poll(() => isRunning(hostPid), { timeout: 60_000 }).toBe(false);
      note(`close table | ${how} | ${answer} | gone`, systemClock.monotonic() - atMs);
    },
  );

  it('is closed when the process that sends the audio hangs as it connects, and another one follows', async () => {
    const platform = await startVoicePlatform();
    onTestFinished(() => platform.close());
    const { child, hostPid } = await startBot(platform.baseUrl, 'hang', TRANSPORT);
    const [result] = (await once(child, 'message')) as [unknown];
    expect(result).toEqual({ code: 'E_VOICE_LOST', reason: 'ended' });
    expect(isRunning(hostPid)).toBe(false);
    const methods = platform.requests.map(({ method }) => method);
    expect(methods).toEqual(['POST', 'DELETE', 'POST', 'DELETE']);
  });

  it('is opened again when the process that sends the audio hangs as it plays', async () => {
    const platform = await startVoicePlatform();
    onTestFinished(() => platform.close());
    const { child, hostPid } = await startBot(platform.baseUrl, 'hung player', TRANSPORT);
    const [result] = (await once(child, 'message')) as [unknown];
    expect(result).toMatchObject({ reason: 'ended', playedMs: 2_000 });
    expect(isRunning(hostPid)).toBe(false);
    const methods = platform.requests.map(({ method }) => method);
    expect(methods).toEqual(['POST', 'DELETE', 'POST', 'DELETE']);
  });

  it('is closed without native code too', async () => {
    const platform = await startVoicePlatform();
    onTestFinished(() => platform.close());
    const { child } = await startBot(platform.baseUrl, 'wait', 'werift');
    child.kill('SIGKILL');
    await platform.seen('DELETE');
    expect(platform.receiver.requests.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
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

describe('a bot whose event loop is blocked', () => {
  it.each([
    { seconds: 1, playedMs: 3_000 },
    { seconds: 7, playedMs: 9_000 },
  ])('for $seconds s plays without an interruption', async ({ seconds, playedMs }) => {
    const platform = await startVoicePlatform();
    onTestFinished(() => platform.close());
    const { child } = await startBot(platform.baseUrl, `block ${seconds}`, TRANSPORT);
    const received = () => platform.receiver.sessions[0]?.received;
    const [{ blockedMs, ...finished }] = (await once(child, 'message')) as [Blocked];
    expect(blockedMs).toBeGreaterThanOrEqual(seconds * 1_000);
    expect(finished).toMatchObject({ reason: 'ended', playedMs, underruns: 0, skippedMs: 0 });
    expect(received()?.lost).toBe(0);
    // All of the audio, in its order. How much silence follows depends on how busy the machine is.
    const packets = Array.from({ length: playedMs / 20 }, (_, index) =>
      Uint8Array.of(0xfc, 1, 2, 3, index),
    );
    expect(received()?.audioHash).toBe(hashAudio(packets));
    expect(platform.receiver.sessions).toHaveLength(1);
  });
});

interface Blocked {
  readonly blockedMs: number;
}
