import { describe, expect, it } from 'vitest';
import { assumptionOf } from '../../test/assumption-of.js';
import { ENDPOINTS } from './endpoints.js';
import { EVENTS } from './gateway.js';
import { DESCRIPTION_MAX_LENGTH, NAME_PATTERN } from './limits.js';
import { messageAttachmentDraftSchema } from './messages.js';
import {
  ASSUMPTIONS,
  DEFAULT_PROFILE,
  resolveProfile,
  TYPING_MS,
  UPLOAD_LIFETIME_MS,
  type ProfileSettings,
} from './profile.js';
import { reactionSummarySchema } from './reactions.js';

/**
 * Gaps in the Bot Interface and the assumptions that fill them, written by hand. The profile has the assumed behavior
 * of the platform; other assumptions of this package are marks on schemas, constants or rows of a table.
 */
const UNKNOWNS: readonly (readonly [
  unknown: string,
  assumed: ProfileSettings | (() => boolean),
])[] = [
  ['time to the first answer before an interaction expires', { answerWindowMs: 3_000 }],
  ['time to fill in after a defer', { deferredWindowMs: 900_000 }],
  ['does ack stop the expiry', { ackStopsExpiry: true }],
  [
    'errors of calls: a second answer, an edit without an answer, an expired interaction, an invalid body',
    {
      refusals: {
        alreadyAnswered: { status: 409, code: 'bot_interaction_already_answered' },
        nothingToEdit: { status: 404, code: 'bot_interaction_response_not_found' },
        interactionGone: { status: 404, code: 'bot_interaction_not_found' },
        validationStatus: 400,
      },
    },
  ],
  ['body of the endpoints that write a message', { messageResponse: 'message' }],
  ['body of PUT /commands', { syncResponse: 'list' }],
  ['payload of MESSAGE_CREATE and MESSAGE_UPDATE', { messageEvent: 'with-server-id' }],
  ['payload of MESSAGE_DELETE', () => assumptionOf(EVENTS.MESSAGE_DELETE.payload) !== undefined],
  [
    'payload of MESSAGE_REACTION_REMOVE',
    () => assumptionOf(EVENTS.MESSAGE_REACTION_REMOVE.payload) !== undefined,
  ],
  ['emoji of a unicode reaction', { unicodeEmojiKind: 'unicode' }],
  [
    'payload of VOICE_STATE_UPDATE',
    () => assumptionOf(EVENTS.VOICE_STATE_UPDATE.payload) !== undefined,
  ],
  ['ReactionSummaryDto', () => assumptionOf(reactionSummarySchema) !== undefined],
  ['MessageAttachmentDraftRequest', () => assumptionOf(messageAttachmentDraftSchema) !== undefined],
  ['how a file is uploaded', { uploadMethod: 'POST' }],
  ['what a line contains for an attachment option', { attachmentInput: 'url' }],
  ['type of a channel', { channelTypes: { text: 'text', voice: 'voice' } }],
  [
    'names and descriptions of commands and options',
    () => NAME_PATTERN.source === '^[a-z0-9][a-z0-9_-]{0,31}$' && DESCRIPTION_MAX_LENGTH === 100,
  ],
  ['two sockets with one token', { sameTokenSockets: 'replace' }],
  ['who ran the command', { commandUser: 'absent' }],
  ['unit of content length', { contentUnit: 'utf-16-code-unit' }],
  [
    'authentication of the command endpoint for users',
    () => ENDPOINTS['user.runCommand'].api === 'user',
  ],
  [
    'interval of heartbeats',
    {
      heartbeat: { intervalMs: 25_000, fallbackMs: 25_000, boundsMs: { min: 100, max: 300_000 } },
    },
  ],
  ['how often a bot may identify', { identifies: { perMinute: 5, perDay: 5_000 } }],
  ['several edits in quick succession', { editIntervalMs: 250 }],
  ['most messages of a page', { pageMax: 100 }],
  ['most files of a message', { attachmentsMax: 10 }],
  ['largest file', { uploadMaxBytes: 26_214_400 }],
  ['life of an upload session and a download address', () => UPLOAD_LIFETIME_MS === 900_000],
  ['how long the typing indicator shows', () => TYPING_MS === 8_000],
];

const inProfile = UNKNOWNS.flatMap(([name, assumed]) =>
  typeof assumed === 'function' ? [] : ([[name, assumed]] as const),
);
const elsewhere = UNKNOWNS.flatMap(([name, assumed]) =>
  typeof assumed === 'function' ? ([[name, assumed]] as const) : [],
);

describe('DEFAULT_PROFILE', () => {
  it.each(inProfile)('assumes for the %s: %j', (_name, assumed) => {
    expect(DEFAULT_PROFILE).toMatchObject(assumed);
  });

  it.each(elsewhere)('does not contain the %s, which is assumed elsewhere', (_name, isMarked) => {
    expect(isMarked()).toBe(true);
  });

  it('assumes nothing that is not on the list', () => {
    const listed = inProfile.flatMap(([, assumed]) => Object.keys(assumed));
    expect(Object.keys(DEFAULT_PROFILE).toSorted()).toEqual(listed.toSorted());
  });

  it('clamps to bounds that contain its own intervals', () => {
    const { boundsMs, intervalMs, fallbackMs } = DEFAULT_PROFILE.heartbeat;
    const { min, max } = boundsMs;
    for (const ms of [intervalMs, fallbackMs]) {
      expect(ms >= min && ms <= max).toBe(true);
    }
  });
});

describe('ASSUMPTIONS', () => {
  it('describe every key of the profile, in the same order', () => {
    expect(Object.keys(ASSUMPTIONS)).toEqual(Object.keys(DEFAULT_PROFILE));
  });

  it.each(Object.entries(ASSUMPTIONS))('describe %s in one sentence: %s', (_key, text) => {
    expect(text).toMatch(/^[A-Z][^\n]{15,100}\.$/);
  });

  it('describe each key differently', () => {
    const texts = Object.values(ASSUMPTIONS);
    expect(new Set(texts).size).toBe(texts.length);
  });
});

describe('resolveProfile', () => {
  it('returns the default profile without overrides', () => {
    expect(resolveProfile()).toEqual(DEFAULT_PROFILE);
    expect(resolveProfile({})).toEqual(DEFAULT_PROFILE);
  });

  it('replaces only the overrides', () => {
    const profile = resolveProfile({ answerWindowMs: 1_000, syncResponse: 'wrapped' });
    expect(profile).toEqual({ ...DEFAULT_PROFILE, answerWindowMs: 1_000, syncResponse: 'wrapped' });
  });

  it('does not change the default profile', () => {
    const before = structuredClone(DEFAULT_PROFILE);
    expect(resolveProfile({ ackStopsExpiry: false })).not.toBe(DEFAULT_PROFILE);
    expect(DEFAULT_PROFILE).toEqual(before);
  });

  it('keeps the default where a setting is undefined', () => {
    const profile = resolveProfile({ pageMax: undefined, answerWindowMs: 1 });
    expect(profile).toEqual({ ...DEFAULT_PROFILE, answerWindowMs: 1 });
  });

  it('keeps what a group does not replace', () => {
    const { heartbeat } = resolveProfile({ heartbeat: { intervalMs: 1_000, boundsMs: undefined } });
    expect(heartbeat).toEqual({ ...DEFAULT_PROFILE.heartbeat, intervalMs: 1_000 });
  });
});
