import { describe, expect, it } from 'vitest';
import { ADA, BOT, GRACE, LINUS, id } from '../../test/sample-world.js';
import { AVATAR_HUES, assignHues, avatarHue, initials, monogram } from './avatar.js';

describe('initials', () => {
  it.each([
    ['Demo Bot', 'DB'],
    ['echo-bot', 'EB'],
    ['Ada', 'A'],
    ['second_home.de', 'SH'],
    ['Margaret 🌻 مارغريت of the Garden', 'Mم'],
    ['🌻🌻', '?'],
    ['', '?'],
  ])('makes %j into %j', (name, expected) => {
    expect(initials(name)).toBe(expected);
  });
});

describe('monogram', () => {
  it.each([
    ['Sandbox', 'Sa'],
    ['Second Home', 'SH'],
    ['X', 'X'],
    ['', '?'],
  ])('makes %j into %j', (name, expected) => {
    expect(monogram(name)).toBe(expected);
  });
});

describe('avatarHue', () => {
  it('is always the same for an id', () => {
    expect(avatarHue(ADA.id)).toBe(avatarHue(ADA.id));
  });

  it('uses all hues', () => {
    const hues = Array.from({ length: 200 }, (_, index) => avatarHue(id(index)));
    expect(new Set(hues).size).toBe(AVATAR_HUES);
  });
});

describe('assignHues', () => {
  it('assigns eight hues to eight users', () => {
    const ids = [ADA.id, GRACE.id, LINUS.id, BOT.botUserId, id(4), id(5), id(6), id(7)];
    expect(new Set(assignHues(ids).values()).size).toBe(8);
  });

  it('repeats hues when there are more users than hues', () => {
    const ids = Array.from({ length: 20 }, (_, index) => id(index));
    const hues = [...assignHues(ids).values()];
    expect(hues).toHaveLength(20);
    expect(new Set(hues.slice(8, 16)).size).toBe(8);
    expect(hues.every((hue) => hue >= 0 && hue < AVATAR_HUES)).toBe(true);
  });
});
