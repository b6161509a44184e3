import type { ApplicationCommandEvent, MessageEvent, Ready } from '@virgule/core/protocol';
import { describe, expectTypeOf, it } from 'vitest';
import type { ChannelHandle } from '../command/context/shared-context.js';
import { defineEvent } from './define-event.js';
import { defineEventMiddleware } from './define-event-middleware.js';

describe('defineEvent', () => {
  it('types the payload after the name of the event, with no annotation', () => {
    defineEvent('MESSAGE_CREATE', ({ data, here }) => {
      expectTypeOf(data).toEqualTypeOf<MessageEvent>();
      expectTypeOf(here).toEqualTypeOf<ChannelHandle>();
    });
    defineEvent('VOICE_STATE_UPDATE', ({ here }) => {
      expectTypeOf(here).toEqualTypeOf<ChannelHandle | undefined>();
    });
    defineEvent('APPLICATION_COMMAND', ({ data }) => {
      expectTypeOf(data).toEqualTypeOf<ApplicationCommandEvent>();
    });
    defineEvent('VOICE_STATE_UPDATE', ({ data }) => {
      expectTypeOf(data.channelId).toEqualTypeOf<string | null>();
    });
  });

  it('knows the events of the framework', () => {
    defineEvent('ready', ({ data }) => {
      expectTypeOf(data).toEqualTypeOf<Ready & { readonly reconnected: boolean }>();
    });
    defineEvent('error', ({ data }) => {
      expectTypeOf(data.error).toEqualTypeOf<unknown>();
      expectTypeOf(data.source).toEqualTypeOf<string>();
    });
  });

  it('refuses events it does not know, and options it does not know', () => {
    // @ts-expect-error -- the event is called MESSAGE_CREATE.
    defineEvent('MESSAGE_CREATED', () => {});
    // @ts-expect-error -- the option is called once.
    defineEvent('MESSAGE_CREATE', () => {}, { onces: true });
    expectTypeOf<'MESSAGE_CREATED'>().not.toExtend<Parameters<typeof defineEvent>[0]>();
  });
});

describe('defineEventMiddleware', () => {
  it('types the payload after the name of an event, if one is given', () => {
    defineEventMiddleware<'MESSAGE_CREATE'>(({ data }) => {
      expectTypeOf(data).toEqualTypeOf<MessageEvent>();
    });
    defineEventMiddleware(({ data }) => {
      expectTypeOf(data).toEqualTypeOf<unknown>();
    });
  });
});
