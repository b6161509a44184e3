// Gaps in the Bot Interface, and the assumptions that fill them. All code reads the assumptions here.
import { definedIn } from '../objects/defined-in.js';
import { isRecord } from '../objects/is-object.js';
import type { Fields } from './values.js';

/** Values of the members that are one of several words, the default first. */
export const PROFILE_CHOICES = {
  /** Response body of the endpoints that write a message. */
  messageResponse: ['message', 'empty', 'id', 'unknown-fields'],
  /** Response body of PUT /commands. */
  syncResponse: ['list', 'empty', 'wrapped'],
  /** Payload of MESSAGE_CREATE and MESSAGE_UPDATE. */
  messageEvent: ['with-server-id', 'without-server-id', 'unknown-fields'],
  /** Method of an upload to `uploadUrl`: a multipart POST with the fields of the session, or a PUT of the bytes. */
  uploadMethod: ['POST', 'PUT'],
  /** Value of an attachment option in the line of a command: a URL of the file, or an id. */
  attachmentInput: ['url', 'id'],
  /**
   * Result when a second socket identifies: `replace` closes the first, `refuse` the second; `broadcast` sends every
   * event to both, `split` each event to one.
   */
  sameTokenSockets: ['replace', 'broadcast', 'split', 'refuse'],
  /** Field of APPLICATION_COMMAND with the user who ran the command; the Bot Interface specifies none. */
  commandUser: ['absent', 'userId', 'user.id'],
  /** Unit of the length of message content. */
  contentUnit: ['utf-16-code-unit', 'code-point'],
} as const;

type Choices = {
  readonly [Member in keyof typeof PROFILE_CHOICES]: (typeof PROFILE_CHOICES)[Member][number];
};

/** Defaults of the other members. */
const MEASURES = {
  /** Time until an interaction without a first answer expires, in milliseconds. */
  answerWindowMs: 3_000,
  /** Time until a deferred interaction without an answer expires, in milliseconds. */
  deferredWindowMs: 15 * 60_000,
  /** `true` if `ack` stops the first expiry, as `defer` does. */
  ackStopsExpiry: true,
  /** Errors with which calls are refused. */
  refusals: {
    /** A second first answer (endpoint 31). */
    alreadyAnswered: { status: 409, code: 'bot_interaction_already_answered' },
    /** An edit of an answer that does not exist. */
    nothingToEdit: { status: 404, code: 'bot_interaction_response_not_found' },
    /** Any request for an interaction that has expired or does not exist. */
    interactionGone: { status: 404, code: 'bot_interaction_not_found' },
    /** Status of `bot_validation_error`. */
    validationStatus: 400,
  },
  /** `emoji.kind` of a unicode reaction. */
  unicodeEmojiKind: 'unicode',
  /** The `type` of a text and of a voice channel. */
  channelTypes: { text: 'text', voice: 'voice' },
  /** Heartbeat intervals, in milliseconds. */
  heartbeat: {
    /** `heartbeatInterval` of HELLO. */
    intervalMs: 25_000,
    /** Interval when HELLO has none. */
    fallbackMs: 25_000,
    /** Bounds to which an interval is clamped. */
    boundsMs: { min: 100, max: 5 * 60_000 },
  },
  /** Maximum number of identifies in any 60 s and in any 24 hours; 0 for no limit. */
  identifies: { perMinute: 5, perDay: 5_000 },
  /** Minimum time between two edits of one response, in milliseconds. */
  editIntervalMs: 250,
  /** Maximum number of messages of a page, for all values of `limit`, `before` and `after`. */
  pageMax: 100,
  /** Maximum number of files of a message. */
  attachmentsMax: 10,
  /** `maxBytes` of an upload session. */
  uploadMaxBytes: 25 * 1024 * 1024,
};

/** Assumed behavior of the platform that the Bot Interface does not specify. */
export interface Profile extends Choices, Fields<typeof MEASURES> {}

