import type { VirguleError } from '@virgule/core/errors';
import type { Command, SyncCommandItem } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import { outcomeUnknown, refused, unreachable } from '../../test/client-failures.js';
import { createFakeRest } from '../../test/fake-rest.js';
import { interactionId } from '../../test/ids.js';
import { applySync, type ApplySyncOptions } from './apply-sync.js';
import { planSync } from './plan-sync.js';

const item = (name: string, description = `Does ${name}`): SyncCommandItem => ({
  name,
  description,
  options: [],
});

const registered = (...items: readonly SyncCommandItem[]): readonly Command[] =>
  items.map((command, n) => ({
    ...command,
    id: interactionId(n),
    createdAt: '2026-01-01T00:00:00Z',
  }));

/** A platform that has `remote` registered, and a sync to `local` that was planned on it. */
function prepare(
  remote: readonly SyncCommandItem[],
  local: readonly SyncCommandItem[],
  options: Partial<ApplySyncOptions> = {},
) {
  const fake = createFakeRest();
  let current = registered(...remote);
  fake.always('commands.list', () => current);
  fake.always('commands.replace', (commands: readonly SyncCommandItem[]) => {
    current = registered(...commands);
  });
  return {
    fake,
    /** Another program registers other commands. */
    deployElsewhere(...items: readonly SyncCommandItem[]): void {
      current = registered(...items);
    },
    apply: () =>
      applySync({
        commands: fake.rest.commands,
        local,
        plan: planSync(local, registered(...remote)),
        ...options,
      }),
    get names() {
      return current.map(({ name }) => name);
    },
  };
}

const SENT = ['commands.list', 'commands.replace', 'commands.list'];

