import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mentionFor, resolveMentions, showMentions } from './mentions.js';

const userWith = (username: string, displayName: string, digit: string) => ({
  id: `00000000-0000-4000-8000-00000000000${digit}`,
  username,
  displayName,
});
const ADA = userWith('ada', 'Ada', '1');
const GRACE = userWith('grace', 'Grace', '2');
const LINUS = userWith('linus', 'Linus', '3');
const GENERAL = { id: userWith('', '', '4').id, name: 'general' };
const DJ = { id: userWith('', '', '5').id, name: 'dj' };

const nameable = { users: [ADA, GRACE], channels: [GENERAL], roles: [DJ] };
const ada = `<@${ADA.id}>`;
const general = `<#${GENERAL.id}>`;
const dj = `<@&${DJ.id}>`;

describe('mentionFor', () => {
  it('knows users and channels by their exact name', () => {
    expect(mentionFor('mentionable', '@Ada', nameable)).toBe(ada);
    expect(mentionFor('channel', '#general', nameable)).toBe(general);
    expect(mentionFor('mentionable', '@DJ', nameable)).toBe(dj);
    expect(mentionFor('mentionable', '@ad', nameable)).toBeNull();
    expect(mentionFor('channel', '#nowhere', nameable)).toBeNull();
  });
});

describe('resolveMentions', () => {
  it('replaces names at the start of a word', () => {
    expect(resolveMentions('@ada, see #general (@grace).', nameable)).toBe(
      `${ada}, see ${general} (<@${GRACE.id}>).`,
    );
  });

  it('knows display names, also of several words, unless two users have the name', () => {
    const bot = { ...GRACE, displayName: 'Music+ Bot' };
    const resolve = (text: string, displayName = 'Tux') =>
      resolveMentions(text, { ...nameable, users: [ADA, bot, { ...LINUS, displayName }] });
    expect(resolve('@music+ bot, @Music+ Bots')).toBe(`<@${bot.id}>, @Music+ Bots`);
    expect(resolve('ask @Tux.')).toBe(`ask <@${LINUS.id}>.`);
    expect(resolve('@Music+ Bot', 'Music+ Bot')).toBe('@Music+ Bot');
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
    expect(showMentions(`${ada} in ${general} for ${dj}`, nameable)).toBe(
      '@ada in #general for @dj',
    );
  });

  it.each([
    ['in code', `\`${ada}\` and ${ada}`],
    ['in a fence', `\`\`\`\n${ada}\n\`\`\``],
    ['in a fence that stays open', `\`\`\`\n${ada}`],
    ['right after a word', `hi${ada}`],
    ['right before a word', `${ada}s`],
    ['before a dash that would be part of the name', `${ada}-x`],
    ['before another one', `${ada}${general}`],
  ])('shows a mention %s so that nothing changes when it is saved', (_where, text) => {
    expect(resolveMentions(showMentions(text, nameable), nameable)).toBe(text);
  });

  it('shows the id where two have the same name', () => {
    const twin = { ...GRACE, username: ADA.username.toUpperCase() };
    const both = { users: [ADA, twin], channels: [], roles: [] };
    const text = `${ada} and <@${twin.id}>`;
    expect(showMentions(text, both)).toBe(`@ada and <@${twin.id}>`);
  });

  it('changes nothing that is edited and saved as it is', () => {
    const part = fc.constantFrom(
      ada,
      general,
      dj,
      ' ',
      '`',
      '```',
      '\n',
      '(',
      '.',
      '-',
      'x',
      '<@',
      'é',
    );
    const property = fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const text = parts.join('');
      expect(resolveMentions(showMentions(text, nameable), nameable)).toBe(text);
    });
    fc.assert(property, { numRuns: 1_000, seed: 20 });
  });

  it('leaves what it does not know', () => {
    const text = '<@00000000-0000-0000-0000-000000000000>';
    expect(showMentions(text, nameable)).toBe(text);
  });
});
