import { describe, expect, it } from 'vitest';
import { createRepeatPrinter } from './dev-output.js';

function printer(columns: number | undefined) {
  const written: string[] = [];
  const print = createRepeatPrinter(
    (text) => written.push(text),
    () => columns,
    false,
  );
  return { print, written };
}
const over = (text: string): string => `\u001B[1A\r\u001B[2K${text}\n`;

describe('createRepeatPrinter', () => {
  it('writes a line over the one that says the same, with how often it came', () => {
    const { print, written } = printer(80);
    print('10:00:01 ↻ a.ts  8 ms\n');
    print('10:00:02 ↻ a.ts    11 ms\n');
    print('10:00:05 ↻ a.ts  9 ms\n');
    expect(written).toEqual([
      '10:00:01 ↻ a.ts  8 ms\n',
      over('10:00:02 ↻ a.ts    11 ms  (x2)'),
      over('10:00:05 ↻ a.ts  9 ms  (x3)'),
    ]);
  });

  it('puts the count into the gap before a figure at the right edge', () => {
    const { print, written } = printer(40);
    const line = (ms: number): string => `10:00:01 ↻ a.ts${`${ms} ms`.padStart(25)}\n`;
    print(line(8));
    print(line(112));
    expect(written[1]).toBe(over(`10:00:01 ↻ a.ts  (x2)${'112 ms'.padStart(19)}`));
  });

  it('starts again after another line', () => {
    const { print, written } = printer(80);
    for (const line of ['10:00:01 a\n', '10:00:02 b\n', '10:00:03 a\n', '10:00:04 a\n'])
      print(line);
    expect(written.slice(0, 3)).toEqual(['10:00:01 a\n', '10:00:02 b\n', '10:00:03 a\n']);
    expect(written[3]).toBe(over('10:00:04 a  (x2)'));
  });

  it('takes back nothing that has more than one line, or has no room for the count', () => {
    const { print, written } = printer(20);
    for (const text of ['a\nb\n', 'a\nb\n', `${'x'.repeat(20)}\n`, `${'x'.repeat(20)}\n`])
      print(text);
    expect(written.join('')).not.toContain('\u001B');
    expect(written).toHaveLength(4);
  });

  // Minutes, if its width is measured letter by letter, or if its blanks are tried one after the other.
  it.each(['y', '日', ' '])(
    'writes a line of five million %j at once, as often as it comes',
    (letter) => {
      const { print, written } = printer(80);
      const line = `${letter.repeat(5_000_000)}|\n`;
      for (let times = 0; times < 3; times += 1) print(line);
      expect(written.map(({ length }) => length)).toEqual([line.length, line.length, line.length]);
    },
  );

  it('writes plain lines off a terminal', () => {
    const { print, written } = printer(undefined);
    print('a\n');
    print('a\n');
    expect(written).toEqual(['a\n', 'a\n']);
  });
});
