import type { Command, CommandOption, SyncCommandItem } from '@virgule/core/protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashCommands, planSync, type FieldChange } from './plan-sync.js';

const option = (name: string, parts: Partial<CommandOption> = {}): CommandOption => ({
  name,
  description: `The ${name}`,
  type: 'string',
  required: false,
  ...parts,
});

const command = (name: string, options: readonly CommandOption[] = []): SyncCommandItem => ({
  name,
  description: `Does ${name}`,
  options,
});

/** The command as the platform returns it, with what a sync does not carry. */
const asRegistered = (item: SyncCommandItem): Command => ({
  id: '7b2c9e10-4d85-7a63-b1f0-93e8d5a6c42f',
  createdAt: '2026-01-01T00:00:00Z',
  ...item,
  options: item.options.map((it) => ({ unknown: true, ...it })),
});

/** Returns the differences of one command. */
function fieldsOf(
  before: readonly CommandOption[],
  after: readonly CommandOption[],
): readonly FieldChange[] {
  return planSync([command('x', after)], [command('x', before)]).change[0]?.fields ?? [];
}

const breaking = (before: readonly CommandOption[], after: readonly CommandOption[]): string[] =>
  fieldsOf(before, after)
    .filter((field) => field.breaking)
    .map(({ what }) => what);

describe('planSync', () => {
  it('distinguishes new, changed, removed and unchanged commands', () => {
    const local = [command('new'), command('changed', [option('a')]), command('same')];
    const remote = [command('gone'), command('changed'), command('same')].map(asRegistered);
    expect(planSync(local, remote)).toEqual({
      add: [command('new')],
      change: [
        {
          name: 'changed',
          fields: [{ what: 'option a', after: 'string, optional', breaking: false }],
        },
      ],
      remove: [command('gone')],
      kept: [],
      same: ['same'],
      empty: false,
      remoteHash: hashCommands(remote),
    });
  });

  it('is empty when only ids, dates, unknown fields and the order of commands differ', () => {
    const local = [command('a', [option('x')]), command('b')];
    const remote = local.map(asRegistered).reverse();
    expect(planSync(local, remote)).toMatchObject({ empty: true, same: ['a', 'b'] });
    expect(planSync([], [])).toMatchObject({ empty: true, add: [], change: [], remove: [] });
  });

  it('names a changed description, of the command or of an option', () => {
    const local = [{ ...command('x', [option('a', { description: 'New' })]), description: 'New' }];
    expect(planSync(local, [command('x', [option('a')])]).change).toEqual([
      {
        name: 'x',
        fields: [
          { what: 'description', before: 'Does x', after: 'New', breaking: false },
          { what: 'option a description', before: 'The a', after: 'New', breaking: false },
        ],
      },
    ]);
  });

  it('names a changed type, and counts it as breaking', () => {
    expect(fieldsOf([option('a')], [option('a', { type: 'integer' })])).toEqual([
      {
        what: 'option a type',
        before: 'string',
        after: 'integer',
        breaking: true,
        why: 'values that callers type today may be rejected',
      },
    ]);
  });

  it('counts an option that becomes required as breaking, and one that becomes optional not', () => {
    const required = option('a', { required: true });
    expect(fieldsOf([option('a')], [required])).toEqual([
      {
        what: 'option a required',
        before: 'false',
        after: 'true',
        breaking: true,
        why: 'callers omitting it will fail',
      },
    ]);
    expect(fieldsOf([required], [option('a')])).toEqual([
      { what: 'option a required', before: 'true', after: 'false', breaking: false },
    ]);
  });

  it('counts a removed option as breaking', () => {
    expect(fieldsOf([option('a', { type: 'user', required: true })], [])).toEqual([
      {
        what: 'option a',
        before: 'user, required',
        breaking: true,
        why: 'the value that callers type for it is no longer accepted',
      },
    ]);
  });

  it('counts a new option as breaking when it is required or precedes an existing one', () => {
    const a = option('a');
    expect(breaking([a], [a, option('b')])).toEqual([]);
    expect(breaking([a], [a, option('b', { required: true })])).toEqual(['option b']);
    expect(breaking([a], [option('b'), a])).toEqual(['option b']);
    expect(breaking([], [option('b'), option('c')])).toEqual([]);
  });

  it('says what a new option does to the lines that users type', () => {
    const a = option('a');
    expect(fieldsOf([a], [a, option('b', { required: true })])[0]?.why).toBe(
      'callers omitting it will fail',
    );
    expect(fieldsOf([a], [option('b'), a])[0]?.why).toBe(
      'it takes the value that callers type for the next option',
    );
    expect(fieldsOf([a], [a, option('b')])[0]?.why).toBeUndefined();
  });

  it('counts another order as breaking: users type values in it', () => {
    const [a, b, c] = [option('a'), option('b'), option('c')];
    expect(fieldsOf([a, b, c], [c, a, b])).toEqual([
      {
        what: 'option order',
        before: 'a, b, c',
        after: 'c, a, b',
        breaking: true,
        why: 'positional arguments will be read differently',
      },
    ]);
  });

  it('does not take an option that came or went for another order', () => {
    const [a, b, c] = [option('a'), option('b'), option('c')];
    expect(fieldsOf([a, b, c], [a, c]).map(({ what }) => what)).toEqual(['option b']);
    expect(fieldsOf([a, c], [a, b, c]).map(({ what }) => what)).toEqual(['option b']);
  });

  it('keeps what is absent and is to stay, which is no change', () => {
    const remote = [command('mine'), command('theirs'), command('gone')].map(asRegistered);
    const keep = (name: string): boolean => name === 'theirs' || name === 'mine';
    const plan = planSync([command('mine')], remote, keep);
    expect(plan).toMatchObject({
      kept: [command('theirs')],
      remove: [command('gone')],
      same: ['mine'],
      empty: false,
    });
    expect(planSync([], remote, () => true)).toMatchObject({ empty: true, remove: [] });
  });

  it('is empty exactly when both sets are the same', () => {
    const options = fc.uniqueArray(
      fc.record({
        name: fc.constantFrom('a', 'b', 'c'),
        description: fc.constantFrom('One', 'Two'),
        type: fc.constantFrom('string', 'integer'),
        required: fc.boolean(),
      }),
      { selector: ({ name }) => name },
    );
    const commands = fc.uniqueArray(
      fc.record({
        name: fc.constantFrom('x', 'y'),
        description: fc.constantFrom('One', 'Two'),
        options,
      }),
      { selector: ({ name }) => name },
    );
    fc.assert(
      fc.property(commands, commands, (local, remote) => {
        const plan = planSync(local, remote.map(asRegistered));
        expect(plan.empty).toBe(hashCommands(local) === hashCommands(remote));
        const { add, change, remove, same } = plan;
        expect(add.length + change.length + same.length).toBe(local.length);
        expect(change.length + same.length + remove.length).toBe(remote.length);
      }),
      { numRuns: 300 },
    );
  });
});

