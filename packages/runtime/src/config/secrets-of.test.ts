import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { runtimeErrors } from '../errors/runtime-errors.js';
import { secretsOf } from './secrets-of.js';

const ENV = {
  BOT_TOKEN: 'Bot made-up-7f3a',
  DATABASE_URL: 'postgres://app:s3cr3tPassw0rd@db.internal/prod',
  OPENAI_API_KEY: 'sk-made-up-0123',
  SENTRY_DSN: 'https://made-up@sentry.example/1',
  SESSION_SECRET: 'short',
  HOME: '/home/somebody',
  PATH: '/usr/local/bin:/usr/bin',
  PAGE: 'https://bot.example.com/',
};

describe('secretsOf', () => {
  it('returns what looks like a secret while the settings are not read, or cannot be', () => {
    const likely = [ENV.BOT_TOKEN, ENV.DATABASE_URL, ENV.OPENAI_API_KEY, ENV.SENTRY_DSN];
    expect(new Set(secretsOf(ENV))).toEqual(new Set(likely));
    const problems = [
      runtimeErrors.E_MODULE_THREW({ file: 'x', reason: 'y', isUnreadable: false }),
    ];
    expect(secretsOf(ENV, { config: {}, problems })).toEqual(secretsOf(ENV));
  });

  it('returns the declared secrets, and undeclared variables that look like one, once the settings are read', () => {
    expect(secretsOf(ENV, { config: {}, problems: [] })).toEqual(secretsOf(ENV));
    const env = z.object({
      SESSION_SECRET: z.string().meta({ secret: true }),
      OPENAI_API_KEY: z.string().meta({ secret: false }),
      PAGE: z.url(),
    });
    expect([...new Set(secretsOf(ENV, { config: { env }, problems: [] }))]).toEqual([
      ENV.BOT_TOKEN,
      ENV.SESSION_SECRET,
      ENV.PAGE,
      ENV.DATABASE_URL,
      ENV.SENTRY_DSN,
    ]);
  });

  it('returns no ids of the platform that a variable declares by its name', () => {
    const id = '5f0c2f6e-8f7c-4d68-9c39-0e3f8f9d4a11';
    const ids = { OWNER_IDS: `${id}, ${id}`, GUEST_ID: id, ADMIN_CHANNEL: id, owners: id };
    const secrets = { API_KEY: id, VAULT_SECRET_ID: id, SESSION_ID: id, OTHER_IDS: `${id} secret` };
    const all = { ...ids, ...secrets };
    const env = z.object(Object.fromEntries(Object.keys(all).map((name) => [name, z.string()])));
    const found = secretsOf(all, { config: { env }, problems: [] });
    expect(found).toEqual(Object.values(secrets));
  });
});
