import { clientErrors } from '@virgule/client/rest';
import { resolveProfile, type ProfileSettings } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import {
  outcomeUnknown,
  rateLimited,
  refused,
  timedOut,
  unauthorized,
  unreachable,
} from '../../../test/client-failures.js';
import {
  nextStep,
  outcomeOf,
  progressAfter,
  type Call,
  type InteractionState,
  type Action,
  type Outcome,
  type Progress,
} from './transitions.js';

const STATES: readonly InteractionState[] = [
  'received',
  'deferred',
  'acknowledged',
  'answered',
  'expired',
  'failed',
  'shared',
  'reopened',
];
const CALLS: readonly Call[] = ['defer', 'ack', 'respond', 'edit', 'follow-up'];

const inState = (state: InteractionState, parts: Partial<Progress> = {}): Progress => ({
  state,
  hasAnswer: false,
  opened: 'no',
  deferredAtMs: undefined,
  ...parts,
});

describe('nextStep', () => {
  it.each<[Action, readonly ReturnType<typeof nextStep>[]]>([
    ['defer', ['defer', null, null, null, null, null, null, null]],
    ['acknowledge', ['ack', null, null, null, null, null, null, null]],
    ['write', ['respond', 'respond', 'respond', 'edit', 'too-late', 'settle', 'settle', 'edit']],
    [
      'reply',
      ['respond', 'respond', 'respond', 'follow-up', 'too-late', 'settle', 'settle', 'edit'],
    ],
  ])('makes the call of "%s" that the state allows', (action, steps) => {
    const next = STATES.map((state) => nextStep(inState(state), action));
    expect(next).toEqual(steps);
  });

  it('repeats a call that may have opened the interaction, by this process or another one', () => {
    const steps = (state: InteractionState) =>
      (['defer', 'acknowledge'] as const).map((action) =>
        nextStep(inState(state, { opened: 'maybe' }), action),
      );
    expect(STATES.map(steps)).toEqual([
      ['defer', 'ack'],
      ['defer', null],
      [null, null],
      [null, null],
      [null, null],
      [null, null],
      ['defer', 'ack'],
      [null, null],
    ]);
  });
});

describe('progressAfter', () => {
  const stateAfter = (state: InteractionState, call: Call, outcome: Outcome): InteractionState =>
    progressAfter(inState(state), call, outcome, 0).state;

  it.each<[Call, InteractionState]>([
    ['defer', 'deferred'],
    ['ack', 'acknowledged'],
    ['respond', 'answered'],
    ['edit', 'answered'],
    ['follow-up', 'answered'],
  ])('is what %s makes it, also when that had happened before', (call, state) => {
    expect(stateAfter('received', call, 'done')).toBe(state);
    // Another process has deferred, and may have answered.
    expect(stateAfter('received', call, 'already')).toBe(call === 'defer' ? 'reopened' : state);
    expect(stateAfter('deferred', call, 'already')).toBe(state);
  });

  it('stays "answered" after a defer, whatever its outcome', () => {
    for (const outcome of ['done', 'gone', 'already', 'unknown', 'refused'] as const)
      expect(stateAfter('answered', 'defer', outcome)).toBe('answered');
  });

  it('is expired after the platform said that the interaction is gone', () => {
    for (const call of CALLS) expect(stateAfter('deferred', call, 'gone')).toBe('expired');
  });

  it.each(['refused', 'limited', 'unsent'] as const)(
    'stays as it was when a call was %s',
    (outcome) => {
      for (const call of CALLS) expect(stateAfter('received', call, outcome)).toBe('received');
    },
  );

  it('is "failed" after an answer with an unknown outcome', () => {
    for (const state of ['received', 'deferred', 'acknowledged'] as const)
      expect(stateAfter(state, 'respond', 'unknown')).toBe('failed');
  });

  it.each(['failed', 'shared', 'reopened'] as const)(
    'stays "%s" until an edit finds an answer, a defer reopens it or all is gone',
    (state) => {
      expect(stateAfter(state, 'edit', 'done')).toBe('answered');
      expect(stateAfter(state, 'defer', 'done')).toBe('reopened');
      expect(stateAfter(state, 'defer', 'already')).toBe('reopened');
      expect(stateAfter(state, 'defer', 'gone')).toBe('expired');
      // Only after a defer is an interaction without anything to edit gone.
      expect(stateAfter(state, 'edit', 'gone')).toBe(state === 'reopened' ? 'expired' : state);
      for (const outcome of ['unknown', 'limited', 'unsent', 'refused'] as const)
        for (const call of ['edit', 'defer'] as const)
          expect(stateAfter(state, call, outcome)).toBe(state);
      expect(stateAfter(state, 'edit', 'already')).toBe(state);
    },
  );

  it('assumes the thinking state when a defer may have arrived, but no acknowledgement', () => {
    expect(progressAfter(inState('received'), 'defer', 'unknown', 0)).toEqual(
      inState('deferred', { opened: 'maybe' }),
    );
    expect(stateAfter('received', 'ack', 'unknown')).toBe('received');
    expect(stateAfter('answered', 'edit', 'unknown')).toBe('answered');
    expect(stateAfter('answered', 'follow-up', 'unknown')).toBe('answered');
  });

  it('keeps the time of the first accepted defer, and that there was an answer', () => {
    const deferred = progressAfter(inState('received'), 'defer', 'done', 5);
    expect(deferred).toEqual(inState('deferred', { opened: 'yes', deferredAtMs: 5 }));
    const expired = progressAfter(
      progressAfter(deferred, 'respond', 'done', 7),
      'follow-up',
      'gone',
      9,
    );
    expect(expired).toEqual({ ...deferred, state: 'expired', hasAnswer: true });
  });
});

