import { once } from 'node:events';
import { systemClock } from '@virgule/core/clock';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startBot } from './streaming-bot.js';
import { startVoicePlatform } from './voice-platform.js';

// The other ways to end are in close.slow.test.ts.
describe('the ingress of a bot', () => {
  it('is closed after SIGKILL, and so is the session', async () => {
    const platform = await startVoicePlatform();
    onTestFinished(() => platform.close());
    const { child } = await startBot(platform.baseUrl, 'wait', 'node-datachannel');
    child.kill('SIGKILL');
    await platform.seen('DELETE');
    expect(platform.requests.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
    expect(platform.receiver.requests.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
  });

  it('is closed after SIGKILL though something fails meanwhile', async () => {
    const platform = await startVoicePlatform();
    onTestFinished(() => platform.close());
    const failing = `process.once('disconnect', () => setImmediate(() => { throw new Error('on purpose'); }))`;
    vi.stubEnv('NODE_OPTIONS', `--import "data:text/javascript,${failing}"`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { child } = await startBot(platform.baseUrl, 'wait', 'node-datachannel');
    child.kill('SIGKILL');
    await platform.seen('DELETE');
    expect(platform.requests.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
  });

  it('is closed when the process that sends the audio hangs, which holds nothing', async () => {
    const platform = await startVoicePlatform();
    onTestFinished(() => platform.close());
    const { child, atMs } = await startBot(platform.baseUrl, 'hung host', 'node-datachannel');
    const ended = once(child, 'exit');
    await platform.seen('DELETE');
    const seenMs = (platform.requests.at(-1)?.atMs ?? 0) - atMs;
    await ended;
    const endMs = systemClock.monotonic() - atMs;
    expect(seenMs).toBeLessThan(2_000);
    expect(endMs).toBeLessThan(5_000);
  });
});
