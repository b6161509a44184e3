import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { assumptionOf } from '../../test/assumption-of.js';
import { SPEC_SHAPES } from '../../test/spec/shapes.js';
import { assumed, assumedPart, notShown } from './assumed.js';
import {
  messageAttachmentDraftSchema,
  messageAttachmentSchema,
  messageSchema,
} from './messages.js';
import {
  reactionEmojiSchema,
  reactionSummarySchema,
  reactionUsersGroupSchema,
} from './reactions.js';
import { voiceParticipantSchema, voiceStateSchema } from './voice.js';

describe('assumed', () => {
  it('marks a schema with the reason and leaves the original as it was', () => {
    const stated = z.string();
    const marked = assumed(stated, 'guessed from the guide');
    expect(assumptionOf(marked)).toBe('guessed from the guide');
    expect(assumptionOf(stated)).toBeUndefined();
    expect(marked.parse('x')).toBe('x');
    expect(marked.safeParse(1).success).toBe(false);
  });
});

describe('assumptionOf', () => {
  it('ignores a mark that is not a string', () => {
    expect(assumptionOf(z.string().meta({ assumed: true }))).toBeUndefined();
  });

  it.each([
    ['MessageAttachmentDraftRequest', messageAttachmentDraftSchema],
    ['MessageAttachmentDto', messageAttachmentSchema],
    ['ReactionSummaryDto', reactionSummarySchema],
    ['ReactionUsersGroupDto', reactionUsersGroupSchema],
    ['VoiceParticipantDto', voiceParticipantSchema],
    ['the voice-state snapshot', voiceStateSchema],
  ])('reports the fields of %s as assumed', (name, schema) => {
    expect(assumptionOf(schema)).toContain(name);
  });

  it.each(['replyTo', 'linkPreview', 'poll', 'forwardedFrom'] as const)(
    'reports as assumed that %s may be null or absent',
    (name) => {
      expect(assumptionOf(messageSchema.shape[name])).toContain('null or absent');
    },
  );

  it('reports the form of a unicode emoji as assumed, and not that of a custom one', () => {
    const { kind, customEmojiId, customEmojiName, unicodeEmoji } = reactionEmojiSchema.shape;
    expect([kind, customEmojiId, customEmojiName].map(assumptionOf)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(assumptionOf(unicodeEmoji)).toBe('the form of a unicode reaction');
  });

  it.each(Object.entries(SPEC_SHAPES))(
    'returns undefined for %s, which is specified',
    (_name, { schema }) => {
      expect(assumptionOf(schema)).toBeUndefined();
    },
  );

  it.each(Object.entries(SPEC_SHAPES))(
    'returns undefined for the specified fields of %s',
    (_name, { schema }) => {
      const marked =
        schema instanceof z.ZodObject
          ? Object.entries(schema.shape).filter(([, field]) => assumptionOf(field as z.ZodType))
          : undefined;
      const innerObjects = ['replyTo', 'linkPreview', 'poll', 'forwardedFrom'];
      expect(marked?.map(([name]) => name)).toEqual(schema === messageSchema ? innerObjects : []);
    },
  );

  it('finds the mark on the items of a list that is itself stated', () => {
    const { attachments, reactions } = messageSchema.shape;
    expect(assumptionOf(attachments)).toBeUndefined();
    expect(assumptionOf(attachments.element)).toBe('the fields of MessageAttachmentDto');
    expect(assumptionOf(reactions.element)).toBe('the fields of ReactionSummaryDto');
  });
});

describe('assumedPart', () => {
  const whole = z.object({
    part: assumedPart(assumed(z.object({ n: z.number() }), 'n is a number')),
  });

  it('reads what fits', () => {
    expect(whole.parse({ part: { n: 1 } })).toEqual({ part: { n: 1 } });
  });

  it.each([{ n: '1' }, {}, null, 'x', [1]])('passes %j on as it came', (part) => {
    expect(whole.parse({ part })).toStrictEqual({ part });
  });

  it('keeps the mark', () => {
    expect(assumptionOf(whole.shape.part)).toBe('n is a number');
    expect(assumptionOf(assumedPart(z.string()))).toBeUndefined();
  });
});

describe('notShown', () => {
  it('carries the likely shape', () => {
    const likely = z.string();
    expect(notShown(likely)).toEqual({ notShown: true, likely });
  });
});
