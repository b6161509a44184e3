import { defineErrors, userError } from '@virgule/core/errors';

/** Every error code of this package. Codes never change once published. */
export const redisErrors = defineErrors({
  E_REDIS_URL: userError<{ reason: string }>({
    message: ({ reason }) => `Where Redis is cannot be read: ${reason}.`,
    hint: 'Set REDIS_URL to redis://[user:password@]host[:port][/database], or rediss:// with TLS.',
  }),
  E_REDIS_UNREACHABLE: userError<{ address: string; reason: string }>({
    message: ({ address, reason }) => `Redis at ${address} cannot be reached: ${reason}.`,
    hint: 'Start it, check the URL, or pass --wait to wait for it.',
  }),
  E_REDIS_REFUSED: userError<{ address: string; reason: string }>({
    message: ({ address, reason }) => `Redis at ${address} refused the login: ${reason}.`,
    hint: 'Check the user and the password in the URL: redis://user:password@host:6379.',
  }),
  E_REDIS_UNSUITABLE: userError<{ address: string; reason: string; fix: string }>({
    message: ({ address, reason }) => `Redis at ${address} cannot be used: ${reason}.`,
    hint: ({ fix }) => fix,
  }),
});
