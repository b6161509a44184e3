import { describe, expect, it } from 'vitest';
import { readRole, type Scale } from './scale.js';

const SCALE: Scale = { open: () => Promise.reject(new Error('not opened here')) };

describe('readRole', () => {
  it('is all without one', () => {
    expect([readRole(undefined, undefined), readRole(undefined, SCALE)]).toEqual(['all', 'all']);
    expect(readRole('all', undefined)).toBe('all');
    expect(readRole('worker', SCALE)).toBe('worker');
  });

  it.each([
    ['', SCALE, '"" is not a role of a process.'],
    ['workers', SCALE, '"workers" is not a role of a process.'],
    ['workers', undefined, '"workers" is not a role of a process.'],
    [
      'worker',
      undefined,
      'The role "worker" needs the setting "scale", which the configuration does not have.',
    ],
  ])('refuses %j', (saw, scale, message) => {
    expect(() => readRole(saw, scale)).toThrowError(
      expect.objectContaining({ code: 'E_ROLE', message }),
    );
  });
});
