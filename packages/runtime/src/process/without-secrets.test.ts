import { describe, expect, it } from 'vitest';
import { withoutSecrets } from './without-secrets.js';

describe('withoutSecrets', () => {
  it('takes out what secret keys hold, at the top and one level down, whatever it is', () => {
    expect(
      withoutSecrets({
        token: 'abc',
        streamKey: 7,
        a: { token: 'abc', authorization: { Bot: 'abc' }, name: 'x' },
        b: Object.assign(Object.create(null), { streamKey: 'abc' }),
      }),
    ).toEqual({
      token: '[redacted]',
      streamKey: '[redacted]',
      a: { token: '[redacted]', authorization: '[redacted]', name: 'x' },
      b: { streamKey: '[redacted]' },
    });
  });

  it('changes nothing of what it is given', () => {
    const details = { token: 'abc', connection: { token: 'abc' } };
    withoutSecrets(details);
    expect(details).toEqual({ token: 'abc', connection: { token: 'abc' } });
  });

  it.each([
    [{}],
    [{ command: 'x', ms: 3, list: ['token'], none: null, err: new Error('token') }],
    [{ inner: { name: 'x', deeper: { list: [] } } }],
  ])('gives a line without any back as it is, with no copy', (details) => {
    expect(withoutSecrets(details)).toBe(details);
  });
});