describe('applySync', () => {
  it('reads the set again, replaces it, reads it back, and returns the previous one', async () => {
    const sync = prepare([item('a')], [item('a', 'New'), item('b')]);
    expect(await sync.apply()).toEqual({ applied: true, before: registered(item('a')) });
    expect(sync.fake.lines).toEqual(SENT);
    expect(sync.fake.calls[1]?.args[0]).toEqual([item('a', 'New'), item('b')]);
    expect(sync.names).toEqual(['a', 'b']);
  });

  it('sends nothing when there is nothing to do', async () => {
    const sync = prepare([item('a')], [item('a')]);
    expect(await sync.apply()).toEqual({ applied: false, before: registered(item('a')) });
    expect(sync.fake.lines).toEqual(['commands.list']);
  });

  it('passes the signal on', async () => {
    const { signal } = new AbortController();
    const sync = prepare([], [item('a')], { signal });
    await sync.apply();
    expect(sync.fake.calls.map(({ args }) => args.at(-1))).toEqual([
      { signal },
      { signal },
      { signal },
    ]);
  });

  it('refuses a deletion that is not allowed, by name', async () => {
    const sync = prepare([item('a'), item('b'), item('c')], [item('c')]);
    await expect(sync.apply()).rejects.toMatchObject({
      code: 'E_SYNC_DELETES',
      message: 'Registering would delete /a, /b, which is not allowed.',
    });
    const partly = prepare([item('a'), item('b')], [item('c')], { allowDelete: ['a'] });
    await expect(partly.apply()).rejects.toMatchObject({ details: { names: ['b'] } });
    expect([sync.fake.lines, partly.fake.lines]).toEqual([['commands.list'], ['commands.list']]);
  });

  it('deletes what is allowed: all, or those that are named', async () => {
    const all = prepare([item('a'), item('b')], [item('c')], { allowDelete: true });
    await all.apply();
    expect(all.names).toEqual(['c']);
    const named = prepare([item('a')], [item('c')], { allowDelete: ['a', 'z'] });
    await named.apply();
    expect(named.names).toEqual(['c']);
  });

  it('refuses an empty set unless everything may be deleted', async () => {
    for (const allowDelete of [undefined, false, ['a']] as const) {
      const sync = prepare([item('a')], [], { allowDelete });
      await expect(sync.apply()).rejects.toMatchObject({
        code: 'E_SYNC_EMPTY',
        details: { registered: 1 },
      });
      expect(sync.fake.lines).toEqual(['commands.list']);
    }
    const sync = prepare([item('a')], [], { allowDelete: true });
    expect(await sync.apply()).toMatchObject({ applied: true });
    expect(sync.names).toEqual([]);
  });

  it('refuses a plan that was made from another set than is registered now', async () => {
    const sync = prepare([item('a')], [item('a'), item('b')]);
    sync.deployElsewhere(item('a'), item('theirs'));
    await expect(sync.apply()).rejects.toMatchObject({ code: 'E_SYNC_STALE' });
    expect(sync.names).toEqual(['a', 'theirs']);
  });

  it('has nothing to do when another deploy has registered the same set meanwhile', async () => {
    const sync = prepare([item('a')], [item('a'), item('b')]);
    sync.deployElsewhere(item('b'), item('a'));
    expect(await sync.apply()).toMatchObject({ applied: false });
    expect(sync.fake.lines).toEqual(['commands.list']);
  });

  it('reports when the set reads back differently', async () => {
    const sync = prepare([], [item('a'), item('b')]);
    sync.fake.once('commands.replace', () => sync.deployElsewhere(item('b', 'Cut'), item('c')));
    await expect(sync.apply()).rejects.toMatchObject({
      code: 'E_SYNC_NOT_APPLIED',
      details: { names: ['a', 'b', 'c'] },
    });
  });

  it('sends what is kept along, and does not count it as a deletion', async () => {
    const local = [item('b')];
    const remote = [item('a'), item('theirs')];
    const plan = planSync(local, registered(...remote), (name) => name === 'theirs');
    const sync = prepare(remote, local, { plan, allowDelete: ['a'] });
    await sync.apply();
    expect(sync.names).toEqual(['b', 'theirs']);
  });

  it('fails with the platform when nothing was changed', async () => {
    const sync = prepare([], [item('a')]);
    const error = outcomeUnknown();
    sync.fake.once('commands.replace', error);
    await expect(sync.apply()).rejects.toBe(error);
    expect(sync.fake.lines).toEqual(SENT);
  });

  it('finds out by reading back that it was applied although the answer was lost', async () => {
    const sync = prepare([], [item('a')]);
    sync.fake.once('commands.replace', () => {
      sync.deployElsewhere(item('a'));
      throw outcomeUnknown();
    });
    expect(await sync.apply()).toMatchObject({ applied: true });
  });

  it('reports which commands are missing when the replacement stopped half way', async () => {
    const sync = prepare([item('a')], [item('a'), item('b'), item('c')]);
    const error = outcomeUnknown();
    sync.fake.once('commands.replace', () => {
      sync.deployElsewhere(item('a'), item('b'));
      throw error;
    });
    await expect(sync.apply()).rejects.toMatchObject({
      code: 'E_SYNC_NOT_APPLIED',
      details: { names: ['c'] },
      cause: error,
    });
  });

  it('says that the outcome is unknown when reading back fails, even after a success', async () => {
    for (const error of [outcomeUnknown(), undefined]) {
      const sync = prepare([], [item('a')]);
      sync.fake.once('commands.list', () => registered());
      const unread = new Error('no network');
      sync.fake.once('commands.list', unread);
      if (error) sync.fake.once('commands.replace', error);
      await expect(sync.apply()).rejects.toMatchObject({
        code: 'E_SYNC_NOT_APPLIED',
        details: { state: 'unknown' },
        cause: error ?? unread,
      });
    }
  });

  it.each<[string, boolean, Error, 'arrived'?]>([
    ['kept when the request arrived', true, outcomeUnknown(), 'arrived'],
    [
      'kept when an earlier try arrived, and the last one was refused',
      true,
      refused(400),
      'arrived',
    ],
    ['not needed after a refusal', false, refused(400)],
    ['kept while the request may still arrive', true, outcomeUnknown()],
    ['not needed without a connection', false, unreachable()],
  ])('has a copy that is %s', async (_what, isKept, error, hasArrived) => {
    const copies: string[] = [];
    const sync = prepare([item('a')], [item('a'), item('b'), item('c')], {
      async beforeSend() {
        copies.push(sync.names.join());
        return async () => void copies.pop();
      },
    });
    sync.fake.once('commands.replace', () => {
      if (hasArrived) sync.deployElsewhere(item('a'), item('b'));
      throw error;
    });
    await expect(sync.apply()).rejects.toBeInstanceOf(Error);
    expect(copies).toEqual(isKept ? ['a'] : []);
  });

  it('finds out by reading back that it was applied although the answer was a 5xx', async () => {
    const sync = prepare([], [item('a')]);
    sync.fake.once('commands.replace', () => {
      sync.deployElsewhere(item('a'));
      throw refused(500);
    });
    expect(await sync.apply()).toMatchObject({ applied: true });
    expect(sync.fake.lines).toEqual(SENT);
  });

  it.each([
    ['changed nothing', 'unchanged', /^Nothing was changed: .*500.*deploy` again/],
    ['is unknown', 'unread', /500.*it is unknown whether.*deploy --check/],
    ['stopped half way', 'partly', /but \/b read back differently.*deploy` again/],
  ] as const)('reads back after a 5xx, which %s', async (_what, outcome, expected) => {
    const sync = prepare([], [item('a'), item('b')]);
    if (outcome === 'unread') {
      sync.fake.once('commands.list', () => registered());
      sync.fake.once('commands.list', new Error('no network'));
    }
    const error = refused(500);
    sync.fake.once('commands.replace', () => {
      if (outcome === 'partly') sync.deployElsewhere(item('a'));
      throw error;
    });
    const failure: unknown = await sync.apply().catch((reason: unknown) => reason);
    expect(failure).toMatchObject({ code: 'E_SYNC_NOT_APPLIED', cause: error });
    const { message, hint } = failure as VirguleError;
    expect(`${message} ${hint}`).toMatch(expected);
    expect(sync.fake.lines).toEqual(SENT);
  });

  it('reads back what the platform refused, since an earlier try may have arrived', async () => {
    const sync = prepare([], [item('a')]);
    const error = refused(400, 'bot_validation_error');
    sync.fake.once('commands.replace', error);
    await expect(sync.apply()).rejects.toBe(error);
    expect(sync.fake.lines).toEqual(SENT);
  });
});
