import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeClock } from '@virgule/core/clock';
import { clientErrors, type Rest } from '@virgule/client/rest';
import type { Command, SyncCommandItem } from '@virgule/core/protocol';
import { planSync } from '@virgule/runtime/sync';
import { describe, expect, it, onTestFinished } from 'vitest';
import { applyPlan } from './apply-plan.js';
import type { LocalCommands } from './local-commands.js';
import { listSets, readSet } from './saved-sets.js';

const item = (name: string): SyncCommandItem => ({ name, description: name, options: [] });
const asRegistered = (items: readonly SyncCommandItem[]): readonly Command[] =>
  items.map((it) => ({ ...it, id: it.name, createdAt: 'then' }));

function prepare(local: readonly string[], remote: readonly string[], options: object = {}) {
  const root = mkdtempSync(join(tmpdir(), 'virgule-apply-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const before = asRegistered(remote.map(item));
  let now = before;
  const seen: (readonly string[])[] = [];
  let refusal: Error | undefined;
  const commands: Rest['commands'] = {
    list: async () => now,
    async replace(items) {
      // The registered set is saved before it is replaced.
      seen.push(listSets(root));
      if (refusal) throw refusal;
      now = asRegistered(items);
      return now;
    },
  };
  const items = local.map(item);
  const source: LocalCommands = {
    items,
    called: 'local',
    platform: {},
    fileOf: (name) => `commands/${name}.ts`,
    ...options,
  };
  return {
    root,
    seen,
    refuse: (error: Error) => (refusal = error),
    record: () =>
      JSON.parse(readFileSync(join(root, '.virgule', 'deployed.json'), 'utf8')) as unknown,
    apply: (keep?: (name: string) => boolean) =>
      applyPlan(
        {
          plan: planSync(items, before, keep),
          local: source,
          registered: before,
          own: ['old'],
          me: { applicationId: 'app', botUserId: 'bot', username: 'dice', displayName: 'Dice' },
        },
        { root, commands, clock: createFakeClock() },
      ),
  };
}

const refusedWith = (status: number, apiMessage: string): Error =>
  clientErrors.E_API_REFUSED({
    endpoint: 'commands.replace',
    route: 'PUT /commands',
    attempts: 1,
    elapsedMs: 1,
    status,
    apiCode: 'bot_validation_error',
    apiMessage,
  });

describe('applyPlan', () => {
  it('keeps what it replaces before it does, and notes what it deployed', async () => {
    const { root, seen, record, apply } = prepare(['new'], ['old', 'theirs']);
    const { saved, unrecorded } = await apply((name) => name === 'theirs');
    expect(seen).toEqual([[saved]]);
    expect(unrecorded).toBeUndefined();
    expect(await readSet(root, saved ?? '')).toMatchObject({
      applicationId: 'app',
      commands: [{ name: 'old' }, { name: 'theirs' }],
      own: ['old'],
    });
    // The kept command belongs to another deployer.
    expect(record()).toEqual({ v: 1, applications: { app: ['new'] } });
  });

  it('notes after a rollback what belonged to us then', async () => {
    const { record, apply } = prepare(['mine', 'theirs'], [], { own: ['mine'] });
    await apply();
    expect(record()).toEqual({ v: 1, applications: { app: ['mine'] } });
  });

  it('forgets what it kept when nothing was replaced', async () => {
    const { root, refuse, apply } = prepare(['new'], ['old']);
    refuse(refusedWith(400, 'The name new is taken.'));
    await expect(apply()).rejects.toMatchObject({ code: 'E_API_REFUSED' });
    expect(listSets(root)).toEqual([]);
  });

  it('keeps it when it is unknown whether it was replaced', async () => {
    const { root, refuse, apply } = prepare(['new'], ['old']);
    refuse(
      clientErrors.E_TIMEOUT({
        endpoint: 'commands.replace',
        route: 'PUT /commands',
        attempts: 3,
        elapsedMs: 30_000,
        phase: 'headers',
        maybeSent: true,
      }),
    );
    await expect(apply()).rejects.toMatchObject({ code: 'E_TIMEOUT' });
    expect(listSets(root)).toHaveLength(1);
  });

  it('succeeds when only the note cannot be written, and reports it', async () => {
    const { root, apply } = prepare(['new'], []);
    mkdirSync(join(root, '.virgule', 'deployed.json', 'in-the-way'), { recursive: true });
    const { unrecorded } = await apply();
    expect(unrecorded).toContain('deployed.json cannot be read');
  });
});
