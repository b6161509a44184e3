import { planSync, type SyncPlan } from '@virgule/runtime/sync';
import { describe, expect, it } from 'vitest';
import { createTestIo } from '../../test/test-io.js';
import { askConsent } from './ask-consent.js';
import type { DeployFlags } from './deploy-flags.js';

const command = (name: string) => ({ name, description: name, options: [] });
const ADDING = planSync([command('new')], []);
const DELETING = planSync([command('new')], [command('a'), command('b')]);

type Options = DeployFlags & { readonly plan?: SyncPlan };

/** Returns the result of asking: the questions, or the code and the hint of the error. */
async function outcome({ plan = ADDING, ...flags }: Options, typed?: string[]) {
  const io = createTestIo({ cwd: '/', typed });
  const asked = askConsent(plan, flags, io);
  try {
    await asked;
    return { agreed: true, question: io.out };
  } catch (error) {
    const { code, hint } = error as { readonly code: string; readonly hint: string };
    return { agreed: false, question: io.out, code, hint };
  }
}

describe('askConsent', () => {
  it('asks nothing when everything is agreed to', async () => {
    const silent = { agreed: true, question: '' };
    expect(await outcome({ yes: true })).toEqual(silent);
    expect(await outcome({ yes: true, plan: DELETING, 'allow-delete': true })).toEqual(silent);
    expect(await outcome({ yes: true, plan: DELETING, 'allow-delete': ['b', 'a'] })).toEqual(
      silent,
    );
    expect(await outcome({ yes: true, json: true })).toEqual(silent);
  });

  it.each([
    ['y', true],
    ['YES ', true],
    ['n', false],
    ['', false],
    ['1', false],
    ['yep', false],
  ])('treats %j as %s when nothing is deleted', async (typed, agreed) => {
    expect(await outcome({}, [typed])).toMatchObject({ agreed, question: 'Apply? [y/N] ' });
  });

  it.each([
    ['2', true],
    [' 2 ', true],
    ['1', false],
    ['y', false],
    ['22', false],
    ['', false],
  ])('treats %j as %s when two are deleted', async (typed, agreed) => {
    expect(await outcome({ plan: DELETING }, [typed])).toMatchObject({
      agreed,
      question: expect.stringContaining('Type the number of deletions (2)'),
    });
  });

  it.each([
    [['old', 'older'], '--allow-delete=old,older'],
    [['$(touch x)'], '--allow-delete'],
    [['`id`;x'], "'--allow-delete=`id`;x'"],
    [["it's"], String.raw`'--allow-delete=it'\''s'`],
    [['a,b'], '--allow-delete'],
    [['a\u001B[2J'], '--allow-delete'],
    [['a\u202Eb'], '--allow-delete'],
  ])('prints a command that deletes %j when pasted, and does nothing else', async (names, flag) => {
    const plan = planSync([], names.map(command));
    const { code, hint } = await outcome({ plan, json: true });
    expect(code).toBe('E_DEPLOY_REFUSED');
    expect(hint).toBe(`Run \`virgule deploy --yes ${flag}\`.`);
  });

  it('asks for the number of those that no flag allows', async () => {
    expect(await outcome({ plan: DELETING, 'allow-delete': ['a'] }, ['1'])).toMatchObject({
      agreed: true,
      question: expect.stringContaining('(1)'),
    });
    expect(await outcome({ plan: DELETING, 'allow-delete': true }, ['y'])).toMatchObject({
      agreed: true,
      question: 'Apply? [y/N] ',
    });
  });

  it.each<[string, Options, string[] | undefined, string]>([
    ['nobody is there', {}, undefined, 'Run `virgule deploy --yes`.'],
    [
      'nobody is there to agree to deletions',
      { plan: DELETING },
      undefined,
      'Run `virgule deploy --yes --allow-delete=a,b`.',
    ],
    ['programs read the output', { json: true }, ['y'], 'Run `virgule deploy --yes`.'],
    [
      '--yes does not cover deletions',
      { plan: DELETING, yes: true, 'allow-delete': ['a'] },
      ['1'],
      'Run `virgule deploy --yes --allow-delete=a,b`.',
    ],
    [
      'other flags were given',
      { from: 'x', 'keep-foreign': true },
      undefined,
      'Run `virgule deploy --from x --keep-foreign --yes`.',
    ],
  ])('does not ask when %s, and prints the command', async (_, options, typed, hint) => {
    expect(await outcome(options, typed)).toEqual({
      agreed: false,
      question: '',
      code: 'E_DEPLOY_REFUSED',
      hint,
    });
  });

  it('treats Ctrl+C as no answer at all', async () => {
    const io = createTestIo({ cwd: '/', typed: [] });
    const asked = askConsent(
      ADDING,
      {},
      {
        ...io,
        async ask() {
          io.stop('SIGINT');
          return 'y';
        },
      },
    );
    await expect(asked).rejects.toBe('SIGINT');
  });
});
