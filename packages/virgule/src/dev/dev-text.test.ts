import { describe, expect, it } from 'vitest';
import { createDevText } from './dev-text.js';

const text = createDevText({ color: false, version: '1.2.3', now: () => Date.UTC(2026, 0, 1, 12) });
const TIME = /^\d\d:\d\d:\d\d /;
const logLine = (entry: object): string => JSON.stringify({ level: 30, time: 1, ...entry });
const output = (line: string) => text({ type: 'output', stream: 'stdout', line });

describe('createDevText', () => {
  it('greets with the address, the bot and what it has', () => {
    const banner = text({
      type: 'ready',
      page: 'http://127.0.0.1:7300/',
      baseUrl: 'http://127.0.0.1:7300',
      gatewayUrl: 'ws://127.0.0.1:7300',
      token: 'sim-bot-secret',
      userToken: 'sim-user-secret',
      bot: 'Demo Bot',
      commands: 3,
      events: 1,
      ms: 412,
    });
    expect(banner).toContain('virgule 1.2.3  ready in 412 ms');
    expect(banner).toContain('Playground  http://127.0.0.1:7300/');
    expect(banner).toContain('Bot         Demo Bot, 3 commands, 1 event handler');
    expect(banner).not.toContain('secret');
  });

  it('tells a reload in one line', () => {
    const line = text({
      type: 'reload',
      files: ['lib/dice.ts'],
      evaluated: 3,
      synced: true,
      ms: 8,
    });
    expect(line).toMatch(TIME);
    expect(line.slice(9)).toBe('↻ lib/dice.ts  8 ms, 2 dependants, commands synced\n');
  });

  it('tells a restart with its reason', () => {
    const line = text({ type: 'restart', reason: 'package.json changed', ms: 300 });
    expect(line.slice(9)).toBe(
      '↻ restarted: package.json changed  300 ms, the connection was kept\n',
    );
  });

  it('says when no bot runs beside a problem', () => {
    const problems = [{ code: 'E_SYNTAX', message: 'Expected "}"' }];
    const shown = text({ type: 'problems', problems, answering: false });
    expect(shown).toContain('No bot runs now. The next change starts it again.');
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
    expect(shown).toContain('What ran before goes on answering.');
  });

  it('turns log lines into one line each', () => {
    expect(output(logLine({ msg: '/hello answered', ms: 4 })).slice(9)).toBe(
      '▸ /hello answered  4 ms\n',
    );
    expect(output(logLine({ level: 40, msg: 'careful' })).slice(9)).toBe('! careful\n');
  });

  it('shows the stack and the hint of an error', () => {
    const err = { stack: 'TypeError: x\n    at run (commands/a.ts:2:1)', hint: 'Look there.' };
    expect(output(logLine({ level: 50, msg: '/a failed: x', err })).slice(9)).toBe(
      '✗ /a failed: x\n  TypeError: x\n      at run (commands/a.ts:2:1)\n  Try:  Look there.\n',
    );
  });

  it.each(['hello from console.log', '{"level": not json', '{"level":', ''])(
    'shows %j as it is',
    (line) => {
      expect(output(line)).toBe(`${line}\n`);
    },
  );

  it('tells that the process was lost, and what was dropped', () => {
    expect(text({ type: 'lost', how: 'killed by SIGKILL' })).toContain(
      "the bot's process ended: killed by SIGKILL",
    );
    expect(text({ type: 'dropped', events: 2 })).toContain('2 events came while no bot was there');
  });
});