describe('hashCommands', () => {
  it('does not care for the order of commands, ids and unknown fields', () => {
    const set = [command('a', [option('x')]), command('b')];
    expect(hashCommands(set.map(asRegistered).reverse())).toBe(hashCommands(set));
    expect(hashCommands(set)).toMatch(/^[0-9a-f]{12}$/);
  });

  it('cares for everything a sync carries, the order of options included', () => {
    const [a, b] = [option('a'), option('b')];
    const sets = [
      [],
      [command('x', [a, b])],
      [command('x', [b, a])],
      [command('x', [a])],
      [command('y', [a, b])],
      [command('x', [a, { ...b, required: true }])],
      [{ ...command('x', [a, b]), description: 'Other' }],
    ];
    expect(new Set(sets.map(hashCommands)).size).toBe(sets.length);
  });
});

describe('a registered command in an unexpected form', () => {
  const option = { name: 'o', description: 'O', type: 'string', required: false };
  const local = { name: 'x', description: 'X', options: [option] };
  // Commands from the platform need not have the form that their type promises.
  const plan = (command: object) => planSync([local], [command as typeof local]);

  it.each([
    ['no id and no date', {}],
    ['an option without `required`', { options: [{ ...option, required: undefined }] }],
    ['null in place of `required`', { options: [{ ...option, required: null }] }],
  ])('is compared when it has %s', (_, change) => {
    expect(plan({ ...local, ...change }).empty).toBe(true);
  });

  it('has no options when they are null, and an empty description when it is missing', () => {
    expect(plan({ name: 'x', options: null }).change[0]?.fields.map(({ what }) => what)).toEqual([
      'description',
      'option o',
    ]);
  });

  it.each([
    ['no name', { name: undefined }, 'A registered command cannot be read: name: '],
    ['a name that is a number', { name: 7 }, 'A registered command cannot be read: name: '],
    [
      'an option without a type',
      { options: [{ name: 'o' }] },
      'The registered command /x cannot be read: options.0.type: ',
    ],
    [
      'a list in place of it',
      { name: 'x', options: {} },
      'The registered command /x cannot be read: options: ',
    ],
  ])('is refused when it has %s', (_, change, message) => {
    expect(() => plan({ ...local, ...change })).toThrow(
      expect.objectContaining({
        code: 'E_COMMANDS_UNREADABLE',
        message: expect.stringContaining(message),
      }),
    );
  });

  it.each([null, 7, 'x'])('is refused when it is %j', (command) => {
    expect(() => planSync([local], [command as unknown as typeof local])).toThrow(
      expect.objectContaining({ code: 'E_COMMANDS_UNREADABLE' }),
    );
  });
});
