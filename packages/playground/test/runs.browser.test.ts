import { describe, expect, it } from 'vitest';
import { SOON, setUpBrowser } from './browser-harness.js';
import {
  ADA,
  BOT,
  BOT_AUTHOR,
  EMPTY,
  GRACE,
  SANDBOX,
  interaction,
  message,
} from './sample-world.js';
import { COMMAND_ROWS, RUN, traceRow } from './trace-rows.js';

describe('commands that run again', () => {
  const harness = setUpBrowser();

  it('are run from a form, with their file, last runs and times', async () => {
    harness.sim.onQuestion((question) =>
      question.type === 'handlers' ? [{ name: 'hello', file: 'commands/hello.ts' }] : [],
    );
    harness.sim.trace(
      [
        traceRow({
          id: 1,
          kind: 'frame',
          from: 'platform',
          bot: BOT.username,
          group: RUN,
          what: 'APPLICATION_COMMAND /hello',
        }),
        traceRow({ id: 2, atMs: 3, tookMs: 10, group: RUN, endpoint: 31 }),
      ],
      [],
    );
    harness.sim.onCommand((run) => void harness.sim.answer(run, 'Hello!'));
    const page = await harness.open({ viewport: { width: 1440, height: 900 } });
    await page.getByRole('button', { name: 'Open inspector' }).click();
    await page.getByRole('tab', { name: 'Commands' }).click();
    await page.getByRole('button', { name: '/hello' }).getByText('12 ms').waitFor();
    await page.getByRole('button', { name: '/hello' }).click();
    await page.getByText('commands/hello.ts').waitFor();
    const run = page.getByRole('button', { name: 'Run as Ada' });
    await run.click();
    const last = page.getByRole('list', { name: 'Last runs of /hello' });
    await last.getByRole('button', { name: '/hello' }).waitFor();
    await expect
      .poll(() => harness.sim.requests.at(-1)?.body, SOON)
      .toMatchObject({ rawInput: '/hello' });
    await page.getByRole('searchbox', { name: 'Search by name, file or option' }).fill('who');
    await page.getByRole('button', { name: '/ban' }).click();
    await page.getByLabel('who').selectOption('Grace');
    await page.getByText('/ban @Grace').waitFor();
    await page.getByLabel('who').press('Control+Enter');
    await expect
      .poll(() => harness.sim.requests.at(-1)?.body, SOON)
      .toMatchObject({ rawInput: `/ban <@${GRACE.id}>` });
  });

  it('are found and completed with their prefix if messages run them', async () => {
    const file = 'commands/daily.ts';
    const daily = { name: 'daily', file, message: '!daily [times=1]', about: 'Claim coins' };
    harness.sim.onQuestion((question) => (question.type === 'handlers' ? [daily] : []));
    const page = await harness.open({ viewport: { width: 1440, height: 900 } });
    await page.locator('#composer').fill('!da');
    await page.getByRole('option', { name: '!daily [times=1] Claim coins' }).waitFor();
    await page.locator('#composer').press('Enter');
    expect(await page.locator('#composer').inputValue()).toBe('!daily ');
    await page.locator('#composer').fill('/daily');
    await page.getByText('Users send /daily as a message: !daily [times=1]').waitFor();
    await page.keyboard.press('Control+K');
    await page.keyboard.type('dail');
    await page.getByRole('option', { name: 'Run !daily' }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('#composer').inputValue(), SOON).toBe('!daily ');
    await page.getByRole('button', { name: 'Open inspector' }).click();
    await page.getByRole('tab', { name: 'Commands' }).click();
    const search = page.getByRole('searchbox', { name: 'Search by name, file or option' });
    await search.fill('claim');
    await page.getByText('!daily [times=1] Claim coins commands/daily.ts').waitFor();
    await search.fill('claims');
    await page.getByText('No command matches').waitFor();
  });

  it('are run again, edited, copied and pinned from the trace', async () => {
    const run = interaction({ id: RUN, userId: ADA.id, rawInput: '/hello', commandName: 'hello' });
    const page = await harness.open({
      viewport: { width: 1440, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    harness.sim.trace(COMMAND_ROWS, []);
    harness.sim.push({ type: 'interaction', interaction: run });
    harness.sim.answer(run, 'Hello!');
    await page.getByRole('button', { name: 'Open inspector' }).click();
    await page.getByRole('treeitem', { name: '/roll 20' }).click();
    await page.getByRole('button', { name: 'Copy as test' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
      'expect(content).toBe("Hello!");',
    );
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    expect(await page.locator('#composer').inputValue()).toBe('/hello');
    let count = 0;
    harness.sim.onCommand((started) => {
      count += 1;
      harness.sim.answer(started, `answer ${count}`);
    });
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.getByText('answer 1', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Pin', exact: true }).click();
    await page.getByText('runs again after each save').waitFor();
    harness.sim.push({ type: 'reloaded', files: ['commands/hello.ts'] });
    await page.getByText('the answer changed').waitFor();
    expect(await page.locator('.pin-change').innerText()).toBe('answer 2 answer 3');
    await page.getByRole('button', { name: 'Unpin' }).click();
    await expect.poll(() => page.locator('.pin-bar').count(), SOON).toBe(0);
  });

  it('are replayed from a message on, compared, and saved', async () => {
    harness.sim.onQuestion(() => []);
    const page = await harness.open({ path: `/s/${SANDBOX.id}/c/${EMPTY.id}` });
    let count = 0;
    harness.sim.onCommand((run) => {
      count += 1;
      const content = `answer ${count}`;
      const { id: interactionId, channelId } = run;
      const answer = message(BOT_AUTHOR, content, { channelId, interactionId });
      harness.sim.push({ type: 'message', message: answer });
      harness.sim.push({ type: 'interaction', interaction: { ...run, state: 'answered' } });
    });
    const composer = page.locator('#composer');
    await composer.fill('/hello');
    await composer.press('Control+Shift+Enter');
    await page.getByText('answer 1', { exact: true }).waitFor();
    await composer.fill('thanks');
    await composer.press('Enter');
    await page.getByText('thanks', { exact: true }).waitFor();
    const first = page.locator('.row', { hasText: 'answer 1' });
    await first.hover();
    await first.getByRole('button', { name: 'Replay from here' }).click();
    await page.getByText('2 of 2 steps, the answer changed').waitFor();
    expect(await page.locator('.pin-change').innerText()).toBe('answer 1 answer 2');
    expect(harness.sim.requests.map(({ body }) => body['rawInput'] ?? body['content'])).toEqual([
      '/hello',
      'thanks',
      '/hello',
      'thanks',
    ]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved conversations/hello.txt').waitFor();
    expect(harness.sim.requests.at(-1)?.body).toEqual({
      name: 'hello',
      text: '#empty\nada: /hello\nada: thanks\n',
    });
    await page.getByRole('button', { name: 'Unpin' }).click();
    await page.getByRole('button', { name: 'Open inspector' }).click();
    await page.getByRole('tab', { name: 'Commands' }).click();
    await page.getByRole('button', { name: 'Run on save (hello)' }).click();
    await page.getByText('2 of 2 steps').waitFor();
  });
});
