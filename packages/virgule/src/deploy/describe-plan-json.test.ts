import { planSync } from '@virgule/runtime/sync';
import { describe, expect, it } from 'vitest';
import { planJson } from './describe-plan.js';

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
    };
    const json = planJson({ plan, me: ME, local, registered: [], own: null }, 'applied', 'now');
    expect(JSON.parse(JSON.stringify(json))).toEqual({
      v: 1,
      result: 'applied',
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
