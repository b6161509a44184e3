import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createVoice, type VoiceOptions, type VoiceStream } from '@virgule/voice';
import { cpuMicros } from '../rounds/cpu.js';

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
  readonly rssMegabytes: number;
  /** Growth of it during the measurement. */
  readonly grownMegabytes: number;
  /** Packets that were sent in the measured time, and those that 20 ms each would be. */
  readonly sent: number;
  readonly due: number;
  /** Since the start. */
  readonly lost: number;
  readonly underruns: number;
  readonly skippedMs: number;
}

/** Sends this many streams from this process, and measures for a while. */
export async function measureVoice(options: {
  readonly streams: number;
  readonly seconds: number;
  readonly transport: VoiceOptions['transport'];
}): Promise<VoiceFigures> {
  const { streams: count, seconds, transport } = options;
  const endpoint = fork(ENDPOINT);
  const [port] = (await once(endpoint, 'message')) as [number];
  const url = `http://127.0.0.1:${port}/whip`;
  const voice = createVoice({ rest: restOf(url), transport });
  const streams: VoiceStream[] = [];
  try {
    for (let from = 0; from < count; from += BATCH) {
      const batch = Array.from({ length: Math.min(BATCH, count - from) }, (_, index) =>
        voice.stream(`channel ${from + index}`, packets()),
      );
      streams.push(...(await Promise.all(batch)));
    }
    await sleep(SETTLE_MS);
    const total = (name: 'packetsSent' | 'underruns' | 'skippedMs'): number =>
      streams.reduce((sum, { stats }) => sum + stats[name], 0);
    // Streams report their packets every 10: between two reports the number is too low.
    const nextReport = async (): Promise<number> => {
      for (const before = total('packetsSent'); total('packetsSent') === before;) await sleep(1);
      return total('packetsSent');
    };
    const sentBefore = await nextReport();
    const [cpu, rss, startMs] = [cpuMicros(), process.memoryUsage.rss(), performance.now()];
    await sleep(seconds * 1_000);
    const sent = (await nextReport()) - sentBefore;
    const tookMs = performance.now() - startMs;
    const { lost } = (await (await fetch(url)).json()) as { readonly lost: number };
    return {
      streams: count,
      cpuPercent: (cpuMicros() - cpu) / 10 / tookMs,
      rssMegabytes: process.memoryUsage.rss() / 1e6,
      grownMegabytes: (process.memoryUsage.rss() - rss) / 1e6,
      sent,
      due: Math.round((tookMs / 20) * count),
      lost,
      underruns: total('underruns'),
      skippedMs: total('skippedMs'),
    };
  } finally {
    await voice.close();
    endpoint.disconnect();
    await once(endpoint, 'exit');
  }
}

/** Returns packets that do not end: an Opus file is sent unchanged, whatever is in it. */
async function* packets(): AsyncGenerator<Uint8Array> {
  const packet = new Uint8Array(PACKET_BYTES);
  packet[0] = 0xfc;
  for (;;) yield packet;
}

/** A platform whose ingresses are all at one address. */
function restOf(url: string): VoiceOptions['rest'] {
  const unused = (): Promise<never> => Promise.reject(new Error('not used'));
  const close = async (): Promise<void> => {};
  return {
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
}
