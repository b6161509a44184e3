import type {
  AttachmentAccessUrl,
  BotMe,
  Channel,
  Command,
  CreateBotMessageRequest,
  CreateUploadSessionRequest,
  CustomEmoji,
  EditMessageRequest,
  Message,
  MessageAttachmentDraft,
  MessageContext,
  MessageContextQuery,
  MessagePage,
  MessagePageQuery,
  MessageReactionDetails,
  MessageReactionUpdate,
  ReactionQuery,
  Server,
  SyncCommandItem,
  UploadSession,
} from '@virgule/core/protocol';
import type { FileInput } from '../upload/files.js';
import type { HistoryOptions } from './history.js';
import type { CallOptions } from '../request/call.js';

/** A call with its arguments before the options. */
type Call<Arguments extends readonly unknown[], Result> = (
  ...args: [...Arguments, options?: CallOptions]
) => Promise<Result>;

/** Calls about the bot itself. */
export interface UserCalls {
  /** Returns the bot user. Call it first after a start to check the token (Bot Interface, Endpoints #1). */
  me(options?: CallOptions): Promise<BotMe>;
}

/** Calls about servers. */
export interface ServerCalls {
  /** Returns the servers where a user installed the bot (Bot Interface, Endpoints #2). */
  list(options?: CallOptions): Promise<readonly Server[]>;
  /** Returns the channels of a server that the bot can see (#3). */
  channels(serverId: string, options?: CallOptions): Promise<readonly Channel[]>;
  /** Returns the custom emojis of a server; their ids are the `customEmojiId` of a reaction (#4). */
  emojis(serverId: string, options?: CallOptions): Promise<readonly CustomEmoji[]>;
}

/** Calls about channels. */
export interface ChannelCalls {
  /** Shows "is typing" for a few seconds; call again during long work (Bot Interface, Endpoints #11). */
  typing(channelId: string, options?: CallOptions): Promise<void>;
}

/** A message to send. */
export interface MessageBody extends CreateBotMessageRequest {
  /** Text of 1 to 2000 characters, counted as `text.length` does; may be empty next to files. */
  readonly content: string;
  /** Files to upload and send after the `attachments`: paths, bytes, streams, Blobs, or `{ name, data }`. */
  readonly files?: readonly FileInput[] | undefined;
}

/** A call about a message, with its arguments after the two ids. */
type MessageCall<Arguments extends readonly unknown[], Result> = Call<
  [channelId: string, messageId: string, ...Arguments],
  Result
>;

/** Calls about messages. */
export interface MessageCalls {
  /** Returns a page of messages older than the id `before`, 50 by default (Bot Interface, Endpoints #5). */
  list(channelId: string, query?: MessagePageQuery, options?: CallOptions): Promise<MessagePage>;
  /**
   * Iterates over a channel's messages from the newest to the oldest, and loads pages as needed (#5). An abort of the
   * signal ends the iteration with `E_ABORTED`.
   *
   * @example
   * ```ts
   * for await (const message of rest.messages.history(channelId, { limit: 200 })) {
   *   console.log(message.createdAt, message.content);
   * }
   * ```
   */
  history(channelId: string, options?: HistoryOptions): AsyncGenerator<Message, void, undefined>;
  /**
   * Sends a message with its files (#6). All files are uploaded first, without the bot token (#19); messages that are sent
   * during the upload come before this message. The client never sends a message twice automatically; `sendReconciled`
   * searches a message whose outcome is unknown.
   *
   * @returns the message, or `undefined` when the platform answers without one (not shown).
   * @throws VirguleError `E_OUTCOME_UNKNOWN` when the message may have been sent, `E_INVALID_CALL` when a text is too long,
   * a file is missing or too large for the platform, `E_UPLOAD_FAILED` when a file did not arrive and no message was sent.
   *
   * @example
   * ```ts
   * await rest.messages.send(channelId, { content: 'Look!', files: ['cat.png'] });
   * ```
   */
  send(channelId: string, body: MessageBody, options?: CallOptions): Promise<Message | undefined>;
  /** Returns a message (#8). */
  readonly get: MessageCall<[], Message>;
  /** Replaces the content of a message of the bot (#9); others are refused with 403. Returns the answered message. */
  readonly edit: MessageCall<[body: EditMessageRequest], Message | undefined>;
  /** Deletes a message. Messages of other users require ManageMessages (#7). */
  readonly delete: MessageCall<[], void>;
  /** Returns the messages around a message. `before` and `after` are counts, 25 by default (#10). */
  readonly context: MessageCall<[query?: MessageContextQuery], MessageContext>;
}

/** The emoji of a reaction: a unicode one, or a custom one from `servers.emojis`. */
export type Emoji = { readonly unicodeEmoji: string } | { readonly customEmojiId: string };

