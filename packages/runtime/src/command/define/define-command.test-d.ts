import { isInvalidInput } from '../../errors/error-guards.js';
import { UserError } from '../../errors/user-error.js';
import { describe, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import type { Message } from '@virgule/core/protocol';
import type { Author } from '../author.js';
import type { CommandContext } from '../context/command-context.js';
import type { SentMessage, Answer } from '../answer/answer.js';
import { option } from '../../options/option.js';
import type { Milliseconds } from '../../text/duration.js';
import { defineCommand, type CommandDefinition, type HandlerResult } from './define-command.js';
import { defineErrorHandler, defineMiddleware, type Middleware } from './define-middleware.js';
import { requireAuthor } from './require-author.js';

describe('defineCommand', () => {
  it('types the options after the schema, with no annotation', () => {
    defineCommand({
      description: 'Roll some dice',
      options: z.object({
        sides: z.int().min(2).default(6),
        count: z.int().optional(),
        mode: z.enum(['sum', 'list']),
        after: option.duration(),
        who: option.user(),
      }),
      run: ({ options, random }) => {
        expectTypeOf(options.sides).toEqualTypeOf<number>();
        expectTypeOf(options.count).toEqualTypeOf<number | undefined>();
        expectTypeOf(options.mode).toEqualTypeOf<'sum' | 'list'>();
        expectTypeOf(options.after).toEqualTypeOf<Milliseconds>();
        expectTypeOf(options.who.id).toEqualTypeOf<string>();
        expectTypeOf(options).not.toHaveProperty('other');
        expectTypeOf(random()).toEqualTypeOf<number>();
        return String(options.sides);
      },
    });
  });

  it('types the options after a schema of zod/mini', () => {
    defineCommand({
      description: 'Roll some dice',
      options: mini.object({
        sides: mini._default(mini.int().check(mini.describe('How many sides')), 6),
        who: mini.optional(option.user()),
      }),
      run: ({ options }) => {
        expectTypeOf(options.sides).toEqualTypeOf<number>();
        expectTypeOf(options.who?.id).toEqualTypeOf<string | undefined>();
        return String(options.sides);
      },
    });
  });

  it('infers transformed values', () => {
    defineCommand({
      description: 'Repeat',
      options: z.object({ words: z.string().transform((text) => text.split(' ')) }),
      run: ({ options }) => {
        expectTypeOf(options.words).toEqualTypeOf<string[]>();
        return options.words.join(' ');
      },
    });
  });

  it('knows that a command without a schema has no options', () => {
    defineCommand({
      description: 'Say hello',
      run: ({ options }) => {
        expectTypeOf(options).toEqualTypeOf<Readonly<Record<never, never>>>();
        // @ts-expect-error there is no option of this name
        void options.sides;
        return 'Hello';
      },
    });
  });

  it('takes every kind of handler', () => {
    const description = 'Does x';
    const files = [{ objectKey: 'key' }];
    const commands = [
      defineCommand({ description, run: () => 'text' }),
      defineCommand({ description, run: () => null }),
      defineCommand({ description, run: () => undefined }),
      defineCommand({ description, run: ({ reply }) => void reply('text') }),
      defineCommand({ description, run: async ({ reply }) => void (await reply('text')) }),
      defineCommand({ description, run: () => ({ files: ['a.png'] }) }),
      defineCommand({ description, run: async () => ({ content: 'text', replyTo: 'id' }) }),
      defineCommand({ description, run: async () => ({ content: 'text', attachments: files }) }),
    ];
    for (const { run } of commands) expectTypeOf(run).returns.toEqualTypeOf<HandlerResult>();
  });

  it('types the options of a generator too', () => {
    const streaming = defineCommand({
      description: 'Count',
      options: z.object({ to: z.int() }),
      async *run({ options, clock }) {
        expectTypeOf(options.to).toEqualTypeOf<number>();
        for (let n = 1; n <= options.to; n += 1) {
          yield String(n);
          await clock.sleep('1s');
        }
        return { content: 'done' };
      },
    });
    expectTypeOf(streaming.run).returns.toEqualTypeOf<HandlerResult>();
    defineCommand({
      description: 'Count',
      *run() {
        yield 'one';
      },
    });
  });

  it('refuses what is no answer', () => {
    type Run = CommandDefinition['run'];
    expectTypeOf<() => number>().not.toExtend<Run>();
    expectTypeOf<() => { text: string }>().not.toExtend<Run>();
    expectTypeOf<() => Promise<number>>().not.toExtend<Run>();
    expectTypeOf<() => Generator<number, string, undefined>>().not.toExtend<Run>();
    expectTypeOf<() => Generator<null, string, undefined>>().not.toExtend<Run>();
  });

  it('takes a list of tools as it is, because a spread of none would be all tools that read', () => {
    defineCommand({
      description: 'Ask',
      run: ({ tools }) => {
        const names: readonly string[] = ['roll'];
        expectTypeOf(tools).toBeCallableWith('roll', 'coin');
        expectTypeOf(tools).toBeCallableWith(names);
        // @ts-expect-error -- the list may be empty.
        tools(...names);
      },
    });
  });

  it('refuses a duration without a unit, and settings it does not know', () => {
    // @ts-expect-error -- the unit is missing.
    defineCommand({ description: 'x', defer: '2', run: () => null });
    // @ts-expect-error -- a number has no unit.
    defineCommand({ description: 'x', timeout: 2000, run: () => null });
    // @ts-expect-error -- the setting is called timeout.
    defineCommand({ description: 'x', timout: '2s', run: () => null });
    // @ts-expect-error -- users choose commands by their description.
    defineCommand({ run: () => null });
    // @ts-expect-error -- options are one zod object.
    defineCommand({ description: 'x', options: z.string(), run: () => null });
    type Settings = Pick<CommandDefinition, 'defer' | 'timeout'>;
    expectTypeOf<{ defer: '2s'; timeout: '1.5m' }>().toExtend<Settings>();
    expectTypeOf<{ defer: 'soon' }>().not.toExtend<Settings>();
  });
});

describe('the intents of a command', () => {
  it('are names of intents', () => {
    defineCommand({ description: 'x', intents: ['MESSAGE_REACTIONS'], run: () => null });
    const intents = ['SERVER_MESSAGES'] as const;
    defineCommand({ description: 'x', intents, run: () => null });
    // @ts-expect-error -- the intent is called MESSAGE_REACTIONS.
    defineCommand({ description: 'x', intents: ['MESSAGE_REACTION'], run: () => null });
    expectTypeOf<{ intents: 'MESSAGE_REACTIONS' }>().not.toExtend<
      Pick<CommandDefinition, 'intents'>
    >();
  });
});

describe('CommandContext.append', () => {
  type Source = Parameters<CommandContext['append']>[0];

  it('takes pieces of text from anywhere', () => {
    expectTypeOf<AsyncGenerator<string>>().toExtend<Source>();
    expectTypeOf<Generator<string>>().toExtend<Source>();
    expectTypeOf<readonly string[]>().toExtend<Source>();
    expectTypeOf<ReadableStream<string>>().toExtend<Source>();
    expectTypeOf<AsyncIterable<number>>().not.toExtend<Source>();
    expectTypeOf<ReadableStream<Uint8Array>>().not.toExtend<Source>();
    expectTypeOf<CommandContext['append']>().returns.resolves.toEqualTypeOf<
      readonly SentMessage[]
    >();
  });
});

describe('what a command waits with', () => {
  it('have a duration with its unit, and documented defaults', () => {
    type Confirm = Parameters<CommandContext['confirm']>;
    type Wait = Parameters<CommandContext['waitForMessage']>[0];
    type Reactions = Parameters<CommandContext['reactions']>;
    expectTypeOf<[string]>().toExtend<Confirm>();
    expectTypeOf<[{ content: string }, { by: 'anyone'; within: '30s' }]>().toExtend<Confirm>();
    expectTypeOf<[string, { by: string[] }]>().toExtend<Confirm>();
    expectTypeOf<[string, { by: 'ada' }]>().not.toExtend<Confirm>();
    expectTypeOf<[string, { within: number }]>().not.toExtend<Confirm>();
    expectTypeOf<{ within: '5m' }>().toExtend<Wait>();
    expectTypeOf<{ from: 'anyone' }>().not.toExtend<Wait>();
    expectTypeOf<[SentMessage, { within: '5m' }]>().toExtend<Reactions>();
    expectTypeOf<[string, { within: '5m' }]>().toExtend<Reactions>();
    expectTypeOf<CommandContext['confirm']>().returns.resolves.toEqualTypeOf<boolean>();
    expectTypeOf<CommandContext['waitForMessage']>().returns.resolves.toExtend<Message | null>();
    expectTypeOf<CommandContext['paginate']>().returns.resolves.toEqualTypeOf<SentMessage>();
  });

  it('takes pages without files', () => {
    type Pages = Parameters<CommandContext['paginate']>[0];
    expectTypeOf<readonly string[]>().toExtend<Pages>();
    expectTypeOf<{ content: string; files: string[] }[]>().not.toExtend<Pages>();
  });
});

describe('CommandContext', () => {
  it('offers nothing that only one user sees', () => {
    type Reply = Parameters<CommandContext['reply']>[0];
    // @ts-expect-error -- the platform does not support it.
    const input: Reply = { content: 'psst', ephemeral: true };
    expectTypeOf(input).not.toBeAny();
  });

  it('returns what the work returns from typing.during', () => {
    type Typing = CommandContext['here']['typing'];
    expectTypeOf<Typing>().toBeCallableWith();
    const during = null as unknown as Typing['during'];
    expectTypeOf(during(Promise.resolve(7))).resolves.toEqualTypeOf<number>();
    expectTypeOf(during(async () => 'text')).resolves.toEqualTypeOf<string>();
    expectTypeOf(during(() => true)).resolves.toEqualTypeOf<boolean>();
  });

  it('accepts files in a reply and not in an edit', () => {
    type Reply = Parameters<CommandContext['reply']>[0];
    type Edit = Parameters<CommandContext['edit']>[0];
    const file = { objectKey: 'key' };
    const reply: Reply = { content: 'text', attachments: [file] };
    const edit: Edit = { content: 'text' };
    expectTypeOf(reply).toExtend<Reply>();
    expectTypeOf(edit).toExtend<Edit>();
    // @ts-expect-error -- an edit cannot contain files (Bot Interface, Endpoints #30).
    const withFiles: Edit = { content: 'text', attachments: [file] };
    expectTypeOf(withFiles).not.toBeAny();
    // Not even when they come in a variable.
    expectTypeOf<{ content: string; files: string[] }>().toExtend<Reply>();
    expectTypeOf<{ content: string; files: string[] }>().not.toExtend<Edit>();
  });

  it('keeps the edit of a sent message without files too', () => {
    type Edit = Parameters<Awaited<ReturnType<CommandContext['reply']>>['edit']>[0];
    expectTypeOf<'text'>().toExtend<Edit>();
    // @ts-expect-error -- an edit cannot contain files (Bot Interface, Endpoints #30).
    const withFiles: Edit = { content: 'text', attachments: [{ objectKey: 'key' }] };
    expectTypeOf(withFiles).not.toBeAny();
  });
});

describe('defineMiddleware and defineErrorHandler', () => {
  it('type their arguments with no annotation', () => {
    defineMiddleware(async (context, next) => {
      expectTypeOf(context).toEqualTypeOf<CommandContext>();
      expectTypeOf(next).toEqualTypeOf<() => Promise<Answer>>();
      await next();
    });
    defineMiddleware(() => 'refused');
    defineErrorHandler((error, context) => {
      expectTypeOf(error).toEqualTypeOf<unknown>();
      expectTypeOf(context.commandName).toEqualTypeOf<string>();
      return undefined;
    });
    // @ts-expect-error -- a number is no answer.
    defineErrorHandler(() => 7);
  });
});

describe('requireAuthor', () => {
  it('makes the author known in a handler, with its options, and in a middleware', () => {
    defineCommand({
      description: 'x',
      options: z.object({ n: z.int() }),
      run: requireAuthor(({ author, options }) => {
        expectTypeOf(author).toExtend<Author>();
        expectTypeOf(options.n).toEqualTypeOf<number>();
        return author.id;
      }),
    });
    defineCommand({
      description: 'x',
      run: ({ author }) => {
        expectTypeOf(author).toEqualTypeOf<Author | undefined>();
        return null;
      },
    });
    defineMiddleware(requireAuthor(({ author }, next) => (author.id === 'x' ? next() : 'no')));
    const guard: Middleware = requireAuthor(({ author }, next) =>
      author.id === 'x' ? next() : 'no',
    );
    expectTypeOf(guard).toEqualTypeOf<Middleware>();
    const alone = requireAuthor(({ author }, next) => (author.id === 'x' ? next() : 'no'));
    expectTypeOf(alone).toExtend<Middleware>();
    expectTypeOf(requireAuthor()).toEqualTypeOf<Middleware>();
  });
});

describe('the settings cooldown and concurrency', () => {
  const base = { description: 'x', run: () => 'done' } as const;

  it('take what the docs say', () => {
    expectTypeOf(defineCommand({ ...base, cooldown: '5s' }).cooldown).not.toBeAny();
    defineCommand({ ...base, cooldown: { every: '5s', per: 'server' } });
    defineCommand({ ...base, cooldown: { limit: 10, every: '30s' } });
    defineCommand({ ...base, concurrency: { max: 2, when: 'queue' } });
    defineMiddleware((_, next) => next(), { cooldown: { limit: 10, every: '30s', per: 'server' } });
    defineCommand({ ...base, concurrency: { max: 1, per: 'channel', when: 'reject' } });
  });

  it('infer the argument of a key function, which may return nothing', () => {
    defineCommand({
      ...base,
      cooldown: {
        every: '5s',
        per: (context) => {
          expectTypeOf(context).toEqualTypeOf<CommandContext>();
          const { userId } = context.raw;
          return typeof userId === 'string' ? userId : undefined;
        },
      },
    });
  });

  it('refuse what the platform or the runtime could not do', () => {
    // @ts-expect-error -- the event does not say who ran a command.
    defineCommand({ ...base, cooldown: { every: '5s', per: 'user' } });
    // @ts-expect-error -- a time without its unit.
    defineCommand({ ...base, cooldown: 5_000 });
    // @ts-expect-error -- `when` is required: it says what happens to a surplus run.
    defineCommand({ ...base, concurrency: { max: 1 } });
    // @ts-expect-error -- no such way.
    const odd = defineCommand({ ...base, concurrency: { max: 1, when: 'later' } });
    expectTypeOf(odd).not.toBeAny();
  });
});

describe('isInvalidInput and UserError', () => {
  it('narrow the error of an error handler', () => {
    defineErrorHandler((error) => {
      if (isInvalidInput(error)) {
        expectTypeOf(error.code).toEqualTypeOf<'E_INPUT'>();
        expectTypeOf(error.details.usage).toEqualTypeOf<string>();
        expectTypeOf(error.details.commandName).toEqualTypeOf<string>();
        return error.details.message;
      }
      return error instanceof UserError ? error.message : undefined;
    });
  });
});
