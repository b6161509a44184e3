import type {
  ApplicationCommandEvent,
  EVENTS,
  Endpoint,
  EventName,
  EventPayloads,
  Message,
  OptionType,
  Profile,
  apiErrorBodySchema,
  frameSchema,
  messageSchema,
  voiceJoinSchema,
} from '@virgule/core/protocol';
import { describe, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';

describe('the output of a schema', () => {
  it('matches its public interface', () => {
    expectTypeOf<z.output<typeof messageSchema>>().toExtend<Message>();
    expectTypeOf<z.output<typeof messageSchema>['id']>().toEqualTypeOf<string>();
    expectTypeOf<z.output<typeof messageSchema>['editedAt']>().toEqualTypeOf<string | null>();
  });

  it('keeps the type of parts that pass through', () => {
    type Participant = z.output<typeof voiceJoinSchema>['participants'][number];
    expectTypeOf<Participant['userId']>().toEqualTypeOf<string>();
  });

  it('has an unknown payload in a frame', () => {
    expectTypeOf<z.output<typeof frameSchema>['d']>().toEqualTypeOf<unknown>();
    expectTypeOf<z.output<typeof frameSchema>['t']>().toEqualTypeOf<string | undefined>();
  });

  it('always has the four fields of an error body', () => {
    type Body = z.output<typeof apiErrorBodySchema>;
    expectTypeOf<Body['code']>().toEqualTypeOf<string>();
    expectTypeOf<Body['details']>().toEqualTypeOf<Record<string, unknown>>();
  });
});

describe('the tables', () => {
  it('name the payload of each event', () => {
    expectTypeOf<keyof typeof EVENTS>().toEqualTypeOf<EventName>();
    expectTypeOf<EventPayloads['APPLICATION_COMMAND']>().toEqualTypeOf<ApplicationCommandEvent>();
    expectTypeOf<
      z.output<(typeof EVENTS)['APPLICATION_COMMAND']['payload']>
    >().toEqualTypeOf<ApplicationCommandEvent>();
  });

  it('are closed where the document is', () => {
    expectTypeOf<'mentionable'>().toExtend<OptionType>();
    expectTypeOf<'date'>().not.toExtend<OptionType>();
    expectTypeOf<Endpoint['method']>().toEqualTypeOf<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'>();
  });

  it('require all fields of the profile', () => {
    expectTypeOf<Required<Profile>>().toEqualTypeOf<Profile>();
  });
});