/** Reactions of a message; `undefined` when the platform answers without them. */
type Reactions = MessageReactionUpdate | undefined;

/** Calls about reactions. Where the Bot Interface does not show the answer, it may be `undefined`. */
export interface ReactionCalls {
  /** Returns the reactions of a message, only of the emoji in `query` if set (Bot Interface, Endpoints #13). */
  readonly list: MessageCall<[query?: ReactionQuery], Reactions>;
  /** Returns the reactions of a message with their users (#14). */
  readonly details: MessageCall<[query?: ReactionQuery], MessageReactionDetails>;
  /** Adds the bot's reaction (#16). */
  readonly add: MessageCall<[emoji: Emoji], Reactions>;
  /** Removes the bot's own reaction (#15). */
  readonly remove: MessageCall<[emoji: Emoji], Reactions>;
  /** Removes the reaction of another user; needs ManageReactions (#17). */
  readonly removeUser: MessageCall<[userId: string, emoji: Emoji], Reactions>;
  /** Removes all reactions of a message; needs ManageReactions or ManageMessages (#12). */
  readonly clear: MessageCall<[], Reactions>;
}

/** A file to upload. */
export interface UploadFile {
  /** Name that others see. */
  readonly fileName: string;
  /** Media type, `image/png`. */
  readonly contentType: string;
  /** The whole file. */
  readonly bytes: Uint8Array;
}

/** Options of `attachments.download`. */
export interface DownloadOptions extends Pick<CallOptions, 'signal' | 'deadlineMs'> {
  /** Maximum size of the file, in bytes, checked while it is read. @defaultValue 10 MiB */
  readonly maxBytes?: number | undefined;
  /** Content types that are accepted, in lower case, such as `['text/plain', 'image/*']`. @defaultValue any */
  readonly types?: readonly string[] | undefined;
  /** Further hosts to download from. A host with a port may have a private address. @defaultValue none */
  readonly hosts?: readonly string[] | undefined;
}

/** Calls about files. `messages.send` makes them for its `files`; by hand: `openUpload`, `upload`, then a message. */
export interface AttachmentCalls {
  /** Returns a download address of a file, valid until `expiresAt`: do not store it (Bot Interface, Endpoints #18). */
  readonly accessUrl: MessageCall<[attachmentId: string], AttachmentAccessUrl>;
  /**
   * Returns true for the URL of a file that `download` accepts: http(s) on the origin of `baseUrl`, on a host that an answer
   * of #18 or #19 named to this client, or on one of `hosts`.
   */
  isFileUrl(url: string, hosts?: readonly string[]): boolean;
  /**
   * Downloads a file without the bot token. The URL may come from a user: `isFileUrl` has to accept it and up to 3 redirects,
   * and only the origin of `baseUrl` may have a private address. The default deadline is ten times that of other calls.
   *
   * @throws VirguleError `E_ATTACHMENT_REFUSED` for other URLs, and a file that is too large, of another type or not there.
   */
  download(url: string, options?: DownloadOptions): Promise<Blob>;
  /** Opens a session for one file of `size` bytes (#19). */
  readonly openUpload: Call<[channelId: string, body: CreateUploadSessionRequest], UploadSession>;
  /**
   * Sends the bytes to `uploadUrl` without the bot token: a multipart POST with the `fields`, or a PUT without any (assumed).
   * The default deadline is ten times that of other calls. A storage that takes no byte, or does not answer, for 60 s ends it
   * with `E_TIMEOUT`; up to 2 minutes later for a large file, whose end may be in the buffers of a slow line.
   *
   * @throws VirguleError `E_INVALID_CALL` when the file is larger than the session's `maxBytes`.
   */
  upload(session: UploadSession, file: UploadFile, options?: CallOptions): Promise<void>;
  /**
   * Uploads files and returns the `attachments` of a message with them, in the same order (#19). The default deadline is ten
   * times that of other calls. It is not specified what happens to files that no message carries.
   *
   * @throws VirguleError `E_INVALID_CALL` when a file is missing or too large, `E_UPLOAD_FAILED` when one did not arrive.
   */
  uploadAll(
    channelId: string,
    files: readonly FileInput[],
    options?: CallOptions,
  ): Promise<readonly MessageAttachmentDraft[]>;
}

/** Calls about the registered commands. */
export interface CommandCalls {
  /** Returns all registered commands (Bot Interface, Endpoints #25). */
  list(options?: CallOptions): Promise<readonly Command[]>;
  /** Replaces the whole set: a command that is missing in `items` is deleted (#26). Returns the set if it is answered. */
  readonly replace: Call<[items: readonly SyncCommandItem[]], readonly Command[] | undefined>;
}
