import { describe, expect, it } from 'vitest';
import { inAllRuns } from '../../core/test/fixtures/property-runs.js';
import { SOON, setUpBrowser } from './browser-harness.js';
import { ADA, BOT_AUTHOR, interaction, message } from './sample-world.js';
import { COMMAND_ROWS, FAILED_ROWS, RUN, SECTIONS, traceRow } from './trace-rows.js';

describe('the trace', () => {
  const harness = setUpBrowser();

  it('opens for a command that fails, with the source code of its error, by keyboard alone', async () => {
    const page = await harness.open({ viewport: { width: 1440, height: 900 } });
    harness.sim.trace(FAILED_ROWS, SECTIONS);
    const run = interaction({ id: RUN, userId: ADA.id, failure: { message: 'no' } });
    harness.sim.push({ type: 'interaction', interaction: run });
    const detail = page.getByRole('region', { name: 'Details' });
    await detail.getByText('send is not a function').waitFor();
    expect(await detail.innerText()).toContain('was refused with 429');
    const tree = page.getByRole('tree', { name: 'Trace' });
    const selected = () => tree.locator('[aria-selected=true]').innerText();
    await tree.focus();
    for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    expect(await selected()).toContain('/defer');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await tree.getByRole('treeitem').count()).toBe(1);
    await page.keyboard.press('/');
    await page.keyboard.type('status:500');
    await page.getByText('Nothing matches').waitFor();
    expect(page.url()).toMatch(/\?as=ada&trace=status%3A500$/);
    await page.reload();
    await page.getByText('Nothing matches').waitFor();
    expect(await page.getByRole('searchbox', { name: 'Filter' }).inputValue()).toBe('status:500');
  });

  it('explains a message whose handler failed, and the answer of the bot to it', async () => {
    const page = await harness.open({ viewport: { width: 1440, height: 900 } });
    const asked = message(ADA, 'good morning');
    const replyTo = { messageId: asked.id, isDeleted: false };
    harness.sim.trace(
      [traceRow({ group: asked.id, kind: 'frame', from: 'platform', what: 'good morning' })],
      [],
    );
    harness.sim.push({ type: 'message', message: asked, isNew: true });
    const answer = message(BOT_AUTHOR, 'I cannot answer', { replyTo });
    harness.sim.push({ type: 'message', message: answer, isNew: true });
    await page.locator(`[data-message="${answer.id}"]`).hover();
    await page.getByRole('button', { name: 'What happened?' }).click();
    const tree = page.getByRole('tree', { name: 'Trace' });
    const selected = tree.locator('[aria-selected=true]').filter({ hasText: 'good morning' });
    await selected.waitFor();
    expect(await selected.count()).toBe(1);
    const failure = { message: 'the model is down', where: 'events/message-create.ts:3:4' };
    harness.sim.push({ type: 'message', message: { ...asked, failure } });
    const cause = page.locator(`[data-message="${asked.id}"]`).getByText('the model is down');
    await cause.waitFor();
  });

  it('shows the log, the source code and the difference to the run before', async () => {
    const [text, file] = ['await send("hello");', 'commands/roll.ts'];
    harness.sim.onQuestion(({ type }) => (type === 'source' ? { file, text } : []));
    const page = await harness.open({ viewport: { width: 1440, height: 900 } });
    const again = COMMAND_ROWS.map((row) => ({ ...row, id: row.id + 10, group: 'later' }));
    harness.sim.trace([...COMMAND_ROWS, ...again], []);
    for (const [id, answer] of [
      [RUN, 'one\ntwo'],
      ['later', 'one\nthree'],
    ] as const) {
      const run = interaction({ id, userId: ADA.id });
      harness.sim.push({ type: 'interaction', interaction: run });
      harness.sim.answer(run, answer);
    }
    await page.getByRole('tab', { name: 'Trace' }).click();
    await page.getByRole('treeitem', { name: '/roll 20' }).first().click();
    const detail = page.getByRole('region', { name: 'Details' });
    await detail.getByRole('button', { name: 'Diff' }).click();
    expect(await detail.locator('del, ins').allInnerTexts()).toEqual(['two', 'three']);
    await detail.getByRole('button', { name: 'Source' }).click();
    await detail.getByText(text).waitFor();
    await detail.getByRole('button', { name: 'Logs 1' }).click();
    await detail.getByRole('button', { name: '/roll answered' }).click();
    expect(await detail.getByRole('heading').innerText()).toBe('/roll answered');
  });

  it('links the places of errors to the editor, if there is one', async () => {
    harness.sim.setSnapshot({ editor: 'vscode://file/bot/{file}:{line}:{column}' });
    const page = await harness.open({ viewport: { width: 1440, height: 900 } });
    harness.sim.trace(FAILED_ROWS, SECTIONS);
    harness.sim.push({
      type: 'problems',
      problems: [{ code: 'E_X', message: 'Broken', where: 'commands/a.ts:1:2' }],
    });
    const problem = page.getByRole('link', { name: 'commands/a.ts:1:2' });
    expect(await problem.getAttribute('href')).toBe('vscode://file/bot/commands/a.ts:1:2');
    const docs = page.getByRole('link', { name: 'E_X' });
    expect(await docs.getAttribute('href')).toBe('https://virgule.dev/errors/e_x');
    await page.getByRole('button', { name: 'Open inspector' }).click();
    await page.getByRole('treeitem', { name: '/roll 20' }).click();
    const place = page.getByRole('link', { name: './commands/bad.ts:3:36' });
    expect(await place.getAttribute('href')).toBe('vscode://file/bot/commands/bad.ts:3:36');
  });

  it('stays closed after it was closed, and opens from the chat', async () => {
    const page = await harness.open({ viewport: { width: 1440, height: 900 } });
    harness.sim.trace(FAILED_ROWS, SECTIONS);
    const fail = (id: string) =>
      harness.sim.push({
        type: 'interaction',
        interaction: interaction({ id, userId: ADA.id, state: 'expired' }),
      });
    fail('aaaaaaaa-2222-4333-8444-555555555555');
    await page.getByText('The trace has no rows for this').waitFor();
    await page.keyboard.press('Control+.');
    fail(RUN);
    const link = page.getByRole('button', { name: 'What happened?' }).last();
    await link.waitFor();
    expect(await page.getByRole('tree').count()).toBe(0);
    await link.click();
    await page.getByRole('treeitem', { name: '/roll 20' }).first().waitFor();
  });

  it('describes a command that expired because no bot received it', async () => {
    const what = 'POST /api/channels/1/interactions/commands /help';
    const rows = [
      traceRow({ id: 1, group: RUN, from: 'user', what }),
      traceRow({ id: 3001, group: RUN, kind: 'notice', isError: true, what: 'expired' }),
    ];
    harness.sim.trace(rows, []);
    const page = await harness.open();
    await page.getByRole('button', { name: 'Open inspector' }).click();
    await page.getByRole('treeitem', { name: '/help' }).first().click();
    const details = page.getByRole('region', { name: 'Details' });
    await details.getByText('No bot received /help. The interaction expired after 3 s.').waitFor();
    await details.getByRole('button', { name: 'timeline', pressed: true }).waitFor();
    expect(await details.getByLabel('Times').innerText()).toContain('no answer');
  });

  it.runIf(inAllRuns)(
    'draws only what is seen of 50,000 rows, and keeps the place while more come',
    async () => {
      const rows = Array.from({ length: 50_000 }, (_, n) =>
        traceRow({ id: n + 1, from: 'user', what: `GET /channels/${n + 1}` }),
      );
      harness.sim.trace(rows, []);
      const page = await harness.open();
      await page.getByRole('button', { name: 'Open inspector' }).click();
      const tree = page.getByRole('tree', { name: 'Trace' });
      await page.getByText(/^50,?000 rows, live$/).waitFor();
      expect(await tree.getByRole('treeitem').count()).toBeLessThan(80);
      await tree.evaluate((element) => element.scrollTo(0, 28_000));
      await page.getByText('GET /channels/49000').waitFor();
      const topOf = () =>
        page.getByText('GET /channels/49000').evaluate((row) => row.getBoundingClientRect().top);
      const before = await topOf();
      harness.sim.trace([traceRow({ id: 50_001, from: 'user', what: 'GET /new' })], []);
      await expect.poll(() => tree.evaluate((element) => element.scrollTop), SOON).toBe(28_028);
      expect(await topOf()).toBe(before);
      await tree.press('End');
      await page.getByRole('treeitem', { name: 'GET /channels/2 ' }).last().waitFor();
    },
  );

  it('holds back what comes while it is paused', async () => {
    harness.sim.trace([traceRow({ id: 1, from: 'user', what: 'one' })], []);
    const page = await harness.open();
    await page.getByRole('button', { name: 'Open inspector' }).click();
    await page.getByText('one', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    harness.sim.trace([traceRow({ id: 2, from: 'user', what: 'two' })], []);
    await page.getByText('1 new').waitFor();
    expect(await page.getByRole('treeitem').count()).toBe(1);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('two', { exact: true }).waitFor();
  });
});
