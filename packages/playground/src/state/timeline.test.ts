import { describe, expect, it } from 'vitest';
import type { SimInteraction, SimMessage } from '@virgule/core/simulator-api';
import { ADA, BOT_AUTHOR, GRACE, interaction, message } from '../../test/sample-world.js';
import { buildTimeline, type EntryRow, type TimelineInput } from './timeline.js';

const NOON = new Date(2026, 10, 20, 12).getTime();
const at = (second: number) => new Date(NOON + second * 1000).toISOString();
const said = (second: number, more: Partial<SimMessage> = {}) =>
  message(ADA, `at ${second}`, { createdAt: at(second), ...more });
const run = (second: number, more: Partial<SimInteraction> = {}) =>
  interaction({ createdAt: at(second), ...more });

function build(more: Partial<TimelineInput>) {
  return buildTimeline({
    messages: [],
    sending: [],
    hasOlder: false,
    interactions: [],
    firstNewId: null,
    nowMs: NOON + 3_600_000,
    ...more,
  });
}

const entries = (rows: ReturnType<typeof build>): EntryRow[] =>
  rows.filter((row) => row.kind === 'entry');

describe('buildTimeline', () => {
  it('starts each day with a line', () => {
    const rows = build({ messages: [said(0), said(10), said(24 * 3600)] });
    expect(rows.map((row) => row.kind)).toEqual(['day', 'entry', 'entry', 'day', 'entry']);
  });

  it('groups messages of one author within five minutes', () => {
    const rows = entries(build({ messages: [said(0), said(299), said(299 + 300)] }));
    expect(rows.map((row) => row.startsGroup)).toEqual([true, false, true]);
  });

  it('starts a group for another author, a reply and an answer', () => {
    const answer = message(BOT_AUTHOR, '17', { createdAt: at(4) });
    const rows = entries(
      build({
        messages: [
          said(0),
          message(GRACE, 'hi', { createdAt: at(1) }),
          message(GRACE, 'to you', { createdAt: at(2), replyTo: { messageId: 'x' } }),
          message(BOT_AUTHOR, 'news', { createdAt: at(3) }),
          answer,
        ],
        interactions: [run(3.5, { state: 'answered', responseMessageId: answer.id })],
      }),
    );
    expect(rows.map((row) => row.startsGroup)).toEqual([true, true, true, true, true]);
  });

  it('puts messages that are being sent last', () => {
    const input = { messages: [said(10)], sending: [said(5)] };
    expect(entries(build(input)).map((row) => [row.message?.content, row.isSending])).toEqual([
      ['at 10', false],
      ['at 5', true],
    ]);
  });

  it('draws a line above the first new message', () => {
    const fresh = said(5);
    const rows = build({ messages: [said(0), fresh], firstNewId: fresh.id });
    expect(rows.map((row) => row.kind)).toEqual(['day', 'entry', 'new', 'entry']);
    expect(entries(rows)[1]?.startsGroup).toBe(true);
  });

  it('shows a wait only once it lasts 300 ms', () => {
    const waiting = run(0);
    expect(entries(build({ interactions: [waiting], nowMs: NOON + 299 }))).toHaveLength(0);
    expect(entries(build({ interactions: [waiting], nowMs: NOON + 300 }))).toHaveLength(1);
  });

  it('shows deferred, acknowledged and expired interactions at once', () => {
    const interactions = [
      run(0, { state: 'deferred' }),
      run(1, { state: 'acknowledged' }),
      run(2, { state: 'expired' }),
    ];
    expect(entries(build({ interactions, nowMs: NOON }))).toHaveLength(3);
  });

  it('puts the answer where the interaction was, in the same row', () => {
    const open = run(0, { state: 'deferred' });
    const between = said(30);
    const before = entries(build({ messages: [between], interactions: [open] }));
    const answer = message(BOT_AUTHOR, '17', { createdAt: at(60), interactionId: open.id });
    const after = entries(
      build({
        messages: [between, answer],
        interactions: [{ ...open, state: 'answered', responseMessageId: answer.id }],
      }),
    );
    expect(before.map((row) => row.key)).toEqual([open.id, between.id]);
    expect(after.map((row) => row.key)).toEqual([open.id, between.id]);
    expect(after[0]?.message).toBe(answer);
  });

  it('treats the first message of an interaction as its answer before that is confirmed', () => {
    const open = run(0, { state: 'deferred' });
    const answer = message(BOT_AUTHOR, '17', { createdAt: at(2), interactionId: open.id });
    const followUp = message(BOT_AUTHOR, 'more', { createdAt: at(3), interactionId: open.id });
    const rows = entries(build({ messages: [answer, followUp], interactions: [open] }));
    expect(rows.map((row) => [row.message?.content, row.interaction?.id])).toEqual([
      ['17', open.id],
      ['more', undefined],
    ]);
  });

  it('leaves out an answered interaction whose answer is not loaded', () => {
    const gone = run(0, { state: 'answered', responseMessageId: 'elsewhere' });
    expect(build({ interactions: [gone] })).toEqual([]);
    // The initial list of interactions may refer to no message.
    expect(build({ interactions: [{ ...gone, responseMessageId: null }] })).toEqual([]);
  });

  it('leaves out interactions from before the loaded messages', () => {
    const rows = entries(
      build({
        messages: [said(100)],
        hasOlder: true,
        interactions: [run(0, { state: 'expired' }), run(200, { state: 'expired' })],
      }),
    );
    expect(rows).toHaveLength(2);
    expect(rows[0]?.message).not.toBeNull();
  });
});
