import { describe, expect, it } from 'vitest';
import { initials, monogram } from './avatar.js';

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
