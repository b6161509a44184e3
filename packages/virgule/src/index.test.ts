import { clientErrors } from '@virgule/client/rest';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  isApiRefused,
  isAttachmentRefused,
  isForbidden,
  isNotFound,
  isOutcomeUnknown,
  isRateLimited,
  isTimeout,
  isUnreachable,
  isVirguleError,
  type Channel,
  type CommandContext,
  type FileInput,
  type Message,
  type Rest,
  type VirguleError,
} from './index.js';

const FACTS = { endpoint: 'messages.send', route: 'POST /x', attempts: 1, elapsedMs: 20 };
const refused = (status: number): VirguleError =>
  clientErrors.E_API_REFUSED({ ...FACTS, status, apiCode: '', apiMessage: 'no' });

const GUARDS = {
  isApiRefused,
  isAttachmentRefused,
  isForbidden,
  isNotFound,
  isOutcomeUnknown,
  isRateLimited,
  isTimeout,
  isUnreachable,
};

describe('the errors that handlers can distinguish', () => {
  it.each<[VirguleError, (keyof typeof GUARDS)[]]>([
    [refused(403), ['isApiRefused', 'isForbidden']],
    [refused(404), ['isApiRefused', 'isNotFound']],
    [refused(409), ['isApiRefused']],
    [
      clientErrors.E_OUTCOME_UNKNOWN({ ...FACTS, phase: 'headers', repeatIsHarmless: false }),
      ['isOutcomeUnknown'],
    ],
    [
      clientErrors.E_RATE_LIMITED({ ...FACTS, retryAfterMs: 1_000, maybeSent: false }),
      ['isRateLimited'],
    ],
    [
      clientErrors.E_ATTACHMENT_REFUSED({ reason: 'size', url: 'https://x/a', seen: '9' }),
      ['isAttachmentRefused'],
    ],
    [clientErrors.E_TIMEOUT({ ...FACTS, phase: 'headers', maybeSent: true }), ['isTimeout']],
    [
      clientErrors.E_UNREACHABLE({
        ...FACTS,
        phase: 'connecting',
        address: 'http://127.0.0.1:9',
        reason: 'ECONNREFUSED',
      }),
      ['isUnreachable'],
    ],
  ])('match %s alone', (error, names) => {
    const matching = Object.entries(GUARDS).filter(([, guard]) => guard(error));
    expect(matching.map(([name]) => name)).toEqual(names);
    expect([isVirguleError(error, error.code), isVirguleError(new Error(error.code))]).toEqual([
      true,
      false,
    ]);
  });

  it('have typed details', () => {
    const error: unknown = refused(403);
    if (!isApiRefused(error)) throw new Error('not refused');
    expectTypeOf(error.details.status).toEqualTypeOf<number>();
    expectTypeOf(error.details.apiCode).toEqualTypeOf<string>();
  });
});

describe('the types that helpers name', () => {
  it('are those of the members of a context', () => {
    type Sent = Awaited<ReturnType<CommandContext['reply']>>;
    expectTypeOf<CommandContext['rest']>().toEqualTypeOf<Rest>();
    expectTypeOf<Awaited<ReturnType<Sent['message']>>>().toEqualTypeOf<Message>();
    type Channels = Awaited<ReturnType<Rest['servers']['channels']>>;
    expectTypeOf<Channels[number]>().toEqualTypeOf<Channel>();
    type Files = NonNullable<Parameters<Rest['messages']['send']>[1]['files']>;
    expectTypeOf<Files[number]>().toEqualTypeOf<FileInput>();
  });
});
