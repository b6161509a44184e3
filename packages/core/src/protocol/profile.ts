// What the Bot Interface does not specify, and what is assumed instead. Code that depends on such an
// assumption must read it from here.

/** Assumed behavior of the platform that the Bot Interface does not specify. */
export interface Profile {
  /** Time until an interaction without a first answer expires, in milliseconds. */
  readonly answerWindowMs: number;
  /** Time until a deferred interaction without an answer expires, in milliseconds. */
  readonly deferredWindowMs: number;
  /** Whether `ack` stops the first expiry, as `defer` does. */
  readonly ackStopsExpiry: boolean;
  /** Error for a second first answer (endpoint 31). */
  readonly alreadyAnswered: { readonly status: number; readonly code: string };
  /** Error for an edit of an answer that does not exist. */
  readonly nothingToEdit: { readonly status: number; readonly code: string };
  /** Error for any request for an interaction that has expired or does not exist. */
  readonly interactionGone: { readonly status: number; readonly code: string };
  /** Status of `bot_validation_error`. */
  readonly validationStatus: number;
  /** Response body of the endpoints that write a message. */
  readonly messageResponse: 'message' | 'empty' | 'id' | 'unknown-fields';
  /** Response body of PUT /commands. */
  readonly syncResponse: 'list' | 'empty' | 'wrapped';
  /** Payload of MESSAGE_CREATE and MESSAGE_UPDATE. */
  readonly messageEvent: 'with-server-id' | 'without-server-id' | 'unknown-fields';
  /** Key of the id of the message in MESSAGE_DELETE. */
  readonly messageDeleteKey: 'messageId' | 'id';
  /** Whether MESSAGE_REACTION_REMOVE has a count. */
  readonly reactionRemoveCount: boolean;
  /** `emoji.kind` of a unicode reaction. */
  readonly unicodeEmojiKind: string;
  /** How a file is sent to `uploadUrl`: a multipart POST with the fields of the session, or a PUT of the bytes. */
  readonly uploadMethod: 'POST' | 'PUT';
  /** What the line of a command contains for an attachment option: a URL of the file, or an id. */
  readonly attachmentInput: 'url' | 'id';
  /** The `type` of a text and of a voice channel. */
  readonly channelTypes: { readonly text: string; readonly voice: string };
  /**
   * What happens when a second socket identifies with the token of an open one. `replace` closes the
   * first, `refuse` the second; `broadcast` sends every event to both, `split` each to one of them.
   */
  readonly sameTokenSockets: 'replace' | 'broadcast' | 'split' | 'refuse';
  /** Field of APPLICATION_COMMAND with the user who ran the command; the Bot Interface specifies none. */
  readonly commandUser: 'absent' | 'userId' | 'user.id';
  /** Unit of the length of message content. */
  readonly contentUnit: 'utf-16-code-unit' | 'code-point';
  /** `heartbeatInterval` of HELLO, in milliseconds. */
  readonly heartbeatIntervalMs: number;
  /** Heartbeat interval when HELLO has none, in milliseconds. */
  readonly heartbeatFallbackMs: number;
  /** Bounds to which a heartbeat interval is clamped, in milliseconds. */
  readonly heartbeatBoundsMs: { readonly min: number; readonly max: number };
  /** How often a bot may identify in any 60 s; 0 for no limit. */
  readonly identifiesPerMinute: number;
  /** How often a bot may identify in any 24 hours; 0 for no limit. */
  readonly identifiesPerDay: number;
  /** Shortest time between two edits of one response, in milliseconds. */
  readonly editIntervalMs: number;
  /** Maximum number of messages of a page, whatever the values of `limit`, `before` and `after`. */
  readonly pageMax: number;
  /** Maximum number of files of a message. */
  readonly attachmentsMax: number;
  /** `maxBytes` of an upload session. */
  readonly uploadMaxBytes: number;
  /** Lifetime of an upload session and of a download URL, in milliseconds. */
  readonly uploadLifetimeMs: number;
  /** Duration of the typing indicator, in milliseconds (specified as "a few seconds"). */
  readonly typingMs: number;
}

