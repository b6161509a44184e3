import { systemClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { playing, SOON, startPlayingDev, type PlayingDev } from './playing-dev.js';
import { answering } from './test-project.js';

/** 20 ms of audio. */
const FRAME_MS = 20;
/** Size of a packet of silence. */
const SILENCE_BYTES = 3;

/** Follows what the simulator receives in a channel, until it is stopped. */
function listen(dev: PlayingDev, channel?: string) {
  const bytes: number[] = [];
  /** Delay of each packet: the time of its arrival minus its due time. */
  const delaysMs: number[] = [];
  /** Packets that were gone when this asked for them. */
  let missed = 0;
  let [packets, lost, isStopped] = [0, 0, false];
  const ended = (async () => {
    while (!isStopped) {
      const audio = await dev.received(packets, channel);
      if (audio && audio.packets > packets) {
        missed += audio.first - packets;
        ({ packets, lost } = audio);
        delaysMs.push(systemClock.monotonic() - packets * FRAME_MS);
        bytes.push(...audio.payloads.map((payload) => Buffer.from(payload, 'base64').length));
      }
      await systemClock.sleep(5);
    }
    // Before the first audio there is silence.
    const audio = bytes.slice(bytes.findIndex((length) => length > SILENCE_BYTES));
    const silence = audio.filter((length) => length === SILENCE_BYTES).length;
    const lateMs = Math.max(...delaysMs) - Math.min(...delaysMs);
    return { packets, missed, lost, silence, lateFrames: lateMs / FRAME_MS };
  })();
  return {
    /** Waits until this many packets more have arrived. */
    more: (count: number) => {
      const until = packets + count;
      return expect.poll(() => packets, SOON).toBeGreaterThanOrEqual(until);
    },
    stop() {
      isStopped = true;
      return ended;
    },
  };
}

describe('the audio of a bot in virgule dev', () => {
  it('continues while files are swapped, and ends with its ingress when a new process starts', async () => {
    await using dev = await startPlayingDev();
    await dev.play();
    const listening = listen(dev);
    await listening.more(25);
    await dev.project.write('commands/said.ts', answering('after'));
    await dev.reported('reload');
    expect(await dev.say('/said')).toBe('after');
    // The file whose handler plays.
    await dev.project.write('commands/play.ts', playing('Playing again'));
    await dev.reported('reload');
    await listening.more(50);
    const { packets, missed, lost, silence, lateFrames } = await listening.stop();
    process.stdout.write(
      `two reloads: ${packets} packets, at most ${lateFrames.toFixed(1)} frames late\n`,
    );
    expect({ missed, lost, silence }).toEqual({ missed: 0, lost: 0, silence: 0 });
    // A few frames; a busy machine may be late with reading them.
    expect(lateFrames).toBeLessThan(25);
    expect(await dev.requests('voice.openIngress')).toBe(1);
    expect(await dev.requests('voice.closeIngress')).toBe(0);

    expect(await dev.members()).toHaveLength(1);
    await dev.project.write('package.json', '{ "type": "module", "version": "2.0.0" }');
    await dev.reported('restart');
    await expect.poll(() => dev.requests('voice.closeIngress'), SOON).toBe(1);
    await expect.poll(() => dev.received(0), SOON).toBeNull();
    expect(await dev.members()).toEqual([]);
    // The new process plays.
    await dev.play();
    expect(await dev.members()).toHaveLength(1);
  });

  it('comes from a service and from a task', async () => {
    await using dev = await startPlayingDev();
    expect(await dev.say('/radio #Lounge')).toBe('Started');
    expect(await dev.say('/jingle #Stage')).toBe('Started');
    for (const channel of ['Lounge', 'Stage']) {
      const listening = listen(dev, channel);
      await listening.more(50);
      const { packets, missed, lost, silence } = await listening.stop();
      process.stdout.write(`#${channel}: ${packets} packets\n`);
      expect({ missed, lost, silence }).toEqual({ missed: 0, lost: 0, silence: 0 });
    }
    expect(await dev.requests('voice.openIngress')).toBe(2);
  });
});
