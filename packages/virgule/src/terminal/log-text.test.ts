import { stripVTControlCharacters } from 'node:util';
import { VirguleError } from '@virgule/core/errors';
import { createLog } from '@virgule/runtime/process';
import { describe, expect, it } from 'vitest';
import { createLogText, timeOfDay } from './log-text.js';

const now = (): number => Date.UTC(2026, 0, 1, 12);
const TIME = `${timeOfDay(now())} `;
const toText = createLogText({ color: false, now });
const entry = (fields: object): string => JSON.stringify({ level: 30, time: 1, ...fields });

describe('createLogText', () => {
  it.each([
    [20, '·'],
    [30, '▸'],
    [40, '!'],
    [50, '✗'],
    [60, '✗'],
  ])('marks level %i with %s', (level, mark) => {
    expect(toText(entry({ level, msg: 'text' }))).toBe(`${TIME}${mark} text\n`);
  });

  it('shows how long it took', () => {
    expect(toText(entry({ msg: '/a answered', ms: 12 }))).toBe(`${TIME}▸ /a answered  12 ms\n`);
    expect(toText(entry({ msg: '/a answered', ms: 'long' }))).toBe(`${TIME}▸ /a answered\n`);
  });

  it('shows the other details behind the message', () => {
    expect(
      toText(entry({ msg: 'Rolled.', sides: 6, mode: 'sum', who: { id: 7 }, none: null })),
    ).toBe(`${TIME}▸ Rolled.  sides=6 mode=sum who={"id":7} none=null\n`);
    expect(toText(entry({ msg: 'Rolled.', note: 'two words', odd: 'a\u001b[2J', empty: '' }))).toBe(
      `${TIME}▸ Rolled.  note="two words" odd="a\\u001b[2J" empty=""\n`,
    );
    expect(toText(entry({ msg: '', sides: 6 }))).toBe(`${TIME}▸   sides=6\n`);
    const colored = createLogText({ color: true, now })(entry({ msg: 'Rolled.', sides: 6 }));
    expect(colored).toContain('\u001b[2m  sides=6\u001b[22m');
  });

  it('does not show which command wrote a line, nor the times of one that ended', () => {
    const own = { command: 'x', interactionId: 'i', file: 'commands/x.ts' };
    expect(toText(entry({ ...own, msg: 'Rolled.' }))).toBe(`${TIME}▸ Rolled.\n`);
    const ended = { ...own, outcome: 'answered', result: 'ok', ms: 12, queueMs: 0, calls: 1 };
    expect(toText(entry({ ...ended, msg: '/x answered' }))).toBe(`${TIME}▸ /x answered  12 ms\n`);
    const run = { task: 'x', file: 'tasks/x.ts', run: 'x:1', attempt: 1, lateMs: 0, ms: 3 };
    expect(toText(entry({ ...run, msg: 'task x done' }))).toBe(`${TIME}▸ task x done  3 ms\n`);
  });

  it('breaks no word where a line is wrapped', () => {
    const toNarrow = createLogText({ color: true, now, columns: () => 40 });
    const hint = 'Install the package libsql, or set the storage to memory.';
    const text = toNarrow(entry({ level: 40, msg: 'the storage needs a package', ms: 45.1, hint }));
    expect(stripVTControlCharacters(text).split('\n')).toEqual([
      `${TIME}! the storage needs a package`,
      '           45.1 ms',
      '  Try:  Install the package libsql, or',
      '        set the storage to memory.',
      '',
    ]);
  });

  it('cuts long details', () => {
    const line = toText(entry({ msg: 'got', body: 'x'.repeat(5_000) }));
    expect(line).toBe(`${TIME}▸ got  body=${'x'.repeat(199)}…\n`);
  });

  it('leaves out the middle of messages and stacks that would fill the terminal', () => {
    const message = 'x'.repeat(5_000_000);
    const err = { type: 'TypeError', message, stack: `TypeError: ${message}\n    at a.ts:1:1` };
    const text = toText(entry({ level: 50, msg: message, err: { ...err, cause: err } }));
    expect(text.length).toBeLessThan(60_000);
    expect(text).toContain('… (4990011 characters) …');
  });

  it('shows errors under any key as the message that they have', () => {
    const error = { type: 'Error', message: 'no disk', stack: 'Error: no disk\n    at a.ts:1:1' };
    expect(toText(entry({ level: 50, msg: 'failed', error }))).toBe(
      `${TIME}✗ failed  error="no disk"\n  Error: no disk\n      at a.ts:1:1\n`,
    );
    expect(toText(entry({ level: 40, msg: 'failed', error }))).toBe(
      `${TIME}! failed  error="no disk"\n`,
    );
  });

  it('shows the stack of an error, and no stack of a warning', () => {
    const err = { message: 'x', stack: 'Error: x\n    at a.ts:1:1' };
    expect(toText(entry({ level: 50, msg: 'failed', err }))).toBe(
      `${TIME}✗ failed\n  Error: x\n      at a.ts:1:1\n`,
    );
    expect(toText(entry({ level: 40, msg: 'failed', err }))).toBe(`${TIME}! failed\n  x\n`);
  });

  it('cuts the source around an error to the width of the terminal, with its mark', () => {
    const narrow = createLogText({ color: false, now, columns: () => 40 });
    const frame = `> 1 | run() { ${'await work(); '.repeat(9)}fail(); }\n    | ${' '.repeat(134)}^`;
    const lines = narrow(entry({ level: 50, msg: 'x', frame })).split('\n');
    const [code = '', mark = ''] = lines.slice(2);
    expect(lines.every((line) => line.length <= 40)).toBe(true);
    expect(code.slice(mark.indexOf('^'))).toMatch(/^fail/);
  });

  it('shows the source around an error, with its type, its message once, and what to do', () => {
    const stack = 'TypeError: no luck\n    at run (./commands/a.ts:2:9)\n    … 6 frames in virgule';
    const err = { type: 'TypeError', message: 'no luck', stack };
    const frame = '  1 | run() {\n> 2 |   fail();\n    |   ^';
    const hint = 'Use edit().';
    expect(toText(entry({ level: 50, msg: '/a failed: no luck', err, frame, hint }))).toBe(
      [
        `${TIME}✗ /a failed: TypeError: no luck`,
        '',
        '  1 | run() {',
        '> 2 |   fail();',
        '    |   ^',
        '',
        '      at run (./commands/a.ts:2:9)',
        '      … 6 frames in virgule',
        '  Try:  Use edit().',
        '',
      ].join('\n'),
    );
  });

  it('shows what caused an error', () => {
    const stackOf = (name: string) => `${name}\n    at ${name}.ts:1:1`;
    const inner = { type: 'Error', message: 'inner', stack: stackOf('Error: inner') };
    const middle = {
      type: 'AbortError',
      message: 'middle',
      stack: stackOf('middle'),
      cause: inner,
    };
    const err = { type: 'Error', message: 'outer', stack: stackOf('Error: outer'), cause: middle };
    expect(
      toText(entry({ level: 50, msg: '/a failed: outer', err }))
        .split('\n')
        .slice(1),
    ).toEqual([
      '      at Error: outer.ts:1:1',
      '  Cause: AbortError: middle',
      '      at middle.ts:1:1',
      '  Cause: inner',
      '      at Error: inner.ts:1:1',
      '',
    ]);
    const user = { message: 'No.', code: 'E_X', cause: { message: 'Because.' } };
    expect(toText(entry({ level: 50, msg: 'failed', err: user }))).toBe(
      `${TIME}✗ failed\n  No.\n  Cause: Because.\n`,
    );
  });

  it('reports a failed command once', () => {
    const read = createLogText({ color: false, now });
    const of = (fields: object) => read(entry({ interactionId: '1', command: 'a', ...fields }));
    const end = { msg: '/a failed', outcome: 'answered', result: 'failed', ms: 7 };
    expect(of({ level: 50, msg: '/a failed: no', err: { message: 'no' } })).not.toBe('');
    expect(of({ ...end, interactionId: '2' })).not.toBe('');
    expect(of({ ...end, result: 'ok' })).not.toBe('');
    expect(of(end)).toBe('');
  });

  it('shows what went wrong and what to do when there is no stack', () => {
    const err = { message: 'It is wrong.', hint: 'Mend it.' };
    expect(toText(entry({ level: 50, msg: 'A change was lost.', err }))).toBe(
      `${TIME}✗ A change was lost.\n  It is wrong.\n  Try:  Mend it.\n`,
    );
  });

  it('does not say twice what the message says already', () => {
    const err = { message: 'It is wrong.' };
    expect(toText(entry({ level: 50, msg: '/a failed: It is wrong.', err }))).toBe(
      `${TIME}✗ /a failed: It is wrong.\n`,
    );
  });

  it.each([
    ['another logger, which begins alike', '{"level":"info","message":"hello"}'],
    ['an entry without a message', '{"level":30,"time":1}'],
    ['a level that is a text', '{"level":"30","msg":"hello"}'],
    ['half an entry', '{"level":30,"msg":"hel'],
    ['an entry that begins otherwise', '{"msg":"hello","level":30}'],
    ['null', 'null'],
    ['text', 'hello  from console.log '],
    ['an empty line', ''],
  ])('leaves %s as it is', (_, line) => {
    expect(toText(line)).toBe(`${line}\n`);
  });

  it.each([
    ['a stack that is no text', { level: 50, msg: 'x', err: { stack: 5, message: [], hint: {} } }],
    ['an error that is a text', { level: 50, msg: 'x', err: 'no' }],
    ['an error that is nothing', { level: 50, msg: 'x', err: null }],
    ['a list', { level: 50, msg: 'x', err: [1], ms: {} }],
  ])('shows an entry with %s by what else it has', (_, fields) => {
    expect(toText(entry(fields))).toBe(`${TIME}✗ x\n`);
  });

  it('shows control characters as escapes, and no line that could be one of its own', () => {
    const foreign = 'a\u001B[2J\u202Eb\r\n13:37:00 ▸ forged';
    const shown = String.raw`a\u001b[2J\u202eb` + '\n  13:37:00 ▸ forged';
    const err = { message: foreign, hint: foreign };
    expect(toText(entry({ level: 40, msg: foreign }))).toBe(`${TIME}! ${shown}\n`);
    expect(toText(entry({ level: 40, msg: 'failed', err }))).toBe(
      `${TIME}! failed\n  ${shown}\n  Try:  ${shown}\n`,
    );
    expect(toText(entry({ level: 50, msg: 'failed', err: { stack: foreign } }))).toBe(
      `${TIME}✗ failed\n  ${shown}\n`,
    );
  });

  it('reads what our own log writes', () => {
    const written: string[] = [];
    const log = createLog({ destination: { write: (line) => void written.push(line.trimEnd()) } });
    const err = new VirguleError({ code: 'E_X', kind: 'user', message: 'No.', hint: 'Do.' });
    log.error({ err }, 'failed');
    log.info({ ms: 3 }, 'done');
    expect(written.map(toText)).toEqual([
      `${TIME}✗ failed\n  No.\n  Try:  Do.\n`,
      `${TIME}▸ done  3 ms\n`,
    ]);
  });

  it('uses colors only when enabled', () => {
    const line = entry({ level: 50, msg: 'failed', ms: 1, err: { stack: 'Error: x' } });
    const colored = createLogText({ color: true, now })(line);
    expect(toText(line)).not.toContain('\u001B');
    expect(colored).toContain('\u001B[31m✗');
    expect(stripVTControlCharacters(colored)).toBe(toText(line));
  });
});

describe('timeOfDay', () => {
  it('has hours, minutes and seconds', () => {
    expect(timeOfDay(now())).toMatch(/^\d\d:\d\d:\d\d$/);
  });
});
