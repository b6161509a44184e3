import { expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { option } from './option.js';
import type { Milliseconds } from '../text/duration.js';
import type { ChannelRef, MentionableRef, MessageRef, RoleRef, UserRef } from './references.js';

it('options infer what the handler gets', () => {
  const schema = z.object({
    user: option.user(),
    channel: option.channel().optional(),
    role: option.role().nullable(),
    any: option.mentionable(),
    file: option.attachment(),
    after: option.duration().describe('x').default('5s'),
    on: option.message(),
    rest: option.rest().max(5).optional(),
  });
  expectTypeOf<z.output<typeof schema>>().toEqualTypeOf<{
    user: UserRef;
    channel?: ChannelRef | undefined;
    role: RoleRef | null;
    any: MentionableRef;
    file: string;
    after: Milliseconds;
    on: MessageRef;
    rest?: string | undefined;
  }>();
  // @ts-expect-error -- a plain number does not say its unit.
  option.duration().default(5);
  expectTypeOf<z.input<typeof schema>['user']>().toEqualTypeOf<string>();
});

it('a user whose default is the author can be omitted in a call, not in a handler', () => {
  const schema = z.object({ user: option.user({ default: 'author' }).describe('Whose coins') });
  expectTypeOf<z.input<typeof schema>>().toEqualTypeOf<{ user?: string }>();
  expectTypeOf<z.output<typeof schema>>().toEqualTypeOf<{ user: UserRef }>();
});
