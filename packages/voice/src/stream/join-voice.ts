import { isAborted, isOutcomeUnknown, type Rest } from '@virgule/client/rest';
import { onAbort } from '@virgule/core/abort';
import { settlesWithin, type Clock } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import type { Log } from '@virgule/core/log';
import type { VoiceJoin } from '@virgule/core/protocol';
import { voiceErrors } from '../errors/voice-errors.js';
import type { VoiceJournal } from './journal.js';

/** Time that a stopping bot waits to leave, in milliseconds: a platform that does not answer must not hold the bot. */
const LEAVE_MS = 1_000;

/** A voice channel that the bot has entered. `token` and `url` are for a client of the media server. */
export interface JoinedVoice extends VoiceJoin, AsyncDisposable {
  /** Leaves the channel, once. */
  leave(): Promise<void>;
}

export function createJoins(
  rest: Pick<Rest, 'voice'>,
  clock: Clock,
  log: Log,
  journal: VoiceJournal,
) {
  const joined = new Set<JoinedVoice>();
  const joining = new Set<Promise<JoinedVoice>>();
  let hasEnded = false;

  /** Without a caller that could handle an error. */
  async function leaveQuietly(channelId: string, leave: () => Promise<void>): Promise<void> {
    await leave().catch((error: unknown) => {
      log.warn({ channelId, error: errorText(error) }, 'could not leave a voice channel');
    });
  }

  async function enter(channelId: string, signal: AbortSignal | undefined): Promise<JoinedVoice> {
    // The journal comes first: without it, the seat of a killed process would never be closed.
    const forget = journal.open(`seat-${channelId}`, { channelId, isSeat: true });
    const leaveSeat = (): Promise<void> => rest.voice.leave(channelId).then(forget);
    const answer = await rest.voice.join(channelId, { signal }).catch(async (error: unknown) => {
      const mayBeThere = isOutcomeUnknown(error) || (isAborted(error) && error.details.maybeSent);
      const isThere = [...joined].some((each) => each.channelId === channelId);
      if (mayBeThere && !isThere) await leaveQuietly(channelId, leaveSeat);
      else if (!isThere) forget();
      throw error;
    });
    log.hide?.([answer.token]);
    let leaving: Promise<void> | undefined;
    const leave = (): Promise<void> => {
      joined.delete(channel);
      detach?.();
      leaving ??= leaveSeat().catch((error: unknown) => {
        // The bot may still be there: the next call, or the end of the bot, tries again.
        leaving = undefined;
        joined.add(channel);
        throw error;
      });
      return leaving;
    };
    const channel: JoinedVoice = { ...answer, leave, [Symbol.asyncDispose]: leave };
    joined.add(channel);
    const detach = signal && onAbort(signal, () => void leaveQuietly(channelId, leave));
    if (!hasEnded) return channel;
    await leaveQuietly(channelId, leave);
    throw voiceErrors.E_VOICE_CALL({ kind: 'closed' });
  }

  return {
    async join(channelId: string, { signal }: { readonly signal?: AbortSignal | undefined } = {}) {
      signal?.throwIfAborted();
      const entering = enter(channelId, signal);
      joining.add(entering);
      return entering.finally(() => joining.delete(entering));
    },
    async leaveAll(): Promise<void> {
      hasEnded = true;
      const left = [...joined].map((each) => leaveQuietly(each.channelId, () => each.leave()));
      await settlesWithin(Promise.allSettled([...joining, ...left]), LEAVE_MS, clock);
    },
  };
}
