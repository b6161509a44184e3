import { planSync } from '@virgule/runtime/sync';
import { describe, expect, it } from 'vitest';
import { planId, planJson } from './describe-plan.js';

const command = (name: string, description = name) => ({ name, description, options: [] });
const LOCAL = [command('same'), command('changed', 'New'), command('added')];
const REMOTE = [command('same'), command('changed'), command('gone'), command('theirs')];
const ME = { applicationId: 'app', botUserId: 'bot', username: 'dice', displayName: 'Dice' };

describe('planJson', () => {
  it('has everything that the text has', () => {
    const plan = planSync(LOCAL, REMOTE, (name) => name === 'theirs');
    const local = {
      items: LOCAL,
      called: 'local',
      platform: {},
      fileOf: (name: string) => `commands/${name}.ts`,
      locate: () => undefined,
    };
    const json = planJson(
      { plan, id: 'abc', me: ME, local, registered: [], own: null },
      'applied',
      'now',
    );
    expect(JSON.parse(JSON.stringify(json))).toEqual({
      v: 1,
      result: 'applied',
      plan: 'abc',
      application: { id: 'app', name: 'Dice' },
      changes: 3,
      breaking: 1,
      add: [{ ...command('added'), file: 'commands/added.ts' }],
      change: [
        {
          name: 'changed',
          fields: [{ what: 'description', before: 'changed', after: 'New', breaking: false }],
          file: 'commands/changed.ts',
        },
      ],
      remove: [command('gone')],
      kept: [command('theirs')],
      same: ['same'],
      saved: 'now',
    });
  });
});

describe('planId', () => {
  const id = (local = LOCAL, remote = REMOTE, keep = false) =>
    planId(
      planSync(local, remote, () => keep),
      local,
    );

  it('is the same as long as the same is to replace the same', () => {
    expect(id()).toMatch(/^[0-9a-f]{8}$/);
    expect(id([...LOCAL].reverse(), [...REMOTE].reverse())).toBe(id());
  });

  it('is another one when either set differs, or more is kept', () => {
    const ids = [id(), id(LOCAL.slice(1)), id(LOCAL, REMOTE.slice(1)), id(LOCAL, REMOTE, true)];
    expect(new Set(ids).size).toBe(4);
  });
});
