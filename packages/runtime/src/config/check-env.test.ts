import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { checkEnv } from './check-env.js';

const reported = async (shape: z.ZodRawShape, env: Record<string, string>): Promise<string[]> =>
  (await checkEnv(z.object(shape), env)).problems.map(({ message }) => message);

describe('checkEnv', () => {
  it('returns the declared variables, converted as the schema says, and no others', async () => {
    const { values, problems } = await checkEnv(
      z.object({
        DATABASE_URL: z.url(),
        PORT: z.coerce.number().int(),
        VERBOSE: z.stringbool(),
        LANGUAGE: z.string().default('en'),
        NOTE: z.string().optional(),
      }),
      { DATABASE_URL: 'file:x', PORT: '80', VERBOSE: 'yes', PATH: '/usr/bin' },
    );
    expect(problems).toEqual([]);
    expect(values).toEqual({ DATABASE_URL: 'file:x', PORT: 80, VERBOSE: true, LANGUAGE: 'en' });
    expect(Object.isFrozen(values)).toBe(true);
  });

  it('treats an empty variable as unset', async () => {
    const schema = z.object({ LANGUAGE: z.string().default('en'), KEY: z.string() });
    const { values, problems } = await checkEnv(schema, { LANGUAGE: '', KEY: '' });
    expect(values).toEqual({});
    expect(problems.map(({ message }) => message)).toEqual([
      'The environment variable KEY is not set.',
    ]);
    expect((await checkEnv(schema, { LANGUAGE: '', KEY: 'x' })).values).toMatchObject({
      LANGUAGE: 'en',
    });
  });

  it('reports every problem of every variable at once, and never a value', async () => {
    const secret = 'hunter22-not-to-be-shown';
    const env = { DATABASE_URL: secret, KEY: `${secret}!`, PORT: 'eighty', MODE: 'mad' };
    const { problems } = await checkEnv(
      z.object({
        DATABASE_URL: z.url(),
        KEY: z
          .string()
          .min(64)
          .regex(/^[a-z]+$/),
        PORT: z.coerce.number(),
        MODE: z.enum(['dark', 'light']),
        MISSING: z.string().describe('Where the songs are'),
        // A schema may quote what it got.
        OWN: z.string().refine(() => false, { error: ({ input }) => `${String(input)} is bad` }),
      }),
      { ...env, OWN: secret },
    );
    expect(problems.map(({ code }) => code)).toEqual(Array(6).fill('E_ENV_INVALID'));
    expect(problems.map(({ message }) => message)).toEqual([
      'The environment variable DATABASE_URL is invalid: Invalid URL.',
      expect.stringMatching(
        /^The environment variable KEY is invalid: Too small.*; Invalid string/,
      ),
      'The environment variable PORT is invalid: Invalid input: expected number, received NaN.',
      'The environment variable MODE is invalid: Invalid option: expected one of "dark"|"light".',
      'The environment variable MISSING (Where the songs are) is not set.',
      'The environment variable OWN is invalid: … is bad.',
    ]);
    const everything = JSON.stringify(
      problems.map(({ details, hint, message }) => [details, hint, message]),
    );
    for (const value of Object.values(env)) expect(everything).not.toContain(value);
  });

  it('reports a transform that throws, and never what it threw', async () => {
    const reading = z.string().transform((text) => JSON.parse(text) as unknown);
    const env = { CREDENTIALS: 'hunter22-not-to-be-shown', OTHER: 'x' };
    expect(await reported({ CREDENTIALS: reading, OTHER: z.string() }, env)).toEqual([
      'The environment variable CREDENTIALS is invalid: the schema threw an error.',
    ]);
    const whole = z.object({ OTHER: z.string() }).refine(() => {
      throw new Error(env.CREDENTIALS);
    });
    expect((await checkEnv(whole, env)).problems.map(({ message }) => message)).toEqual([
      'The environment is invalid: the schema threw an error.',
    ]);
  });

  it('says what to do', async () => {
    const { problems } = await checkEnv(
      z.object({ KEY: z.string(), PORT: z.number(), ON: z.boolean(), URL: z.url() }),
      { PORT: '80', ON: 'yes', URL: 'x' },
    );
    expect(problems.map(({ hint }) => hint)).toEqual([
      'Put KEY=… into .env, or set it for the process; in a test with env, add it there.',
      expect.stringContaining('z.coerce.number()'),
      expect.stringContaining('z.stringbool()'),
      'Correct URL where it is set: a variable of the process replaces that of a .env file. Its value is not shown.',
    ]);
  });

  it('names the line of the variable in the configuration', async () => {
    const source = `export default defineConfig({\n  env: z.object({\n    KEY: z.string(),\n  }),\n});`;
    const { problems } = await checkEnv(
      z.object({ KEY: z.string() }).refine(() => false, { error: 'never' }),
      {},
      { file: 'virgule.config.ts', source },
    );
    expect(problems[0]?.location).toEqual({ file: 'virgule.config.ts', line: 3, column: 5 });
  });

  it('checks refinements of the whole object, also asynchronous ones', async () => {
    const schema = z
      .object({ A: z.string().optional(), B: z.string().optional() })
      .refine(async ({ A, B }) => (A === undefined) !== (B === undefined), { error: 'set A or B' });
    const { problems } = await checkEnv(
      schema,
      {},
      { file: 'c.ts', source: 'export default {\nenv }' },
    );
    expect(problems[0]).toMatchObject({
      message: 'The environment is invalid: set A or B.',
      hint: 'Correct the variables where they are set.',
      location: { file: 'c.ts', line: 2 },
    });
    expect((await checkEnv(schema, { A: '1' })).problems).toEqual([]);
  });

  it('treats long values as secrets, but no choices', async () => {
    const { secrets } = await checkEnv(
      z.object({
        TOKEN: z.string(),
        SHORT: z.string(),
        MODE: z.enum(['production', 'development']),
        KIND: z.literal('stand-alone').optional(),
        UNSET: z.string().optional(),
        PIN: z.string().meta({ secret: true }),
        HOME_PAGE: z.url().meta({ secret: false }).optional(),
      }),
      {
        TOKEN: '12345678',
        SHORT: '1234567',
        MODE: 'production',
        KIND: 'stand-alone',
        PIN: '0000',
        HOME_PAGE: 'https://bot.example.com',
      },
    );
    expect(secrets).toEqual(['12345678', '0000']);
  });

  it('treats a secret as transformed by the schema as a secret too, where it is long enough', async () => {
    const list = z.string().transform((text) => text.split(','));
    const encoded = z.string().transform((text) => Buffer.from(text, 'base64').toString());
    const json = z.string().transform((text) => JSON.parse(text) as unknown);
    const { secrets } = await checkEnv(
      z.object({
        KEYS: list,
        CODED: encoded,
        ACCOUNT: json,
        SET: z.string().transform((text) => new Map([['x', new Set(text.split(' '))]])),
        HOSTS: list.meta({ secret: false }),
        PORT: z.coerce.number(),
      }),
      {
        KEYS: 'first-key-1,short,second-key-2',
        CODED: Buffer.from('what was encoded').toString('base64'),
        ACCOUNT: '{"keys":[{"private":"-----BEGIN\\nKEY"}]}',
        SET: 'one-of-a-set another-of-it',
        HOSTS: 'first.example,second.example',
        PORT: '12345678',
      },
    );
    expect(secrets).toEqual(
      expect.arrayContaining([
        'first-key-1,short,second-key-2',
        'first-key-1',
        'second-key-2',
        'what was encoded',
        '-----BEGIN\nKEY',
        'one-of-a-set',
        'another-of-it',
      ]),
    );
    expect(secrets).not.toContain('short');
    expect(secrets.join()).not.toContain('example');
  });

  it('knows the secrets also when another variable is wrong', async () => {
    const { secrets } = await checkEnv(z.object({ KEY: z.string(), PORT: z.coerce.number() }), {
      KEY: 'a-long-secret',
      PORT: 'x',
    });
    expect(secrets).toEqual(['a-long-secret']);
  });

  it('has nothing to check without a schema', async () => {
    expect(await checkEnv(undefined, { KEY: 'x' })).toEqual({
      values: {},
      secrets: [],
      problems: [],
    });
  });

  it('accepts a strict object for the variables it names', async () => {
    const { problems } = await checkEnv(z.strictObject({ KEY: z.string() }), {
      KEY: 'x',
      PATH: 'y',
    });
    expect(problems).toEqual([]);
    expect(await reported({ KEY: z.string() }, {})).toHaveLength(1);
  });
});
