import { expect, it } from 'vitest';
import { resultText } from './outcome-text.js';

const outcome = { id: 'm', received: true, replies: [], trace: [] };

it.each([
  [{ ...outcome }, 'The bot received it, and wrote no message.\n'],
  [
    { ...outcome, handlers: ['events/a.ts', 'events/b.ts'] },
    'events/a.ts and events/b.ts may have handled it, and wrote no message.\n',
  ],
  [
    { ...outcome, handlers: [] },
    'The bot received it, and wrote no message. No file in events/ or tasks/ handles it.\n',
  ],
  [{ ...outcome, received: false, note: 'Nothing changed.' }, 'Nothing changed.\n'],
])('says which files received an event: %j', (result, text) => {
  expect(resultText(result)).toBe(text);
});
