import { describe, expect, it } from 'vitest';
import { SentCommands } from './sent-commands.js';
import { botInterfaceDialect } from './bot-interface-dialect.js';
import { rollAnswer as right } from './sample-data.js';

const FIRST = 500;

function sent(count: number) {
  const writes: Buffer[] = [];
  const commands = new SentCommands(10, {
    dialect: botInterfaceDialect,
    firstIndex: FIRST,
    send: (frames) => writes.push(frames),
  });
  commands.send(count);
  return { commands, writes };
}

describe('SentCommands', () => {
  it('sends a batch in one write, and continues with the next number', () => {
    const { commands, writes } = sent(3);
    commands.send(2);
    expect(commands.sent).toBe(5);
    expect(writes).toHaveLength(2);
    const text = String(writes[1]);
    expect(text).toContain(botInterfaceDialect.idOf(FIRST + 3));
    expect(text).toContain(botInterfaceDialect.idOf(FIRST + 4));
    expect(text).not.toContain(botInterfaceDialect.idOf(FIRST + 2));
  });

  it('records the answer of each command', () => {
    const { commands } = sent(3);
    expect(commands.take(FIRST + 2, right(FIRST + 2))).toEqual({
      place: 2,
      expected: right(FIRST + 2),
    });
    expect(commands).toMatchObject({ wrong: 0, doubled: 0 });
  });

  it('counts a wrong answer, and still records it', () => {
    const { commands } = sent(3);
    expect(commands.take(FIRST, 'nonsense')?.expected).toBe(right(FIRST));
    expect(commands.take(FIRST + 1, undefined)?.place).toBe(1);
    expect(commands).toMatchObject({ wrong: 2, doubled: 0 });
  });

  it('counts a second answer, and does not record it', () => {
    const { commands } = sent(3);
    commands.take(FIRST, right(FIRST));
    expect(commands.take(FIRST, right(FIRST))).toBeUndefined();
    expect(commands).toMatchObject({ wrong: 0, doubled: 1 });
  });

  it.each([FIRST - 1, FIRST + 3, -1, Number.NaN])(
    'knows no command with the number %s',
    (index) => {
      const { commands } = sent(3);
      expect(commands.take(index, 'x')).toBeUndefined();
      expect(commands).toMatchObject({ wrong: 0, doubled: 0 });
    },
  );
});
