import { describe, expect, it } from 'vitest';
import { loadModules } from '../../test/project-of.js';
import { waitsPast } from './short-timeout.js';

const waits = (source: string, timeoutMs = 20_000): string[] =>
  waitsPast(source, timeoutMs).map(({ wait, line, column }) => `${wait} at ${line}:${column}`);

describe('waitsPast', () => {
  it.each<[string, string[]]>([
    [`await confirm('Sure?', { by: 'anyone', within: '30s' })`, ['30s at 1:40']],
    [`await clock.sleep("1m");\nawait clock.sleep('1s');`, ['1m at 1:13']],
    ['await waitForMessage({ within: `1.5m` })', ['1.5m at 1:24']],
    ['within:\n  "20s"', ['20s at 1:1']],
    [`{ within: '19s' }`, []],
    [`// within: '9h'\n/* sleep('9h') */ const text = "within: '9h'";`, []],
    ['{ within: patience }', []],
    [`const PATIENCE = '30s';\nconfirm('Sure?', { within: PATIENCE })`, ['30s at 2:20']],
    [`export const PATIENCE: Duration = '30s' as const\nclock.sleep( PATIENCE );`, ['30s at 2:7']],
    [
      `function f() {\n  const t$ = "1m", other = 1;\n  return g({ within: t$, by });\n}`,
      ['1m at 3:14'],
    ],
    [`sleep(LATER);\nconst LATER = '1h';`, ['1h at 1:1']],
    [`const PATIENCE = '10s'; sleep(PATIENCE)`, []],
    [`let patience = '30s'; sleep(patience)`, []],
    [`const LIMITS = '30s'; sleep(LIMITS.vote); sleep(x.LIMITS); sleep(LIMITS + 1)`, []],
    [`const ms = '30s'; { let ms = '1s'; sleep(ms) }`, []],
    [`const a = '30s'.length; const b = isSlow ? '30s' : '1s'; sleep(a); sleep(b)`, []],
    [`// const PATIENCE = '30s';\nsleep(PATIENCE)`, []],
    [`{ within: 'soon' }`, []],
    [`{ herewithin: '9h' }, asleep('9h')`, []],
    ['', []],
  ])('finds in %j the waits %j', (source, found) => {
    expect(waits(source)).toEqual(found);
  });

  it('finds none past a timeout that has no end', () => {
    expect(waits(`sleep('9d')`, Infinity)).toEqual([]);
  });
});

describe('loading a command that waits', () => {
  const FILE = 'commands/x.ts';
  const load = async (definition: object, source: string) => {
    const exports = { default: { description: 'X', run: () => 'x', ...definition } };
    const { project, problems, warnings } = await loadModules(
      { [FILE]: exports },
      { [FILE]: source },
    );
    return { loaded: project.commands.has('x'), problems, warnings };
  };

  it('warns of a timeout that is shorter, and loads the command anyway', async () => {
    const { loaded, problems, warnings } = await load({ timeout: '5s' }, `\n  within: '5s'`);
    expect({ loaded, problems }).toEqual({ loaded: true, problems: [] });
    expect(warnings).toMatchObject([
      {
        code: 'E_TIMEOUT_TOO_SHORT',
        message: 'commands/x.ts waits for 5s, but its timeout of 5s ends it first.',
        location: { file: FILE, line: 2, column: 3 },
      },
    ]);
  });

  it('knows the default timeout', async () => {
    expect((await load({}, `sleep('15m')`)).warnings[0]?.message).toContain('15m (the default)');
    expect((await load({}, `sleep('14m')`)).warnings).toEqual([]);
  });

  it('warns of nothing where the timeout itself is wrong', async () => {
    const { problems, warnings } = await load({ timeout: 5 }, `sleep('9d')`);
    expect(problems.map(({ code }) => code)).toEqual(['E_SETTING']);
    expect(warnings).toEqual([]);
  });
});
