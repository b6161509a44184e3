import { describe, expect, it } from 'vitest';
import { ADA, DJ, GENERAL, id } from '../../test/sample-world.js';
import { namesIn } from './mention-name.js';
import { shownLine } from './shown-line.js';

const names = namesIn({ servers: [], users: [ADA], channels: [GENERAL], roles: [DJ] });
const file = (name: string) => `http://127.0.0.1:7300/_files/uploads/${id(1)}/${name}`;

describe('shownLine', () => {
  it.each([
    [`/ban <@${ADA.id}> in <#${GENERAL.id}>`, '/ban @Ada in #general'],
    [`/greet <@&${DJ.id}>`, '/greet @dj'],
    [`/ban <@${id(99)}>`, '/ban @unknown user'],
    [`/crop ${file('my%20cat.png')} 3`, '/crop my cat.png 3'],
    [`/crop ${file('%E0%A4%A')}`, `/crop ${file('%E0%A4%A')}`],
    ['/play https://example.com/a.mp3', '/play https://example.com/a.mp3'],
    ['/say <b> @ada', '/say <b> @ada'],
  ])('shows %s as %s', (rawInput, expected) => {
    expect(shownLine(rawInput, names)).toBe(expected);
  });
});
