import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { loadModules } from '../../test/project-of.js';

const run = (): void => {};

async function load(definition: unknown, source?: string) {
  const { project, problems } = await loadModules(
    {
      'commands/x.ts': { default: { description: 'x', run } },
      'tasks/x.ts': { default: definition },
    },
    source === undefined ? {} : { 'tasks/x.ts': source },
  );
  return { task: project.tasks.get('x'), problems };
}

describe('readTask', () => {
  it('reads the defaults', async () => {
    const { task, problems } = await load({ run });
    expect(problems).toEqual([]);
    expect(task).toEqual({
      name: 'x',
      file: 'tasks/x.ts',
      schedule: null,
      payload: undefined,
      timeoutMs: 900_000,
      retries: 3,
      backoffMs: 10_000,
      concurrency: 10,
      maxLateMs: Infinity,
      settings: {},
      run,
    });
  });

  it('reads every setting', async () => {
    const settings = {
      cron: '*/5 * * * *',
      timeZone: 'Europe/Berlin',
      timeout: '1m',
      retries: 0,
      backoff: '1s',
      concurrency: 2,
      maxLate: '1h',
    };
    const { task } = await load({ ...settings, run });
    expect(task).toMatchObject({
      timeoutMs: 60_000,
      retries: 0,
      backoffMs: 1_000,
      concurrency: 2,
      maxLateMs: 3_600_000,
      schedule: { cron: '*/5 * * * *', timeZone: 'Europe/Berlin' },
      settings,
    });
  });

  it.each<[string, unknown, string, string]>([
    ['no run', { every: '1h' }, 'E_NO_HANDLER', 'without a function run'],
    ['a function', run, 'E_NO_HANDLER', 'made by defineTask'],
    ['an unknown key', { evry: '1h', run }, 'E_UNKNOWN_KEY', 'evry'],
    ['an interval below a second', { every: '5ms', run }, 'E_SETTING', 'every in tasks/x.ts'],
    ['an interval that is none', { every: 'hourly', run }, 'E_SETTING', 'saw "hourly"'],
    ['a cron expression that is none', { cron: 'at nine', run }, 'E_SETTING', 'cron in tasks/x.ts'],
    ['a cron field out of range', { cron: '61 * * * *', run }, 'E_SETTING', 'cron in tasks/x.ts'],
    ['a date that never comes', { cron: '0 9 30 2 *', run }, 'E_SETTING', 'a future time'],
    ['an unknown time zone', { cron: '0 9 * * *', timeZone: 'Mars', run }, 'E_SETTING', 'timeZone'],
    ['a time zone without cron', { timeZone: 'UTC', run }, 'E_SETTING', 'timeZone'],
    [
      'two schedules',
      { every: '1h', cron: '0 9 * * *', run },
      'E_SETTING',
      'omitted if every is set',
    ],
    ['a payload of a schedule', { every: '1h', payload: z.string(), run }, 'E_SETTING', 'payload'],
    ['a payload that is no schema', { payload: { text: 'x' }, run }, 'E_SETTING', 'a zod schema'],
    ['a question of a schedule', { every: '1h', waits: 'confirm', run }, 'E_SETTING', 'waits'],
    ['a late question', { waits: 'confirm', maxLate: '1h', run }, 'E_SETTING', 'maxLate'],
    ['negative retries', { retries: -1, run }, 'E_SETTING', 'retries'],
    ['no concurrency', { concurrency: 0, run }, 'E_SETTING', 'concurrency'],
  ])('reports %s', async (_, definition, code, text) => {
    const { task, problems } = await load(definition);
    expect(task).toBeUndefined();
    expect(problems).toMatchObject([{ code, message: expect.stringContaining(text) }]);
  });

  it.each([
    ['* * * *', /^Write minute, hour, .* in front if needed\.$/],
    ['61 * * * *', /^Write minute, hour, .* in front if needed: .*minute: 61\.$/],
  ])('says how to write a cron expression such as %s', async (cron, hint) => {
    const { problems } = await load({ cron, run });
    expect(problems[0]?.hint).toMatch(hint);
  });

  it('says to remove what must be omitted', async () => {
    const { problems } = await load({ waits: 'confirm', maxLate: '1h', run });
    expect(problems[0]?.hint).toBe('Remove maxLate.');
  });

  it('names the line', async () => {
    const source = "export default defineTask({\n  every: '5ms',\n  run() {},\n});\n";
    const { problems } = await load({ every: '5ms', run }, source);
    expect(problems[0]?.location).toMatchObject({ file: 'tasks/x.ts', line: 2 });
  });
});
