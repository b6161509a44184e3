import { batch } from '@preact/signals';
import type { Command, ReactionEmoji } from '@virgule/core/protocol';
import type { SimChannel, SimMessage, SimUser } from '@virgule/core/simulator-api';
import { RequestError, unreachableError } from '../net/request-error.js';
import type { SimApi } from '../net/sim-api.js';
import { upsertMessage } from '../state/channel-log.js';
import { nameFiles } from '../state/name-files.js';
import { sendingMessage } from '../state/sending.js';
import type { AttachmentDrafts } from './composer-files.js';
import type { MessageLoader } from './load-messages.js';
import type { Failure, Store } from './store.js';

/** The user who writes, and the channel. */
export interface Writer {
  readonly channel: SimChannel;
  readonly user: SimUser;
}

interface WrittenMessage {
  readonly content: string;
  readonly replyTo: SimMessage | null;
  readonly files?: {
    readonly names: readonly string[];
    readonly drafts: () => Promise<AttachmentDrafts>;
  };
}

/** Actions of the user in the chat. None of them throws: a rejected request becomes a failure in the store. */
export interface Actions {
  sendMessage(writer: Writer, message: WrittenMessage): void;
  editMessage(user: SimUser, message: SimMessage, content: string): void;
  deleteMessage(user: SimUser, message: SimMessage): void;
  /** @param onStarted - called with the id of its interaction. */
  runCommand(
    writer: Writer,
    command: Command,
    rawInput: string,
    onStarted?: (interactionId: string) => void,
  ): void;
  react(user: SimUser, message: SimMessage, emoji: ReactionEmoji, remove: boolean): void;
  moveVoice(user: SimUser, channelId: string | null): void;
  dismissFailure(id: number): void;
}

/** Returns an error as one to show. */
export function asRequestError(error: unknown): RequestError {
  return error instanceof RequestError ? error : unreachableError();
}

export function createActions(
  store: Store,
  api: SimApi,
  loader: Pick<MessageLoader, 'loadEnd'>,
  now: () => number,
): Actions {
  let lastId = 0;
  let lastSending = 0;

  const dismissFailure = (id: number) => {
    store.failures.value = store.failures.peek().filter((failure) => failure.id !== id);
  };

  const removeSending = (id: string) => {
    store.sending.value = store.sending.peek().filter((message) => message.id !== id);
  };
  /** Shows a message at once, and as the simulator returns it as soon as `send` resolves. */
  const showSending = async (message: SimMessage, send: () => Promise<SimMessage>) => {
    store.sending.value = [...store.sending.peek(), message];
    try {
      const sent = await send();
      batch(() => {
        removeSending(message.id);
        const logs = store.logs.peek();
        const log = logs.get(sent.channelId);
        // What arrived before may be newer than the response, and the past has no new messages.
        const isKnown = log?.messages.some(({ id }) => id === sent.id);
        if (log === undefined || isKnown || store.past.peek() !== null) return;
        store.logs.value = new Map(logs).set(sent.channelId, upsertMessage(log, sent));
      });
    } catch (error) {
      removeSending(message.id);
      throw error;
    }
  };

  const attempt = (what: string, task: () => Promise<void>, channelId = store.channelId.peek()) => {
    task().catch((error: unknown) => {
      lastId += 1;
      const id = lastId;
      const retry = () => {
        dismissFailure(id);
        attempt(what, task, channelId);
      };
      const failure: Failure = { id, channelId, what, error: asRequestError(error), retry };
      store.failures.value = [...store.failures.peek(), failure];
      store.spoken.value = `${what} failed. ${failure.error.message}`;
    });
  };

  return {
    dismissFailure,
    sendMessage({ channel, user }, { content, replyTo, files }) {
      const title = content === '' ? nameFiles(files?.names ?? []) : `"${content}"`;
      const message = {
        channelId: channel.id,
        userId: user.id,
        content,
        replyToMessageId: replyTo?.id ?? null,
      };
      attempt(`Sending ${title}`, async () => {
        if (files === undefined) {
          lastSending += 1;
          const id = `sending ${lastSending}`;
          const sending = sendingMessage({ id, channel, user, content, replyTo, nowMs: now() });
          await showSending(sending, () => api.sendMessage(message));
        } else {
          await api.sendMessage({ ...message, attachments: await files.drafts() });
        }
        await loader.loadEnd(channel.id);
      });
    },
    editMessage(user, message, content) {
      attempt('Editing the message', () => api.editMessage(message.id, user.id, content));
    },
    deleteMessage(user, message) {
      attempt('Deleting the message', () => api.deleteMessage(message.id, user.id));
    },
    runCommand({ channel, user }, command, rawInput, onStarted) {
      attempt(`Running ${rawInput}`, async () => {
        const run = { channelId: channel.id, user, commandId: command.id, rawInput };
        const { interactionId } = await api.runCommand(run);
        onStarted?.(interactionId);
        await loader.loadEnd(channel.id);
      });
    },
    react(user, message, emoji, remove) {
      attempt(remove ? 'Removing the reaction' : 'Reacting', () => {
        const { channelId, id: messageId } = message;
        return api.react({ channelId, messageId, userId: user.id, emoji, remove });
      });
    },
    moveVoice(user, channelId) {
      attempt(channelId === null ? 'Leaving the voice channel' : 'Joining the voice channel', () =>
        api.moveVoice(user.id, channelId),
      );
    },
  };
}
