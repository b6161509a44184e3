import { describe, expect, it } from 'vitest';
import { readFixtureObject } from '../../test/read-fixture.js';
import { voiceIngressSchema, voiceJoinSchema, voiceStateSchema } from './voice.js';

describe('voice answers', () => {
  it.each([
    ['join', voiceJoinSchema],
    ['ingress', voiceIngressSchema],
  ])('of %s remain readable when participants have another form than assumed', (name, schema) => {
    const body = {
      ...readFixtureObject(`voice-${name}`),
      participants: [{ identity: 'petra' }, 'petra'],
    };
    expect(schema.parse(body)).toStrictEqual(body);
  });
});

describe('voiceStateSchema', () => {
  it('accepts a server without users in voice channels', () => {
    const state = { ...readFixtureObject('assumed-voice-state'), channels: [] };
    expect(voiceStateSchema.parse(state)).toStrictEqual(state);
  });

  it('rejects another form, since the whole form is assumed', () => {
    expect(voiceStateSchema.safeParse([]).success).toBe(false);
    expect(voiceStateSchema.safeParse({ participants: [] }).success).toBe(false);
  });
});
