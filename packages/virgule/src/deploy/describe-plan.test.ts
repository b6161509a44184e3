import { planSync } from '@virgule/runtime/sync';
import type { SyncCommandItem } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import { countBreaking, describePlan } from './describe-plan.js';

const option = (name: string, required = false, type = 'string') => ({
  name,
  description: name,
  type,
  required,
});
const command = (name: string, description = name, options: ReturnType<typeof option>[] = []) => ({
  name,
  description,
  options,
});

interface ViewOptions {
  readonly called?: string;
  readonly bot?: string;
  readonly applicationId?: string;
  readonly fileOf?: (name: string) => string | undefined;
  readonly color?: boolean;
}

const inCommands = (name: string): string => `commands/${name}.ts`;

function text(
  local: readonly SyncCommandItem[],
  remote: readonly SyncCommandItem[],
  view: ViewOptions = {},
  keep?: (name: string) => boolean,
): string {
  const { called = 'local', bot = 'Demo Bot', applicationId = '3f2a', fileOf = inCommands } = view;
  const planned = {
    plan: planSync(local, remote, keep),
    local: { items: local, called, fileOf, platform: {} },
    registered: remote.map((each) => ({ ...each, id: each.name, createdAt: 'then' })),
    own: null,
    me: { applicationId, botUserId: 'bot', username: 'demo-bot', displayName: bot },
  };
  return describePlan(planned, view.color ?? false);
}

describe('describePlan', () => {
  it('says when there is nothing to do', () => {
    expect(text([command('a')], [command('a')])).toBe(
      'No changes. 1 command of Demo Bot is up to date.\n',
    );
    const keep = (): boolean => true;
    expect(text([command('a')], [command('a'), command('theirs')], {}, keep)).toBe(
      'No changes. 1 command of Demo Bot is up to date.\n= 1 kept, not deployed from here: /theirs\n',
    );
  });

  it('shows what the platform sent as text, on the line it belongs to', () => {
    const hostile = 'x\u001B[2J\u009B1A\u202E\n  - /forged';
    const remote = [
      command(hostile, hostile, [option(hostile)]),
      command('same', hostile, [option('gone'), option('changed')]),
      command('renamed', 'one'),
    ];
    const local = [
      command('same', 'ours', [option('changed', true)]),
      command('again', 'one'),
      command(hostile + 1, hostile),
    ];
    const view = { bot: hostile, applicationId: hostile, fileOf: () => hostile };
    const isHostile = (name: string): boolean => name === hostile;
    for (const shown of [
      text(local, remote, view),
      text(local, remote, view, isHostile),
      text([], [remote[0] ?? command('')], view, isHostile),
      text([remote[0] ?? command('')], [remote[0] ?? command('')], view),
    ]) {
      expect(shown).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
      expect(shown).not.toMatch(/^ {2}- \/forged/m);
    }
  });

  it('shows deletions first, then changes, then what is new', () => {
    expect(
      text(
        [
          command('skip', 'Skip the current track'),
          command('play', 'Play a track', [option('url', true), option('loop', false, 'boolean')]),
          command('same'),
        ],
        [command('play', 'Play', [option('url')]), command('old', 'Old thing'), command('same')],
      ),
    ).toBe(
      [
        'Comparing 3 local commands with 3 registered for Demo Bot (application 3f2a)',
        '',
        '  - /old   "Old thing"  will be DELETED (no file)',
        '  ~ /play  commands/play.ts',
        '    ~ description  "Play" → "Play a track"',
        '    ~ option url required  false → true  ! callers omitting it will fail',
        '    + option loop  boolean, optional',
        '  + /skip  "Skip the current track"  commands/skip.ts',
        '  = 1 unchanged',
        '',
        'Plan: 1 to add, 1 to change, 1 to delete, 1 unchanged.',
        '! 2 breaking changes.',
        '! This replaces the whole set. 1 command will disappear on all servers.',
        '',
      ].join('\n'),
    );
  });

  it('marks another order of options, and one that comes in front, as breaking', () => {
    const [a, b] = [option('a'), option('b')];
    expect(text([command('x', 'x', [b, a])], [command('x', 'x', [a, b])])).toContain(
      '    ~ option order  "a, b" → "b, a"  ! positional arguments will be read differently',
    );
    expect(text([command('x', 'x', [b, a])], [command('x', 'x', [a])])).toContain(
      '    + option b  string, optional  ! it takes the value that callers type for the next option',
    );
  });

  it('marks a new required option, another type and a removed option as breaking', () => {
    const added = text([command('x', 'x', [option('a', true)])], [command('x')]);
    expect(added).toContain('    + option a  string, required  ! callers omitting it will fail');
    const changed = text(
      [command('x', 'x', [option('a', false, 'user')])],
      [command('x', 'x', [option('a')])],
    );
    expect(changed).toContain('! values that callers type today may be rejected');
    const gone = text([command('x')], [command('x', 'x', [option('a')])]);
    expect(gone).toContain('    - option a  string, optional  ! the value that callers type');
    expect(gone).toContain('! 1 breaking change.\n');
  });

  it('says in a rollback that it is the set that does not have it', () => {
    expect(text([], [command('skip')], { called: 'saved' })).toContain(
      'will be DELETED (not in the saved set)',
    );
  });

  it('names what is kept although it has no file', () => {
    const keep = (name: string): boolean => name === 'theirs';
    const plan = text([command('new')], [command('theirs')], {}, keep);
    expect(plan).toContain('  = 1 kept, not deployed from here: /theirs');
    expect(plan).not.toContain('disappear');
  });

  it('uses colors only when enabled', () => {
    const [local, remote] = [[command('a', 'New')], [command('a'), command('old')]];
    expect(text(local, remote)).not.toContain('\u001B');
    expect(text(local, remote, { color: true })).toContain('\u001B[31m  - /old');
  });
});

describe('countBreaking', () => {
  it('counts deletions and breaking changes', () => {
    const plan = planSync(
      [command('x', 'New', [option('a', true), option('b', true)])],
      [command('x', 'x', [option('a')]), command('old'), command('older')],
    );
    expect(countBreaking(plan)).toBe(4);
  });
});
