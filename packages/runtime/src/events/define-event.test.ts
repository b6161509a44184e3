import { describe, expect, it } from 'vitest';
import { defineEvent } from './define-event.js';

describe('defineEvent', () => {
  it('returns one object of event, handler and options', () => {
    const run = (): void => {};
    expect(defineEvent('MESSAGE_CREATE', run)).toEqual({ event: 'MESSAGE_CREATE', run });
    expect(defineEvent('ready', run, { own: true, once: true })).toEqual({
      event: 'ready',
      run,
      own: true,
      once: true,
    });
  });
});