export const DEFAULT_PROFILE: Profile = {
  answerWindowMs: 3_000,
  deferredWindowMs: 15 * 60_000,
  ackStopsExpiry: true,
  alreadyAnswered: { status: 409, code: 'bot_interaction_already_answered' },
  nothingToEdit: { status: 404, code: 'bot_interaction_response_not_found' },
  interactionGone: { status: 404, code: 'bot_interaction_not_found' },
  validationStatus: 400,
  messageResponse: 'message',
  syncResponse: 'list',
  messageEvent: 'with-server-id',
  messageDeleteKey: 'messageId',
  reactionRemoveCount: true,
  unicodeEmojiKind: 'unicode',
  uploadMethod: 'POST',
  attachmentInput: 'url',
  channelTypes: { text: 'text', voice: 'voice' },
  sameTokenSockets: 'replace',
  commandUser: 'absent',
  contentUnit: 'utf-16-code-unit',
  heartbeatIntervalMs: 25_000,
  heartbeatFallbackMs: 25_000,
  heartbeatBoundsMs: { min: 100, max: 5 * 60_000 },
  identifiesPerMinute: 5,
  identifiesPerDay: 5_000,
  editIntervalMs: 250,
  pageMax: 100,
  attachmentsMax: 10,
  uploadMaxBytes: 25 * 1024 * 1024,
  uploadLifetimeMs: 15 * 60_000,
  typingMs: 8_000,
};

/** Returns the default profile with `overrides`; those that are `undefined` are ignored. */
export function resolveProfile(overrides: Partial<Profile> = {}): Profile {
  const defined = Object.entries(overrides).filter(([, value]) => value !== undefined);
  return { ...DEFAULT_PROFILE, ...Object.fromEntries(defined) };
}

/** Each assumption as a sentence, for the documentation and the chat page. The Bot Interface specifies none of them. */
export const ASSUMPTIONS: { readonly [Key in keyof Profile]: string } = {
  answerWindowMs: 'An interaction without a first answer expires after this time.',
  deferredWindowMs: 'A deferred interaction without an answer expires after this time.',
  ackStopsExpiry: 'An acknowledged interaction does not expire in the first window.',
  alreadyAnswered: 'A second first answer is rejected with this error.',
  nothingToEdit: 'An edit of an answer that does not exist is rejected with this error.',
  interactionGone:
    'A request for an interaction that has expired or does not exist is rejected with this error.',
  validationStatus: 'A request body with an invalid value is rejected with this status.',
  messageResponse: 'Endpoints that write a message respond with this body.',
  syncResponse: 'PUT /commands responds with this body.',
  messageEvent: 'MESSAGE_CREATE and MESSAGE_UPDATE contain the message in this form.',
  messageDeleteKey: 'MESSAGE_DELETE has the id of the message under this key.',
  reactionRemoveCount: 'MESSAGE_REACTION_REMOVE contains the remaining count.',
  unicodeEmojiKind: 'The kind of a unicode emoji is this.',
  uploadMethod: 'A file is uploaded with this method.',
  attachmentInput: 'The line of a command contains this for an attachment option.',
  channelTypes: 'Text and voice channels have these types.',
  sameTokenSockets: 'This happens when a second socket identifies with the same token.',
  commandUser: 'APPLICATION_COMMAND has the user who ran the command in this field.',
  contentUnit: 'The length of message content is counted in this unit.',
  heartbeatIntervalMs: 'HELLO contains this interval; the unit is milliseconds.',
  heartbeatFallbackMs: 'This interval is used when HELLO contains none.',
  heartbeatBoundsMs: 'An interval outside these bounds is clamped.',
  identifiesPerMinute: 'A bot identifies at most this often in a minute.',
  identifiesPerDay: 'A bot that identifies this often in a day spreads it evenly.',
  editIntervalMs: 'Edits of one response are at least this far apart.',
  pageMax: 'A page contains at most this number of messages.',
  attachmentsMax: 'A message has at most this number of files.',
  uploadMaxBytes: 'An upload session accepts at most this number of bytes.',
  uploadLifetimeMs: 'An upload session and a download URL expire after this time.',
  typingMs: 'The typing indicator is shown for this time.',
};
