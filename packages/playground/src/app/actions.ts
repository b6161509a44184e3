import type { Command } from '@virgule/core/protocol';
import type { SimChannel, SimMessage, SimUser } from '@virgule/core/simulator-api';
import { RequestError, unreachableError } from '../net/request-error.js';
import { actOf, type SimApi } from '../net/sim-api.js';
import { upsertMessage } from '../state/channel-log.js';
import { nameFiles } from '../state/name-files.js';
import { sendingMessage } from '../state/sending.js';
import { upload, type ComposerFile } from './composer-files.js';
import type { Failure, Store } from './store.js';

export interface Writer {
  readonly channel: SimChannel;
  readonly user: SimUser;
}

export interface WrittenMessage {
  readonly content: string;
  readonly replyTo: SimMessage | null;
  readonly files?: readonly ComposerFile[];
}

export type Actions = ReturnType<typeof createActions>;

/** Returns any error as a `RequestError`. */
export const asRequestError = (error: unknown): RequestError =>
  error instanceof RequestError ? error : unreachableError();

/** Creates the actions of the user in the chat. No action throws: a rejected request becomes a failure in the store. */
export function createActions(store: Store, api: SimApi, now: () => number) {
  let lastId = 0;

  const dismissFailure = (id: number) =>
    (store.failures.value = store.failures.peek().filter((failure) => failure.id !== id));

  /** Shows a message at once; replaces it with the message of the simulator when `send` resolves. */
  const showSending = async (
    message: SimMessage,
    send: () => Promise<{ readonly message: SimMessage }>,
  ) => {
    store.sending.value = [...store.sending.peek(), message];
    try {
      const { message: sent } = await send();
      const log = store.logs.peek().get(sent.channelId);
      // A message that arrived earlier may be newer than the response, and the past has no new messages.
      const isKnown = log?.messages.some(({ id }) => id === sent.id);
      if (log === undefined || isKnown || store.past.peek() !== null) return;
      store.setLog(sent.channelId, upsertMessage(log, sent));
    } finally {
      store.sending.value = store.sending.peek().filter(({ id }) => id !== message.id);
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

  const uploadAll = ({ channel, user }: Writer, files: readonly ComposerFile[]) =>
    Promise.all(files.map((file) => upload(api, file, { channel: channel.id, as: user.id })));

  /** Carries out an action of a user in the control API. */
  const act = (what: string, user: SimUser, name: string, input: object) =>
    attempt(what, () => api.act(name, actOf(user, input)));

  return {
    dismissFailure,
    act,
    sendMessage(writer: Writer, written: WrittenMessage) {
      const { channel, user } = writer;
      const { content, replyTo, files = [] } = written;
      const title = content === '' ? nameFiles(files.map(({ name }) => name)) : `"${content}"`;
      attempt(`Sending ${title}`, () => {
        lastId += 1;
        const sending = sendingMessage(`sending ${lastId}`, writer, written, now());
        return showSending(sending, async () => {
          const message = { content, channel: channel.id, replyTo: replyTo?.id };
          if (files.length === 0) return api.ask('say', actOf(user, message));
          const uploads = await uploadAll(writer, files);
          const attachments = uploads.map(({ objectKey }) => objectKey);
          return api.ask('say', actOf(user, { ...message, attachments }));
        });
      });
    },
    uploadAll,
    /**
     * Runs a line.
     *
     * @param onStarted - called with the id of the interaction.
     * @param withFiles - uploads the files of the line, and resolves with the line to send.
     */
    runCommand(
      { channel, user }: Writer,
      command: Command,
      rawInput: string,
      onStarted?: (interactionId: string) => void,
      withFiles?: () => Promise<string>,
    ) {
      attempt(`Running ${rawInput}`, async () => {
        const line = withFiles ? await withFiles() : rawInput;
        const { interactionId } = await api.runCommand(user, channel.id, command.id, line);
        onStarted?.(interactionId);
      });
    },
    /** @param emoji - a unicode emoji, or the id of a custom emoji. */
    react(user: SimUser, message: SimMessage, emoji: string, remove: boolean) {
      const input = { message: message.id, emoji, remove };
      act(remove ? 'Removing the reaction' : 'Reacting', user, 'react', input);
    },
  };
}
