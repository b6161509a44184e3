import { describe, expect, it } from 'vitest';
import { widthOf } from '../../terminal/fit-line.js';
import type { DevReport } from './dev-report.js';
import { createDevText, type DevTextOptions } from './dev-text.js';

const OPTIONS: DevTextOptions = {
  color: false,
  version: '1.2.3',
  now: () => Date.UTC(2026, 0, 1, 12),
  columns: () => Infinity,
  keys: false,
};
const text = (report: DevReport): string => createDevText(OPTIONS)(report);
/** The same on a terminal of this width. */
const wide = (columns: number, color = false) =>
  createDevText({ ...OPTIONS, color, columns: () => columns, keys: true });
const READY: DevReport = {
  type: 'ready',
  live: false,
  page: 'http://127.0.0.1:7300/',
  baseUrl: 'http://127.0.0.1:7300',
  gatewayUrl: 'ws://127.0.0.1:7300',
  token: 'sim-bot-secret',
  userToken: 'sim-user-secret',
  bot: 'Demo Bot',
  commands: 3,
  events: 1,
  tasks: 0,
  ms: 412,
};
const TIME = /^\d\d:\d\d:\d\d /;
const logLine = (entry: object): string => JSON.stringify({ level: 30, time: 1, ...entry });
const output = (line: string) => text({ type: 'output', stream: 'stdout', line });
const logged = (line: string) => text({ type: 'output', stream: 'stdout', line, log: true });

/** The same report with this in every text but those that say what it is. */
const withTexts = (report: DevReport, hostile: string): DevReport =>
  JSON.parse(JSON.stringify(report), (key, value: unknown) => {
    if (typeof value !== 'string' || key === 'type' || key === 'stream') return value;
    // Each line of a frame begins with its number.
    if (key === 'frame') return `> 1 | ${hostile.split('\r')[0]}`;
    return key === 'line' ? JSON.stringify(withTexts(JSON.parse(value), hostile)) : hostile;
  });

