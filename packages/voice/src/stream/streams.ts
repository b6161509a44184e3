import { isNotFound, type Rest } from '@virgule/client/rest';
import type { Clock } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import { voiceErrors } from '../errors/voice-errors.js';
import type { Host, HostListener } from '../host/message.js';
import { toSource } from '../source/audio-source.js';
import type { VoiceMembers } from '../members/voice-members.js';
import type { Voice } from './voice.js';
import type { VoiceJournal } from './journal.js';
import type { StreamIngress } from './connection.js';
import { checkVolume, VoiceStream } from './voice-stream.js';

export interface StreamsOptions {
  readonly rest: Pick<Rest, 'voice'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly members: VoiceMembers;
  readonly journal: VoiceJournal;
  readonly openHost: (listener: HostListener) => Host;
}

/** `Voice` whose owner can end all of its streams. */
export interface OwnVoice extends Voice, AsyncDisposable {
  /** Ends every stream. */
  close(): Promise<void>;
}

/** Creates the streams of a bot: one for each channel. */
export function createStreams(options: StreamsOptions): OwnVoice {
  const { rest, clock, log, members, journal, openHost } = options;
  /** Streams by id, also ending ones until they are closed. */
  const all = new Map<number, VoiceStream>();
  let lastId = 0;
  let host: Host | undefined;
  let closed: Promise<void> | undefined;

  function currentHost(): Host {
    if (host) return host;
    const opened = openHost({
      reply: (reply) => all.get(reply.id)?.receive(reply),
      gone(reason) {
        if (host === opened) host = undefined;
        for (const stream of all.values()) stream.hostGone(reason);
      },
    });
    return (host = opened);
  }

  for (const { facts, forget } of journal.left()) {
    const { channelId } = facts;
    rest.voice.closeIngress(channelId).then(forget, (error: unknown) => {
      if (isNotFound(error)) return forget();
      const message =
        'the ingress of an earlier start could not be closed, the next start tries again';
      log.warn({ channelId, error: errorText(error) }, message);
    });
  }

  async function openIngress(channelId: string, signal: AbortSignal): Promise<StreamIngress> {
    // The journal comes first: without it, the ingress of a killed process would never be closed.
    const forget = journal.open(channelId, { channelId });
    const ingress = await rest.voice.openIngress(channelId, { signal }).catch((error: unknown) => {
      forget();
      throw error;
    });
    const { url, streamKey } = ingress;
    log.hide?.([streamKey]);
    return { url, streamKey, close: () => ingress.close().then(forget) };
  }

  async function closeAll(): Promise<void> {
    await Promise.all([...all.values()].map((stream) => stream.close()));
    const last = host;
    host = undefined;
    await last?.close();
  }

  const shared = { clock, log, host: currentHost, openIngress };
  const voice: OwnVoice = {
    async stream(channelId, input, { signal, volume = 1, ifBusy } = {}) {
      if (closed) throw voiceErrors.E_VOICE_CALL({});
      signal?.throwIfAborted();
      const source = toSource(input);
      checkVolume(volume, source);
      if (voice.get(channelId) && ifBusy === 'reject')
        throw voiceErrors.E_VOICE_BUSY({ channelId });
      const id = (lastId += 1);
      const onClosed = (): void => void all.delete(id);
      const stream = new VoiceStream({ ...shared, id, channelId, volume, onClosed });
      // Ending streams count too, because an ingress is closed by its channel.
      const before = [...all.values()].filter((each) => each.channelId === channelId);
      all.set(id, stream);
      await Promise.all(before.map((each) => each.replace()));
      await stream.start(source, signal);
      return stream;
    },
    get: (channelId) =>
      [...all.values()].findLast((each) => each.channelId === channelId && !each.isClosing),
    members: (channelId) => members.of(channelId),
    close: () => (closed ??= closeAll()),
    [Symbol.asyncDispose]: () => voice.close(),
  };
  return voice;
}
