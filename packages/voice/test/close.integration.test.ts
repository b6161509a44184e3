import { describe, expect, it, onTestFinished } from 'vitest';
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
});
