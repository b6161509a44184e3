// A program of its own: what it registers would hold for every other type test as well.
import {
  defineCommand,
  defineErrorHandler,
  defineEvent,
  type CommandContext,
  type EnvValues,
  type Locals,
  type Services,
} from 'virgule';
import { createTestBot, type TestBotOptions } from 'virgule/testing';
import { describe, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
// The plain form, read from a file of its own.
import type * as plain from './commands/plain.js';

interface Song {
  readonly title: string;
}
type Songs = { find: (title: string) => Promise<Song> };

describe('what a bot registers', () => {
  it('is what commands get as services, env and locals', () => {
    defineCommand({
      description: 'Find a song',
      options: z.object({ title: z.string(), count: z.int().optional() }),
      async run({ options, services, env, locals }) {
        expectTypeOf(options).toEqualTypeOf<{ title: string; count?: number | undefined }>();
        expectTypeOf(services).toEqualTypeOf<{ songs: Songs; started: Date }>();
        expectTypeOf(env.PORT).toEqualTypeOf<number>();
        expectTypeOf(env.VERBOSE).toEqualTypeOf<boolean | undefined>();
        expectTypeOf(locals.language).toEqualTypeOf<'en' | 'de'>();
        // @ts-expect-error -- no such variable is declared.
        expectTypeOf(env.HOME).toBeString();
        // @ts-expect-error -- no such service is made.
        expectTypeOf(services.db).toBeObject();
        // @ts-expect-error -- no middleware leaves it.
        expectTypeOf(locals.user).toBeObject();
        // @ts-expect-error -- it was read when the bot started.
        env.PORT = 81;
        return (await services.songs.find(options.title)).title;
      },
    });
  });

  it('is what commands in the plain form get', () => {
    expectTypeOf<typeof plain.default>().parameter(0).toEqualTypeOf<
      CommandContext<{ title: string }>
    >();
    expectTypeOf<typeof plain.default>().returns.toEqualTypeOf<Promise<string>>();
  });

  it('is what events, error handlers and helpers get', () => {
    defineEvent('MESSAGE_CREATE', ({ services, env }) => {
      expectTypeOf(services).toEqualTypeOf<Services>();
      expectTypeOf(env).toEqualTypeOf<EnvValues>();
    });
    defineErrorHandler((_, { locals, services }) => {
      expectTypeOf(locals).toEqualTypeOf<Locals>();
      expectTypeOf(services.started).toEqualTypeOf<Date>();
      return undefined;
    });
    expectTypeOf<EnvValues>().toEqualTypeOf<{
      readonly DATABASE_URL: string;
      readonly PORT: number;
      readonly VERBOSE?: boolean | undefined;
    }>();
  });

  it('is what tests may replace, in part', () => {
    const songs: Songs = { find: async () => ({ title: 'fake' }) };
    expectTypeOf(createTestBot).toBeCallableWith({ services: { songs }, env: { PORT: '1' } });
    expectTypeOf<{ services: { songs: string } }>().not.toExtend<TestBotOptions>();
    expectTypeOf<{ config: { separator: '-' } }>().toExtend<TestBotOptions>();
  });
});
