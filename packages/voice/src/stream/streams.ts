import type { Clock } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import { voiceErrors } from '../errors/voice-errors.js';
import type { Host } from '../host/message.js';
import { toSource } from '../source/audio-source.js';
import type { Voice, VoiceOptions } from './voice.js';
import type { Journal } from './journal.js';
import { checkVolume, VoiceStream, type StreamIngress } from './voice-stream.js';

export interface StreamsOptions {
  readonly rest: VoiceOptions['rest'];
  readonly clock: Clock;
  readonly log: Log;
  readonly journal: Journal;
  readonly openHost: () => Host;
}

/** Creates the streams of a bot: one for each channel. */
export function createStreams({ rest, clock, log, journal, openHost }: StreamsOptions): Voice {
  /** The newest stream of each channel. */
  const streams = new Map<string, VoiceStream>();
  /** Also those that are replaced, until they have ended. */
  const all = new Map<number, VoiceStream>();
  let lastId = 0;
  let host: Host | undefined;
  let isClosed = false;

  function currentHost(): Host {
    if (host) return host;
    const opened = openHost();
    opened.onReply((reply) => all.get(reply.id)?.receive(reply));
    opened.onGone((reason) => {
      if (host === opened) host = undefined;
      for (const stream of all.values()) stream.hostGone(reason);
    });
    host = opened;
    return opened;
  }

  async function closeLeft(channelId: string): Promise<void> {
    await rest.voice.closeIngress(channelId).catch((error: unknown) => {
      const message = 'the ingress of an earlier start could not be closed';
      log.warn({ channelId, error: errorText(error) }, message);
    });
    journal.closed(channelId);
  }
  const left = new Map(journal.left().map((channelId) => [channelId, closeLeft(channelId)]));

  async function openIngress(channelId: string, signal: AbortSignal): Promise<StreamIngress> {
    // Closed by its channel, it would otherwise be the new one.
    await left.get(channelId);
    const ingress = await rest.voice.openIngress(channelId, { signal });
    journal.opened(channelId, ingress.ingressId);
    const { ingressId, url, streamKey } = ingress;
    log.hide?.([streamKey]);
    const close = async (): Promise<void> => {
      await ingress.close();
      journal.closed(channelId);
    };
    return { ingressId, url, streamKey, close };
  }

  const voice: Voice = {
    async stream(channelId, input, { signal, volume = 1, ifBusy = 'replace' } = {}) {
      if (isClosed) throw voiceErrors.E_VOICE_CLOSED({});
      signal?.throwIfAborted();
      const source = toSource(input);
      checkVolume(volume, source);
      const before = streams.get(channelId);
      if (before && ifBusy === 'reject') throw voiceErrors.E_VOICE_BUSY({ channelId });
      const id = (lastId += 1);
      const onClosed = (): void => {
        all.delete(id);
        if (streams.get(channelId) === stream) streams.delete(channelId);
      };
      const stream: VoiceStream = new VoiceStream(
        { id, channelId, clock, log, volume, host: currentHost, openIngress, onClosed },
        source,
      );
      all.set(id, stream);
      streams.set(channelId, stream);
      await before?.replace();
      await stream.start(signal);
      return stream;
    },
    get: (channelId) => streams.get(channelId),
    async members(serverId, channelId) {
      const state = await rest.voice.state(serverId);
      if (!state) return undefined;
      return state.channels.find((each) => each.channelId === channelId)?.participants ?? [];
    },
    async close() {
      isClosed = true;
      await Promise.all([...all.values()].map((stream) => stream.close()));
      const last = host;
      host = undefined;
      await last?.close();
    },
    [Symbol.asyncDispose]: () => voice.close(),
  };
  return voice;
}
