import { VirguleError } from '@virgule/core/errors';
import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { CHANNEL, openFakePlatform } from '../../test/fake-platform.js';

const never = (): Promise<void> => new Promise(() => {});

describe('the end of a bot that has entered a voice channel', () => {
  it('leaves a channel that it was about to enter', async () => {
    let answer = (): void => {};
    const onJoin = () => new Promise<void>((resolve) => (answer = resolve));
    const clock = createFakeClock();
    const { voice, calls } = openFakePlatform({ clock, onJoin });
    const joined = voice.join(CHANNEL);
    const closed = voice.close();
    answer();
    await Promise.all([expect(joined).rejects.toMatchObject({ code: 'E_VOICE_CALL' }), closed]);
    expect(calls).toEqual(['join', 'leave']);
  });

  it.each([
    ['entering', { onJoin: never }],
    ['leaving', { onLeave: never }],
  ])('does not wait for a platform that never answers to %s', async (_what, hooks) => {
    const clock = createFakeClock();
    const { voice } = openFakePlatform({ clock, ...hooks });
    void voice.join(CHANNEL).catch(() => {});
    await clock.advance(0);
    let isClosed = false;
    void voice.close().then(() => (isClosed = true));
    await clock.advance(1_000);
    expect(isClosed).toBe(true);
  });
});

describe('a call of leave() that fails', () => {
  it('can be repeated, and is by the end of the bot', async () => {
    let failures = 2;
    const onLeave = () => (--failures < 0 ? Promise.resolve() : Promise.reject(new Error('503')));
    const { voice, calls } = openFakePlatform({ clock: createFakeClock(), onLeave });
    const joined = await voice.join(CHANNEL);
    await expect(joined.leave()).rejects.toThrow('503');
    await expect(joined.leave()).rejects.toThrow('503');
    await voice.close();
    await joined.leave();
    expect(calls).toEqual(['join', 'leave', 'leave', 'leave']);
  });
});

describe('a call that fails', () => {
  it.each([
    ['an unknown outcome', 'E_OUTCOME_UNKNOWN', {}, ['join', 'leave']],
    ['an abort after it was sent', 'E_ABORTED', { maybeSent: true }, ['join', 'leave']],
    ['an abort before it was sent', 'E_ABORTED', { maybeSent: false }, ['join']],
    ['a refusal', 'E_API_REFUSED', { status: 403 }, ['join']],
  ])('with %s leaves the channel if the bot may be there', async (_what, code, details, calls) => {
    const failure = new VirguleError({ code, kind: 'user', message: 'failed', details });
    const platform = openFakePlatform({
      clock: createFakeClock(),
      onJoin: () => Promise.reject(failure),
    });
    await expect(platform.voice.join(CHANNEL)).rejects.toBe(failure);
    expect(platform.calls).toEqual(calls);
  });
});
