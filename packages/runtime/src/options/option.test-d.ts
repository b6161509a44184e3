import { expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { option } from './option.js';
import type { ChannelRef, MentionableRef, RoleRef, UserRef } from './references.js';

it('options infer what the handler gets', () => {
  const schema = z.object({
    user: option.user(),
    channel: option.channel().optional(),
    role: option.role().nullable(),
    any: option.mentionable(),
    file: option.attachment(),
    after: option.duration().default(5),
    rest: option.rest().max(5).optional(),
  });
  expectTypeOf<z.output<typeof schema>>().toEqualTypeOf<{
    user: UserRef;
    channel?: ChannelRef | undefined;
    role: RoleRef | null;
    any: MentionableRef;
    file: string;
    after: number;
    rest?: string | undefined;
  }>();
  expectTypeOf<z.input<typeof schema>['user']>().toEqualTypeOf<string>();
});
