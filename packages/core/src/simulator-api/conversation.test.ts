import { describe, expect, it } from 'vitest';
import { readConversation, sayLine } from './conversation.js';

describe('readConversation', () => {
  it('reads each kind of line', () => {
    const text = '#general\nada: /remind 2h tea\n\n+2h\ngrace 👍\r\nrestart\nada: one\n  two: 2\n';
    expect(readConversation(text)).toEqual({
      steps: [
        { line: 1, source: '#general', type: 'channel', channel: 'general' },
        {
          line: 2,
          source: 'ada: /remind 2h tea',
          type: 'say',
          user: 'ada',
          text: '/remind 2h tea',
        },
        { line: 4, source: '+2h', type: 'advance', ms: 7_200_000 },
        { line: 5, source: 'grace 👍', type: 'react', user: 'grace', emoji: '👍' },
        { line: 6, source: 'restart', type: 'restart' },
        { line: 7, source: 'ada: one\n  two: 2', type: 'say', user: 'ada', text: 'one\ntwo: 2' },
      ],
    });
  });

  it('reads what sayLine writes', () => {
    const text = 'a: b\n  indented\nc';
    expect(readConversation(sayLine('ada', text))).toMatchObject({ steps: [{ text }] });
  });

  it.each(['  first', 'ada', 'ada says hi', '+soon', '#two words', 'ada:hi'])(
    'names the line of %j',
    (source) => {
      expect(readConversation(`#general\n\n${source}\n`)).toEqual({ invalid: { line: 3, source } });
    },
  );
});
