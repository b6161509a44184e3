import { describe, expect, it } from 'vitest';
import { ADA, snapshot } from '../../test/sample-world.js';
import { namesIn } from '../state/mention-name.js';
import { plainText } from './plain-text.js';

describe('plainText', () => {
  it('says a message on one line without its marks', () => {
    const text = `**Hi** <@${ADA.id}>, *see*\n[this](https://a.b):\n- one\n- \`two\`\n\`\`\`js\na\nb\n\`\`\`\n> so`;
    expect(plainText(text, namesIn(snapshot()))).toBe('Hi @Ada, see this: one, two a b so');
  });
});
