import { describe, expect, it } from 'vitest';
import { id } from '../../test/sample-world.js';
import { plainText } from './plain-text.js';

const nameOf = (of: string, target: string) => `<${of} ${target.at(-1) ?? ''}>`;

describe('plainText', () => {
  it('says a message on one line without its marks', () => {
    const text = `**Hi** <@${id(1)}>, *see*\n[this](https://a.b):\n- one\n- \`two\`\n\`\`\`js\na\nb\n\`\`\`\n> so`;
    expect(plainText(text, nameOf)).toBe('Hi <user 1>, see this: one, two a b so');
  });
});