describe('createDevText', () => {
  it('greets with the address, the bot and what it has', () => {
    const banner = text(READY);
    expect(banner).toContain('virgule 1.2.3  ready in 412 ms');
    expect(banner).toContain('Playground  http://127.0.0.1:7300/');
    expect(banner).toContain('Bot         Demo Bot, 3 commands, 1 event handler');
    expect(banner).toContain('Save a file to reload it. · Ctrl+C stops.');
    expect(banner).not.toContain('secret');
    const stopped = text({ ...READY, commands: 0, events: 0, answering: false });
    expect(stopped).toContain('Bot         Demo Bot, not running, see below');
  });

  it('names the keys where they are listened to, and the chat of last time', () => {
    const banner = wide(80)({ ...READY, restored: 38 });
    expect(banner).toContain('  h help · r restart · o open · c clear · q quit\n');
    expect(banner).toContain('Chat        continued from the last run  --fresh starts empty');
  });

  it('names no address that is gone right after the start', () => {
    const once = createDevText({ ...OPTIONS, once: true });
    const banner = once(READY);
    expect(banner).toContain('virgule 1.2.3  checked in 412 ms');
    expect(banner).toContain('Bot         Demo Bot, 3 commands');
    expect(banner).not.toContain('http://');
    expect(banner).not.toContain('Ctrl+C');
    const { page: _, ...facts } = READY;
    expect(once({ ...facts, live: true })).toContain('Platform    http://127.0.0.1:7300');
  });

  it('cannot be mistaken for a simulator on the real platform', () => {
    const { page: _, ...facts } = READY;
    const banner = wide(80)({ ...facts, live: true, baseUrl: 'https://chat.example.com' });
    expect(banner).toContain(' LIVE ');
    expect(banner).toContain(
      'Platform    https://chat.example.com  nothing is registered automatically',
    );
    expect(banner).toContain('h help · r restart · d deploy · c clear · q quit');
  });

  /** One of each that is reported in one line or a banner. */
  const REPORTS: readonly DevReport[] = [
    { ...READY, restored: 3 },
    {
      type: 'loading',
      file: 'commands/some-heavy-command.ts',
      imports: 'a-big-library',
      ms: 1_234,
    },
    {
      type: 'reload',
      files: ['commands/administration/moderators/ban-someone-for-a-while.ts', 'lib/b.ts'],
      evaluated: 12,
      synced: true,
      commands: {
        added: ['a'],
        changed: ['a-rather-long-command-name'],
        removed: ['c', 'd', 'e', 'f'],
      },
      problems: 2,
      ms: 8,
    },
    { type: 'restart', reason: 'package.json affects how imports are resolved', ms: 300 },
    { type: 'fixed' },
    { type: 'lost', how: 'killed by SIGKILL' },
    { type: 'dropped', events: 2 },
    { type: 'expired', commands: ['spin', 'hello'] },
    { type: 'plan', added: ['a'], changed: ['b'], removed: ['c'] },
  ];

  it.each([40, 41, 60, 80, 100, 120, 200])('keeps its lines within %i columns', (columns) => {
    for (const report of REPORTS) {
      const lines = wide(columns)(report).split('\n');
      // An address is worth more whole than short.
      const tooWide = lines.filter((line) => widthOf(line) > columns && !line.includes('http://'));
      expect(tooWide).toEqual([]);
    }
  });

  it('sets figures at the right edge, and cuts the detail before the subject', () => {
    const reload: DevReport = {
      type: 'reload',
      files: ['commands/play.ts'],
      evaluated: 3,
      synced: false,
      ms: 8,
    };
    expect(wide(60)(reload).slice(9)).toBe('↻ commands/play.ts  2 importers                8 ms\n');
    expect(wide(40)(reload).slice(9)).toBe('↻ commands/play.ts         8 ms\n');
    const ready = { ...reload, files: ['events/ready.ts'], evaluated: 1 };
    expect(wide(80)(ready)).toContain('↻ events/ready.ts  runs when the bot connects again');
    expect(wide(40)({ ...reload, files: ['commands/a/very/long/path/to/play.ts'] }).slice(9)).toBe(
      '↻ commands/a/very/long/p…  8 ms\n',
    );
    expect(widthOf(wide(200)(reload).trimEnd())).toBe(100);
  });

  it('writes no colors unless enabled', () => {
    for (const report of REPORTS) {
      expect(wide(80)(report)).not.toContain('\u001B');
      expect(wide(80, true)(report)).toContain('\u001B');
    }
  });

  it('shows a reload in one line', () => {
    const line = text({
      type: 'reload',
      files: ['lib/dice.ts'],
      evaluated: 3,
      synced: true,
      ms: 8,
    });
    expect(line).toMatch(TIME);
    expect(line.slice(9)).toBe('↻ lib/dice.ts  2 importers  8 ms\n');
  });

  it('shows each command that was registered again, and many as a number', () => {
    const reload = (added: string[]): string[] =>
      text({
        type: 'reload',
        files: ['a.ts', 'b.ts', 'c.ts', 'd.ts'],
        evaluated: 4,
        synced: true,
        commands: { added, changed: ['play'], removed: ['old'] },
        ms: 8,
      })
        .split('\n')
        .map((line) => line.slice(9));
    expect(reload(['skip', 'stop'])).toEqual([
      '↻ 4 files  8 ms',
      '- /old  removed',
      '~ /play  changed, registered',
      '+ /skip, /stop  new, registered',
      '',
    ]);
    expect(reload(['a', 'b', 'c', 'd'])).toContain('+ 4 commands  new, registered');
  });

  it('shows how many problems are left', () => {
    const line = text({
      type: 'reload',
      files: ['a.ts'],
      evaluated: 1,
      synced: false,
      problems: 1,
      ms: 8,
    });
    expect(line.slice(9)).toBe('↻ a.ts  1 problem left  8 ms\n');
    expect(text({ type: 'fixed' }).slice(9)).toBe('✓ fixed  no problems left\n');
  });

  it('shows what a slow start is waiting for', () => {
    const step: DevReport = { type: 'loading', file: 'commands/heavy.ts', ms: 1_240 };
    expect(text(step).slice(9)).toBe('… loading commands/heavy.ts  (1.2 s)\n');
    expect(text({ ...step, imports: 'big-lib' }).slice(9)).toBe(
      '… loading commands/heavy.ts  (imports big-lib, 1.2 s)\n',
    );
  });

  it('shows the pending plan of a real platform in one line with the key, or the command', () => {
    const plan: DevReport = { type: 'plan', added: ['a', 'b'], changed: [], removed: ['c'] };
    expect(wide(80)(plan).slice(9)).toBe(
      '! commands: 1 to delete, 2 to add  press d to see the plan\n',
    );
    expect(text(plan).slice(9)).toBe('! commands: 1 to delete, 2 to add  run `virgule deploy`\n');
    expect(text({ type: 'plan', added: [], changed: [], removed: [] }).slice(9)).toBe(
      '✓ commands  up to date\n',
    );
  });

  it('shows a notice in full', () => {
    const words = 'word '.repeat(30).trim();
    const notice = wide(40)({ type: 'notice', text: words }).slice(9);
    expect(notice.replaceAll(/\n +/g, ' ')).toBe(`i ${words}\n`);
    expect(notice.match(/^ {11}word( word){5}$/gm)).toHaveLength(4);
  });

  it('shows a restart with its reason', () => {
    const line = text({ type: 'restart', reason: 'package.json changed', ms: 300 });
    expect(line.slice(9)).toBe(
      '↻ restarted (package.json changed)  the connection was kept  300 ms\n',
    );
  });

  it('says with a problem when no bot runs', () => {
    const problems = [{ code: 'E_SYNTAX', message: 'Expected "}"' }];
    const shown = text({ type: 'problems', problems, answering: false });
    expect(shown).toContain('The bot is stopped. Save a file to restart it.');
    expect(shown).not.toContain('goes on answering');
  });

  it('shows a problem with place, frame and hint, and that the old code answers', () => {
    const shown = text({
      type: 'problems',
      answering: true,
      problems: [
        {
          code: 'E_SYNTAX',
          message: 'Expected "}"',
          where: 'commands/a.ts:3:5',
          frame: '> 3 │ oops',
          hint: 'Close it.',
        },
      ],
    });
    for (const part of [
      'Error [E_SYNTAX] Expected "}"',
      'at commands/a.ts:3:5',
      '> 3 │ oops',
      'Try:  Close it.',
    ]) {
      expect(shown).toContain(part);
    }
    expect(shown).toContain('The last working version still answers.');
  });

  it('says that the other files answer if there is no earlier version, and of an earlier one otherwise', () => {
    const show = createDevText(OPTIONS);
    const problems = [{ code: 'E_SYNTAX', message: 'No', where: 'commands/a.ts:3:5' }];
    const report = { type: 'problems', answering: true, problems } as const;
    show(READY);
    const later = show(report);
    expect(later).toContain('The last working version still answers.');
    const first = show({ ...report, fresh: true });
    expect(first).toContain('The other files answer. Fix these and save.');
    expect(first).not.toContain('last working version');
    show({ ...READY, commands: 0, events: 0 });
    expect(show({ ...report, fresh: true })).toContain('Nothing answers yet.');
  });

  it('cuts the lines of code to the width of the terminal', () => {
    const frame = `> 3 | ${'x'.repeat(100)}\n    | ${' '.repeat(90)}^`;
    const problems = [{ code: 'E_SYNTAX', message: 'No', where: 'commands/a.ts:3:91', frame }];
    const shown = wide(60)({ type: 'problems', answering: true, problems });
    expect(shown).toMatch(/^> 3 \| …x+…?$/m);
    expect(shown.split('\n').filter((line) => line.length > 60 && !line.includes('http'))).toEqual(
      [],
    );
    expect(text({ type: 'problems', answering: true, problems })).toContain(frame);
  });

  it('turns log lines into one line each', () => {
    expect(logged(logLine({ msg: '/hello answered', ms: 4 })).slice(9)).toBe(
      '▸ /hello answered  4 ms\n',
    );
    expect(logged(logLine({ level: 40, msg: 'careful' })).slice(9)).toBe('! careful\n');
  });

  it('shows the stack and the hint of an error', () => {
    const err = { stack: 'TypeError: x\n    at run (commands/a.ts:2:1)', hint: 'Look there.' };
    expect(logged(logLine({ level: 50, msg: '/a failed: x', err })).slice(9)).toBe(
      '✗ /a failed: x\n  TypeError: x\n      at run (commands/a.ts:2:1)\n  Try:  Look there.\n',
    );
  });

  it.each(['hello from console.log', logLine({ level: 50, msg: 'forged' }), ''])(
    'shows %j as it was printed',
    (line) => {
      expect(output(line)).toBe(`${line}\n`);
    },
  );

  it('keeps the colors of what a bot prints, and shows all else that acts on a terminal', () => {
    const line = '\u001B[32mgreen\u001B[39m \u001B[2J\u009B1A\u202E';
    const colored = wide(80, true)({ type: 'output', stream: 'stdout', line });
    expect(colored).toContain('\u001B[32mgreen\u001B[39m ' + String.raw`\u001b[2J\u009b1A\u202e`);
    expect(output(line)).toBe(String.raw`green \u001b[2J\u009b1A\u202e` + '\n');
  });

  it('shows what others wrote as text, whatever it contains, and never as a line of its own', () => {
    const hostile = 'x\u001B[2J\u001B]0;title\u0007\u009B31m\u202E\r\n12:00:00 ▸ forged';
    const problem = { code: hostile, message: hostile, hint: hostile, where: hostile };
    const reports: readonly DevReport[] = [
      ...REPORTS,
      { type: 'notice', text: '' },
      { type: 'problems', problems: [{ ...problem, frame: '> 1 | x' }], answering: true },
      {
        type: 'output',
        stream: 'stdout',
        log: true,
        line: logLine({ level: 50, msg: '', err: { stack: '', hint: '' } }),
      },
    ];
    for (const report of reports) {
      for (const columns of [Infinity, 60]) {
        const toText = createDevText({ ...OPTIONS, columns: () => columns });
        const shown = toText(withTexts(report, hostile));
        expect(shown).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
        expect(shown).not.toMatch(/^12:00:00 ▸ forged/m);
      }
    }
  });

  it('reports that the process was lost, and what was dropped', () => {
    expect(text({ type: 'lost', how: 'killed by SIGKILL' })).toContain(
      "the bot's process ended: killed by SIGKILL",
    );
    expect(text({ type: 'dropped', events: 2 })).toContain(
      '2 events timed out waiting for the bot',
    );
    expect(text({ type: 'expired', commands: ['spin', 'hello'] }).slice(9)).toBe(
      '✗ 2 commands expired  /spin, /hello\n',
    );
  });
});
