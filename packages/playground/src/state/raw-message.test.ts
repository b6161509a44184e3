import { describe, expect, it } from 'vitest';
import { GRACE, generalMessages, message } from '../../test/sample-world.js';
import { rawMessage } from './raw-message.js';

describe('rawMessage', () => {
  it('returns what the bot reads, without URLs, users of reactions and the interaction', () => {
    for (const shown of generalMessages()) {
      const raw = rawMessage(shown);
      expect(JSON.stringify(raw)).not.toMatch(/"(url|userIds|interactionId)"/);
    }
    const { interactionId, ...expected } = message(GRACE, 'hi');
    expect(rawMessage({ ...expected, interactionId })).toEqual(expected);
  });
});