describe('outcomeOf', () => {
  const outcome = (error: unknown, profile: ProfileSettings = {}) =>
    outcomeOf(error, resolveProfile(profile));

  it('does not know what became of a call that was sent and not answered', () => {
    expect(outcome(outcomeUnknown())).toBe('unknown');
    expect(outcome(timedOut(true))).toBe('unknown');
    expect(outcome(rateLimited(true))).toBe('unknown');
    expect(outcome(refused(500))).toBe('unknown');
    expect(outcome(refused(503, 'bot_interaction_not_found'))).toBe('unknown');
  });

  it('knows that a call which was never sent changed nothing', () => {
    expect(outcome(timedOut(false))).toBe('unsent');
    expect(outcome(unreachable())).toBe('unsent');
    expect(outcome(rateLimited())).toBe('limited');
    expect(outcome(unauthorized())).toBe('refused');
  });

  it('reads refusals without a code by status', () => {
    expect([400, 403, 404, 409, 410, 422].map((status) => outcome(refused(status)))).toEqual([
      'refused',
      'refused',
      'gone',
      'already',
      'gone',
      'refused',
    ]);
  });

  it('recognizes a second answer by 409, with the code of the profile or none', () => {
    const taken = { refusals: { alreadyAnswered: { status: 409, code: 'taken' } } };
    expect(outcome(refused(409, 'taken'), taken)).toBe('already');
    expect(outcome(refused(409), taken)).toBe('already');
    expect(outcome(refused(409, 'bot_channel_archived'), taken)).toBe('refused');
  });

  it.each(['', 'bot_bad_request'])(
    'takes no other measured refusal for a second answer: "%s"',
    (code) => {
      // An answer that is invalid in another way may get the same refusal.
      const alreadyAnswered = { status: 400, code };
      expect(outcome(refused(400, code), { refusals: { alreadyAnswered } })).toBe('refused');
    },
  );

  it('recognizes an interaction that is gone by 404 and 410, and by no other measured refusal', () => {
    const interactionGone = { status: 400, code: 'bot_bad_request' };
    const measured = { refusals: { interactionGone } };
    for (const status of [404, 410]) expect(outcome(refused(status), measured)).toBe('gone');
    // A message that is too long may get the same refusal.
    expect(outcome(refused(400, 'bot_bad_request'), measured)).toBe('refused');
  });

  it('treats every other error as a refusal', () => {
    expect(outcome(new Error('broken'))).toBe('refused');
    expect(outcome('broken')).toBe('refused');
    expect(outcome(undefined)).toBe('refused');
    const facts = { endpoint: 'x', route: 'x', attempts: 0, elapsedMs: 0 };
    expect(outcome(clientErrors.E_SHUTTING_DOWN(facts))).toBe('refused');
  });
});
