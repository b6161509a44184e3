// What the Bot Interface does not show, and what we assume instead. Nothing outside this file may
// build on an unstated fact without reading it from here.

/** How the platform is assumed to behave where its interface document is silent. */
export interface Profile {
  /** Time to the first answer before an interaction expires, in milliseconds. */
  readonly answerWindowMs: number;
  /** Time to fill in the answer after a defer, in milliseconds. */
  readonly deferredWindowMs: number;
  /** Whether `ack` stops the expiry, as `defer` does, showing nothing. */
  readonly ackStopsExpiry: boolean;
  /** Answer to a second POST response. */
  readonly alreadyAnswered: { readonly status: number; readonly code: string };
  /** Answer to an edit of a response that does not exist. */
  readonly nothingToEdit: { readonly status: number; readonly code: string };
  /** Answer to anything sent for an interaction that expired or never was. */
  readonly interactionGone: { readonly status: number; readonly code: string };
  /** Status of `bot_validation_error`. */
  readonly validationStatus: number;
  /** Body of the endpoints that write a message and whose response is not shown. */
  readonly messageResponse: 'message' | 'empty' | 'id' | 'unknown fields';
  /** Body of PUT /commands. */
  readonly syncResponse: 'list' | 'empty' | 'wrapped';
  /** Payload of MESSAGE_CREATE and MESSAGE_UPDATE. */
  readonly messageEvent: 'with serverId' | 'without serverId' | 'unknown fields';
  /** The key of the message in MESSAGE_DELETE. */
  readonly messageDeleteKey: 'messageId' | 'id';
  /** Whether MESSAGE_REACTION_REMOVE carries a count. */
  readonly reactionRemoveCount: boolean;
  /** `emoji.kind` of a unicode reaction. */
  readonly unicodeEmojiKind: string;
  /** How a file reaches `uploadUrl`: a multipart POST with the session's fields, or a PUT of the bytes. */
  readonly uploadMethod: 'POST' | 'PUT';
  /** The `type` of a text and of a voice channel. */
  readonly channelTypes: { readonly text: string; readonly voice: string };
  /** What happens when a second socket identifies with the token of an open one. */
  readonly sameTokenSockets: 'replace' | 'all get all' | 'split' | 'refuse';
  /** Where APPLICATION_COMMAND tells who ran the command; the interface document says nowhere. */
  readonly commandUser: 'absent' | 'userId' | 'user.id';
  /** What a character of message content is. */
  readonly contentUnit: 'UTF-16 code unit' | 'code point';
  /** `heartbeatInterval` that HELLO carries, in milliseconds. */
  readonly heartbeatIntervalMs: number;
  /** Used when HELLO carries no number, in milliseconds. */
  readonly heartbeatFallbackMs: number;
  /** A heartbeat interval outside these bounds is clamped, in milliseconds. */
  readonly heartbeatBoundsMs: { readonly min: number; readonly max: number };
  /** How often a bot may identify in any 60 s; 0 for no limit. */
  readonly identifiesPerMinute: number;
  /** How often a bot may identify in any 24 hours; 0 for no limit. */
  readonly identifiesPerDay: number;
  /** Shortest time between two edits of one response, in milliseconds. */
  readonly editIntervalMs: number;
  /** The most messages one page carries, whatever `limit`, `before` and `after` say. */
  readonly pageMax: number;
  /** The most files one message carries. */
  readonly attachmentsMax: number;
  /** `maxBytes` of an upload session. */
  readonly uploadMaxBytes: number;
  /** How long an upload session and a download address live, in milliseconds. */
  readonly uploadLifetimeMs: number;
  /** How long the typing indicator shows, in milliseconds ("a few seconds" is stated). */
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
  messageEvent: 'with serverId',
  messageDeleteKey: 'messageId',
  reactionRemoveCount: true,
  unicodeEmojiKind: 'unicode',
  uploadMethod: 'POST',
  channelTypes: { text: 'text', voice: 'voice' },
  sameTokenSockets: 'replace',
  commandUser: 'absent',
  contentUnit: 'UTF-16 code unit',
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

/** The default profile with some answers replaced; one that is `undefined` stays as it is. */
export function resolveProfile(overrides: Partial<Profile> = {}): Profile {
  const given = Object.entries(overrides).filter(([, answer]) => answer !== undefined);
  return { ...DEFAULT_PROFILE, ...Object.fromEntries(given) };
}

/** Each assumption in words, for the docs and the simulator's page. None of them is stated by the Bot Interface. */
export const ASSUMPTIONS: { readonly [Key in keyof Profile]: string } = {
  answerWindowMs: 'An interaction that gets no first answer in this time expires.',
  deferredWindowMs: 'A deferred interaction can be filled in for this long.',
  ackStopsExpiry: 'An acknowledged interaction does not expire in the first window.',
  alreadyAnswered: 'A second first answer is refused like this.',
  nothingToEdit: 'An edit of an answer that does not exist is refused like this.',
  interactionGone:
    'Anything sent for an interaction that expired or never was is refused like this.',
  validationStatus: 'A body value that is invalid is refused with this status.',
  messageResponse: 'Endpoints that write a message answer with this.',
  syncResponse: 'PUT /commands answers with this.',
  messageEvent: 'MESSAGE_CREATE and MESSAGE_UPDATE carry the message in this form.',
  messageDeleteKey: 'MESSAGE_DELETE names the message by this key.',
  reactionRemoveCount: 'MESSAGE_REACTION_REMOVE carries the count that remains.',
  unicodeEmojiKind: 'A unicode emoji has this kind.',
  uploadMethod: 'A file is uploaded like this.',
  channelTypes: 'Text and voice channels have these types.',
  sameTokenSockets: 'This happens when a second socket identifies with the same token.',
  commandUser: 'APPLICATION_COMMAND tells who ran the command here.',
  contentUnit: 'Message content is counted in these.',
  heartbeatIntervalMs: 'HELLO carries this interval; the unit is milliseconds.',
  heartbeatFallbackMs: 'Used when HELLO carries no number.',
  heartbeatBoundsMs: 'An interval outside these bounds is clamped.',
  identifiesPerMinute: 'A bot identifies at most this often in a minute.',
  identifiesPerDay: 'A bot that identifies this often in a day spreads it evenly.',
  editIntervalMs: 'Edits of one response are at least this far apart.',
  pageMax: 'A page of messages carries at most this many.',
  attachmentsMax: 'A message carries at most this many files.',
  uploadMaxBytes: 'An upload session takes at most this many bytes.',
  uploadLifetimeMs: 'An upload session and a download address live this long.',
  typingMs: 'The typing indicator shows this long.',
};
