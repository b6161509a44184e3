import type { Rest } from '@virgule/client/rest';
import { onAbort } from '@virgule/core/abort';
import { errorText } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import type { VoiceJoin } from '@virgule/core/protocol';

/** A voice channel that the bot has entered. `token` and `url` are for a client of the media server. */
export interface JoinedVoice extends VoiceJoin, AsyncDisposable {
  /** Leaves the channel, once. */
  leave(): Promise<void>;
}

export function createJoins(rest: Pick<Rest, 'voice'>, log: Log) {
  const joined = new Set<JoinedVoice>();
  return {
    async join(channelId: string, { signal }: { readonly signal?: AbortSignal | undefined } = {}) {
      signal?.throwIfAborted();
      const answer = await rest.voice.join(channelId, { signal });
      log.hide?.([answer.token]);
      let leaving: Promise<void> | undefined;
      const leave = (): Promise<void> => {
        joined.delete(channel);
        detach?.();
        return (leaving ??= rest.voice.leave(channelId));
      };
      const channel: JoinedVoice = { ...answer, leave, [Symbol.asyncDispose]: leave };
      joined.add(channel);
      const detach =
        signal &&
        onAbort(signal, () => {
          leave().catch((error: unknown) => {
            log.warn({ channelId, error: errorText(error) }, 'could not leave a voice channel');
          });
        });
      return channel;
    },
    async leaveAll(): Promise<void> {
      await Promise.allSettled([...joined].map((channel) => channel.leave()));
    },
  };
}
