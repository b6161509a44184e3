import { clientErrors } from '@virgule/client/rest';
import { describe, expect, it } from 'vitest';
import { unauthorized, unreachable } from '../../test/client-failures.js';
import { exitCodeOf } from './end-process.js';

describe('exitCodeOf', () => {
  it.each([
    ['a token that is refused', unauthorized(), 78],
    ['a bad address', clientErrors.E_BAD_ADDRESS({ name: 'baseUrl', seen: 'x', schemes: [] }), 78],
    ['an upgrade that no gateway answers, which may be a load balancer', unreachable(), 1],
    ['a port in use', new Error('EADDRINUSE'), 1],
  ])('of %s: %s is %i', (_, error, code) => expect(exitCodeOf(error, undefined)).toBe(code));
});
