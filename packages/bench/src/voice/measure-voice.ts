import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Rest } from '@virgule/client/rest';
import { systemClock } from '@virgule/core/clock';
import { silentLog } from '@virgule/core/log';
import { voice as voiceSetting, type VoiceOptions, type VoiceStream } from '@virgule/voice';
import { cpuMicrosOf, memoryOf, treeOf } from '../rounds/process-usage.js';

const ENDPOINT = fileURLToPath(new URL('../bin/whip-endpoint.js', import.meta.url));
/** Bytes of a packet of 20 ms at 96 kbit/s. */
const PACKET_BYTES = 240;
/** Connections that are opened at a time. */
const BATCH = 10;
const SETTLE_MS = 2_000;

export interface VoiceFigures {
  readonly streams: number;
  /** CPU time of the sending process with all its threads, in percent of a core. */
  readonly cpuPercent: number;
  /** At the start, in the middle and at the end of the measurement. */
  readonly rssMegabytes: readonly [number, number, number];
  /** Packets that were received in the measured time, and the number at 20 ms for each packet. */
  readonly received: number;
  readonly due: number;
  /** Since the start. */
  readonly lost: number;
  readonly underruns: number;
  readonly skippedMs: number;
}

/** Counts of the receiver, with the time on the receiver's clock in milliseconds. */
interface Counts {
  readonly atMs: number;
  readonly packets: number;
  readonly lost: number;
}

/** Sends this many streams, and measures the sending process for a while. */
export async function measureVoice(options: {
  readonly streams: number;
  readonly seconds: number;
  readonly transport: VoiceOptions['transport'];
}): Promise<VoiceFigures> {
  const { streams: count, seconds, transport } = options;
  const endpoint = fork(ENDPOINT);
  const [port] = (await once(endpoint, 'message')) as [number];
  const baseUrl = `http://127.0.0.1:${port}`;
  const url = `${baseUrl}/whip`;
  const root = await mkdtemp(join(tmpdir(), 'virgule-voice-'));
  const opened = voiceSetting({ transport }).open({
    rest: restOf(url),
    log: silentLog,
    clock: systemClock,
    random: () => 0,
    platform: { baseUrl, token: '', botUserId: 'bot' },
    root,
  });
  const { voice } = opened;
  const streams: VoiceStream[] = [];
  try {
    for (let from = 0; from < count; from += BATCH) {
      const batch = Array.from({ length: Math.min(BATCH, count - from) }, (_, index) =>
        voice.stream(`channel ${from + index}`, packets()),
      );
      streams.push(...(await Promise.all(batch)));
    }
    await sleep(SETTLE_MS);
    const total = (name: 'underruns' | 'skippedMs'): number =>
      streams.reduce((sum, { stats }) => sum + stats[name], 0);
    // Counted by the receiver: streams report what they sent in tens only.
    const read = async (): Promise<Counts> => (await (await fetch(url)).json()) as Counts;
    const sender = treeOf(process.pid).filter((pid) => pid !== process.pid && pid !== endpoint.pid);
    const rss = (): number => memoryOf(sender).rssMiB * 1.048576;
    const [before, cpu, rssBefore] = [await read(), cpuMicrosOf(sender), rss()];
    await sleep(seconds * 500);
    const rssBetween = rss();
    // Until the time is over, however late the timer before was.
    await sleep(before.atMs + seconds * 1_000 - (await read()).atMs);
    const after = await read();
    const tookMs = after.atMs - before.atMs;
    return {
      streams: count,
      cpuPercent: (cpuMicrosOf(sender) - cpu) / 10 / tookMs,
      rssMegabytes: [rssBefore, rssBetween, rss()],
      received: after.packets - before.packets,
      due: Math.round((tookMs / 20) * count),
      lost: after.lost,
      underruns: total('underruns'),
      skippedMs: total('skippedMs'),
    };
  } finally {
    await opened.close();
    await rm(root, { recursive: true });
    endpoint.disconnect();
    await once(endpoint, 'exit');
  }
}

/** Returns packets that do not end: an Opus file is sent unchanged, whatever is in it. */
async function* packets(): AsyncGenerator<Uint8Array> {
  // A new one each time, as a file is read: what keeps them would otherwise not be seen.
  for (;;) yield new Uint8Array(PACKET_BYTES).fill(0xfc, 0, 1);
}

/** A platform whose ingresses are all at one address. */
function restOf(url: string): Rest {
  const unused = (): Promise<never> => Promise.reject(new Error('not used'));
  const close = async (): Promise<void> => {};
  const rest: Pick<Rest, 'servers' | 'voice'> = {
    servers: { list: unused, channels: unused, emojis: unused },
    voice: {
      openIngress: async (channelId) => ({
        ingressId: channelId,
        url,
        streamKey: 'key',
        channelId,
        participants: [],
        close,
        [Symbol.asyncDispose]: close,
      }),
      closeIngress: unused,
      join: unused,
      leave: unused,
      state: unused,
    },
  };
  // The voice calls nothing else.
  return rest as Rest;
}
