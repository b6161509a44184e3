import { Pool, type Agent, type Client, type Dispatcher } from 'undici';
import { describe, expectTypeOf, it } from 'vitest';
import type { HttpDispatcher, RestOptions } from '@virgule/client/rest';
import type { Message } from '@virgule/core/protocol';
import { createRest, isApiRefused } from '@virgule/client/rest';

describe('HttpDispatcher', () => {
  it('is fitted by undici', () => {
    expectTypeOf<Pool>().toExtend<HttpDispatcher>();
    expectTypeOf<Client>().toExtend<HttpDispatcher>();
    expectTypeOf<Agent>().toExtend<HttpDispatcher>();
    // The result of `pool.compose(interceptor)`.
    expectTypeOf<Dispatcher.ComposedDispatcher>().toExtend<HttpDispatcher>();
    expectTypeOf({ dispatcher: new Pool('http://x') }).toExtend<Partial<RestOptions>>();
  });
});

describe('Rest', () => {
  const rest = createRest({ token: 'x', baseUrl: 'http://x' });

  it('returns a message where the body is documented, and a message or undefined where it is not', () => {
    expectTypeOf(rest.messages.get('c', 'm')).resolves.toEqualTypeOf<Message>();
    expectTypeOf(rest.messages.send('c', { content: 'x' })).resolves.toEqualTypeOf<
      Message | undefined
    >();
    expectTypeOf(rest.messages.delete('c', 'm')).resolves.toEqualTypeOf<void>();
  });

  it('does not take files in an edit, nor a reaction without emoji', () => {
    type EditBody = Parameters<typeof rest.messages.edit>[2];
    expectTypeOf<{ content: string }>().toExtend<EditBody>();
    expectTypeOf<EditBody>().not.toHaveProperty('attachments');
    type EmojiArgument = Parameters<typeof rest.reactions.add>[2];
    expectTypeOf<{ unicodeEmoji: string }>().toExtend<EmojiArgument>();
    expectTypeOf<{ customEmojiId: string }>().toExtend<EmojiArgument>();
    expectTypeOf<object>().not.toExtend<EmojiArgument>();
  });
});

describe('the error guards', () => {
  it('narrow the type of the details', () => {
    const error: unknown = undefined;
    if (isApiRefused(error)) {
      expectTypeOf(error.details.status).toEqualTypeOf<number>();
      expectTypeOf(error.code).toEqualTypeOf<'E_API_REFUSED'>();
    }
  });
});
