import { describe, expect, it } from 'vitest';
import { projectName } from './project-name.js';

describe('projectName', () => {
  it.each([
    ['/home/ada/my-bot', 'my-bot'],
    ['/home/ada/My Bot!', 'my-bot'],
    ['Böse Überraschung', 'bose-uberraschung'],
    ['..hidden_bot', 'hidden_bot'],
    ['@scope/bot', 'bot'],
    ['bot.js', 'bot.js'],
    [`${'a'.repeat(300)}`, 'a'.repeat(214)],
  ])('turns %s into %s', (folder, name) => {
    expect(projectName(folder)).toBe(name);
  });

  it.each(['/', '…', '/home/ада', 'node_modules', 'favicon.ico'])('refuses %s', (folder) => {
    expect(() => projectName(folder)).toThrow(
      expect.objectContaining({ code: 'E_CREATE_ARGUMENTS' }),
    );
  });
});