/** Settings that replace parts of a profile. A group such as `refusals` keeps its other members. */
export type ProfileSettings =
  | { readonly [Key in keyof Profile]?: Partial<Profile[Key]> }
  /** Content of `platform.json`, which `virgule probe` writes: settings, and how they were measured. */
  | { readonly measured: object | undefined };

/** Lifetime of an upload session and of a download URL (assumed). */
export const UPLOAD_LIFETIME_MS = 15 * 60_000;

/** Duration of the typing indicator (assumed; specified as "a few seconds"). */
export const TYPING_MS = 8_000;

// Each choice has a first value.
const CHOSEN = Object.fromEntries(
  Object.entries(PROFILE_CHOICES).map(([member, [first]]) => [member, first]),
) as Choices;

export const DEFAULT_PROFILE: Profile = { ...MEASURES, ...CHOSEN };

/** Names of the members of a profile, those of groups in the form `refusals.validationStatus`. */
export const PROFILE_MEMBERS: readonly string[] = Object.entries(DEFAULT_PROFILE).flatMap(
  ([name, value]) =>
    isRecord(value) ? Object.keys(value).map((part) => `${name}.${part}`) : [name],
);

/** Returns the default profile with `settings`; those with the value `undefined` and unknown ones are ignored. */
export function resolveProfile(settings: ProfileSettings = {}): Profile {
  const values: Readonly<Record<string, unknown>> = { ...DEFAULT_PROFILE };
  const known = Object.entries(definedIn(settings)).filter(([key]) => Object.hasOwn(values, key));
  const merged = known.map(([key, given]) => {
    const value = values[key];
    return [key, isRecord(value) ? { ...value, ...definedIn(given) } : given];
  });
  return { ...DEFAULT_PROFILE, ...Object.fromEntries(merged) };
}

/** Returns whether a call was refused with the status and the code of a profile: other errors may share one of them. */
export const isRefusal = (
  { status, code }: Profile['refusals']['interactionGone'],
  seen: { readonly status?: unknown; readonly apiCode?: unknown },
): boolean => seen.status === status && seen.apiCode === code;

/**
 * Returns whether a call was refused because the interaction was answered already: with 409 and the code of the profile, or
 * without a code. A platform may use any other status for invalid answers as well, of which the user would see nothing.
 */
export const isAlreadyAnswered = (
  { refusals: { alreadyAnswered } }: Profile,
  { status, apiCode }: { readonly status?: unknown; readonly apiCode?: unknown },
): boolean => status === 409 && (!apiCode || apiCode === alreadyAnswered.code);

/** Sentence for each assumption, for the documentation and the chat page. */
export const ASSUMPTIONS: { readonly [Key in keyof Profile]: string } = {
  answerWindowMs: 'An interaction expires if it has no first answer by then.',
  deferredWindowMs: 'A deferred interaction expires if it has no answer by then.',
  ackStopsExpiry: 'An acknowledged interaction does not expire in the first window.',
  refusals:
    'Second answers, edits without an answer, lost interactions and invalid bodies get these errors.',
  unicodeEmojiKind: 'A unicode reaction has this emoji kind.',
  channelTypes: 'Text and voice channels have these types.',
  heartbeat:
    'HELLO contains the heartbeat interval. If it is missing, the fallback is used; the bounds limit it.',
  identifies: 'A bot may identify this often per minute and per day.',
  editIntervalMs: 'Edits of one response are at least this far apart.',
  pageMax: 'A page contains at most this many messages.',
  attachmentsMax: 'A message has at most this many files.',
  uploadMaxBytes: 'An upload session accepts at most this many bytes.',
  messageResponse: 'Endpoints that write a message respond with this body.',
  syncResponse: 'PUT /commands responds with this body.',
  messageEvent: 'MESSAGE_CREATE and MESSAGE_UPDATE contain the message in this form.',
  uploadMethod: 'A file is uploaded with this method.',
  attachmentInput: 'The command line contains this for an attachment option.',
  sameTokenSockets: 'A second socket with the same token has this effect.',
  commandUser: 'APPLICATION_COMMAND names the user who ran the command in this field.',
  contentUnit: 'The length of message content is counted in this unit.',
};
