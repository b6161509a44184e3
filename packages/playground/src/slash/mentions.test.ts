import { describe, expect, it } from 'vitest';
import { ADA, GENERAL, GRACE } from '../../test/sample-world.js';
import { mentionOf, resolveMentions, showMentions } from './mentions.js';

const nameable = { users: [ADA, GRACE], channels: [GENERAL] };
const ada = `<@${ADA.id}>`;
const general = `<#${GENERAL.id}>`;

describe('mentionOf', () => {
  it('knows users and channels by their exact name', () => {
    expect(mentionOf('@Ada', nameable)).toBe(ada);
    expect(mentionOf('#general', nameable)).toBe(general);
    expect(mentionOf('@ad', nameable)).toBeNull();
    expect(mentionOf('#nowhere', nameable)).toBeNull();
  });
});

describe('resolveMentions', () => {
  it('replaces names at the start of a word', () => {
    expect(resolveMentions('@ada, see #general (@grace).', nameable)).toBe(
      `${ada}, see ${general} (<@${GRACE.id}>).`,
    );
  });

  it('leaves the end of a sentence outside', () => {
    expect(resolveMentions('ask @ada.', nameable)).toBe(`ask ${ada}.`);
  });

  it('leaves unknown names, addresses and code alone', () => {
    const text = 'ada@ada.org @nobody `@ada` ```\n@ada\n``` #1';
    expect(resolveMentions(text, nameable)).toBe(text);
  });
});

describe('showMentions', () => {
  it('is the other way round', () => {
    expect(showMentions(`${ada} in ${general}`, nameable)).toBe('@ada in #general');
  });

  it('leaves what it does not know', () => {
    const text = '<@00000000-0000-0000-0000-000000000000>';
    expect(showMentions(text, nameable)).toBe(text);
  });
});
