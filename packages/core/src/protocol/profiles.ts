// Sets of assumptions that a bot has to work under: the true ones are unknown.
import type { ProfileSettings } from './profile.js';

/** Platforms that behave as differently as the Bot Interface allows, by name. */
export const PROFILES = {
  default: {},
  /** Omits optional parts: no body where none is specified, no optional field. */
  terse: {
    messageResponse: 'empty',
    syncResponse: 'empty',
    messageEvent: 'without-server-id',
    refusals: { alreadyAnswered: { status: 409, code: '' } },
  },
  /** Has other names, statuses and bodies, and unknown fields. */
  renamed: {
    messageResponse: 'unknown-fields',
    syncResponse: 'wrapped',
    messageEvent: 'unknown-fields',
    unicodeEmojiKind: 'emoji',
    uploadMethod: 'PUT',
    refusals: {
      alreadyAnswered: { status: 400, code: 'bot_conflict' },
      nothingToEdit: { status: 400, code: 'bot_nothing' },
      interactionGone: { status: 410, code: 'bot_gone' },
      validationStatus: 422,
    },
    commandUser: 'user.id',
    contentUnit: 'code-point',
  },
  /** Has short windows, and pages no longer than the default. */
  hasty: {
    answerWindowMs: 2_000,
    deferredWindowMs: 60_000,
    ackStopsExpiry: false,
    messageResponse: 'id',
    heartbeat: { intervalMs: 5_000 },
    pageMax: 50,
    attachmentsMax: 3,
  },
} as const satisfies Readonly<Record<string, ProfileSettings>>;

/** The name of one of the `PROFILES`. */
export type ProfileName = keyof typeof PROFILES;

export const PROFILE_NAMES = Object.keys(PROFILES) as readonly ProfileName[];

/** Returns the profile with a name; `undefined` for an unknown name. */
export const profileNamed = (name: string): ProfileSettings | undefined =>
  Object.hasOwn(PROFILES, name) ? PROFILES[name as ProfileName] : undefined;
