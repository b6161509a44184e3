import { planSync } from '@virgule/runtime/sync';
import { describe, expect, it } from 'vitest';
import { describePlan } from './describe-plan.js';

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
const view = { local: 1, bot: 'Demo Bot', color: false };

describe('describePlan', () => {
  it('says when there is nothing to do', () => {
    expect(describePlan(planSync([command('a')], [command('a')]), view)).toBe(
      'No changes. 1 command of Demo Bot is up to date.\n',
    );
  });

  it('shows deletions first, then changes, then what is new', () => {
    const plan = planSync(
      [
        command('new', 'Fresh'),
        command('play', 'Play a track', [option('url', true)]),
        command('same'),
      ],
      [command('play', 'Play', [option('url')]), command('old', 'Old thing'), command('same')],
    );
    expect(describePlan(plan, { ...view, local: 3 })).toBe(
      [
        'Plan for Demo Bot:',
        '',
        '  - /old  "Old thing"  will be DELETED: there is no file for it',
        '  ~ /play',
        '      description: "Play" → "Play a track"',
        '      ! option url required: "false" → "true"',
        '  + /new  "Fresh"',
        '  = 1 unchanged',
        '',
        '1 to add, 1 to change, 1 to delete.',
        '! 1 change can break lines that users type today.',
        '! 1 command will disappear on all servers.',
        '',
      ].join('\n'),
    );
  });

  it('marks options that come and go', () => {
    const text = describePlan(
      planSync([command('a', 'a', [option('new')])], [command('a', 'a', [option('gone')])]),
      view,
    );
    expect(text).toContain('      ! - option gone: string, optional');
    expect(text).toContain('      + option new: string, optional');
  });

  it('colours only when told', () => {
    const plan = planSync([], [command('old')]);
    expect(describePlan(plan, view)).not.toContain('\u001B');
    expect(describePlan(plan, { ...view, color: true })).toContain('\u001B[31m');
  });
});
