import { describe, expect, it } from 'vitest';
import type { SimBotQuestion } from '@virgule/core/simulator-api';
import { SOON, setUpBrowser } from './browser-harness.js';
import { STORED, TASKS } from './sample-bot.js';
import { GENERAL, SANDBOX } from './sample-world.js';

describe('the inspector', () => {
  const harness = setUpBrowser();

  it('lists tasks, and runs, cancels and retries them', async () => {
    const asked: SimBotQuestion[] = [];
    harness.sim.onQuestion((question) => {
      if (question.type === 'tasks') return TASKS;
      if (question.type !== 'handlers') asked.push(question);
      return true;
    });
    const page = await harness.open();
    await page.keyboard.press('Control+.');
    await page.getByRole('tab', { name: 'Tasks' }).click();
    const remind = page.getByRole('region', { name: 'Task remind' });
    await remind.waitFor();
    const text = await remind.innerText();
    for (const part of [
      'when called',
      'tasks/remind.ts',
      '<b>tea</b>',
      'no such channel',
      'attempt 2',
    ])
      expect(text).toContain(part);
    const digest = page.getByRole('region', { name: 'Task digest' });
    expect(await digest.innerText()).toContain('cron 0 9 * * 1-5 Europe/Paris');
    const next = page.getByRole('list', { name: 'Next' });
    expect(await next.innerText()).toMatch(/Mon,? 5 Jan, 09:00 Europe\/Paris/);
    await digest.getByRole('button', { name: 'Run now' }).click();
    await remind.getByLabel('text').fill('milk');
    await remind.getByRole('button', { name: 'Run now' }).click();
    await remind.getByRole('button', { name: 'Run at…' }).click();
    await remind.getByLabel('Run at').fill('2099-01-05T10:00');
    await remind.getByRole('button', { name: 'Run then' }).click();
    await remind.getByRole('button', { name: 'Cancel the run remind:2' }).click();
    await remind.getByRole('button', { name: 'Retry the run remind:1' }).click();
    await expect
      .poll(() => asked, SOON)
      .toEqual([
        { type: 'task', action: 'run', name: 'digest' },
        { type: 'task', action: 'run', name: 'remind', payload: { text: 'milk' } },
        {
          type: 'task',
          action: 'run',
          name: 'remind',
          payload: { text: 'milk' },
          at: new Date(2099, 0, 5, 10).toISOString(),
        },
        { type: 'task', action: 'cancel', name: 'remind:2' },
        { type: 'task', action: 'retry', name: 'remind:1' },
      ]);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('complementary', { name: 'Inspector' }).count()).toBe(0);
    const focused = await page.evaluate(() => document.activeElement?.id);
    expect(focused).toBe('inspector-button');
  });

  it('searches the storage, and is as it was after a reload', async () => {
    harness.sim.onQuestion((question) => {
      if (question.type !== 'storage') return [];
      const { search = '' } = question;
      return { ...STORED, entries: STORED.entries.filter(({ key }) => key.includes(search)) };
    });
    const page = await harness.open();
    await page.getByRole('button', { name: 'Open inspector' }).click();
    await page.getByRole('tab', { name: 'Trace' }).press('ArrowDown');
    await page.getByRole('tab', { name: 'Commands' }).press('ArrowDown');
    await page.getByRole('tab', { name: 'Events' }).press('ArrowDown');
    await page.getByRole('heading', { name: 'No tasks' }).waitFor();
    expect(await page.locator('.empty p').innerText()).toBe(
      'Add tasks/digest.ts for work on a schedule, or run virgule new task digest.',
    );
    await page.getByRole('tab', { name: 'Tasks' }).press('ArrowDown');
    await page.getByText('poll:1').waitFor();
    expect(await page.locator('.tree').innerText()).toContain('5,000 characters');
    await page.getByRole('searchbox').fill('poll:2');
    await expect.poll(() => page.locator('.tree li').count(), SOON).toBe(1);
    await page.getByRole('searchbox').fill(SANDBOX.name);
    await page.getByText('No entry has').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Open inspector' }).click();
    await page.getByText('poll:1').waitFor();
  });

  it('is as wide as its splitter was moved, and closes by a click on the open view', async () => {
    const page = await harness.open({ viewport: { width: 1440, height: 900 } });
    await page.getByRole('tab', { name: 'World' }).click();
    const splitter = page.getByRole('separator', { name: 'Width of the inspector' });
    const width = () => splitter.getAttribute('aria-valuenow');
    expect(await width()).toBe('480');
    await splitter.press('ArrowLeft');
    expect(await width()).toBe('496');
    const { x = 0, y = 0 } = (await splitter.boundingBox()) ?? {};
    await page.mouse.move(x + 4, y + 40);
    await page.mouse.down();
    await page.mouse.move(x - 96, y + 40);
    await page.mouse.up();
    expect(Number(await width())).toBeCloseTo(596, -1);
    const moved = await width();
    await page.reload();
    await page.getByRole('button', { name: 'Open inspector' }).click();
    expect(await width()).toBe(moved);
    await splitter.dblclick();
    expect(await width()).toBe('480');
    await page.getByRole('tab', { name: 'World' }).click();
    expect(await page.getByRole('complementary', { name: 'Inspector' }).count()).toBe(0);
  });

  it('changes, adds and deletes entries of the storage, but none of the framework', async () => {
    const asked: SimBotQuestion[] = [];
    const key = `server:${SANDBOX.id}:zone`;
    const fixed = { value: '"x"', length: 3, expiresInMs: null };
    const zone = { key, value: `"${GENERAL.id}"`, length: 38, expiresInMs: 60_000 };
    harness.sim.onQuestion((question) => {
      if (question.type === 'storage')
        return { entries: [zone, { ...fixed, key: 'tasks:run:x' }], hasMore: false };
      if (question.type !== 'handlers') asked.push(question);
      return true;
    });
    const page = await harness.open({ viewport: { width: 1440, height: 900 } });
    await page.getByRole('button', { name: 'Open inspector' }).click();
    await page.getByRole('tab', { name: 'Storage' }).click();
    await page.getByText(SANDBOX.name, { exact: true }).last().waitFor();
    await page.getByRole('button', { name: 'zone "#general" expires in 1 min' }).click();
    await page.getByRole('switch', { name: 'Show ids' }).check();
    await page.getByRole('button', { name: `zone "${GENERAL.id}"` }).waitFor();
    const value = page.getByLabel('Value as JSON');
    await value.fill('"Europe/Berlin"');
    await value.press('Control+s');
    await page.getByRole('button', { name: 'Delete key…' }).click();
    await page.getByRole('button', { name: 'Really delete key' }).click();
    await page.getByRole('button', { name: 'Add key' }).click();
    await page.getByRole('textbox', { name: 'key' }).fill('motd');
    await value.fill('[1]');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(() => asked, SOON)
      .toEqual([
        { type: 'set-entry', key, value: 'Europe/Berlin' },
        { type: 'set-entry', key },
        { type: 'set-entry', key: 'motd', value: [1] },
      ]);
    await page.getByText('Framework').click();
    await page.getByRole('button', { name: 'tasks:run:x' }).click();
    await page.getByRole('region', { name: 'Value' }).getByText('"x"').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
  });

  it('explains that nothing answers', async () => {
    const page = await harness.open({ allowedErrors: /status of 501/ });
    await page.getByRole('button', { name: 'Open inspector' }).click();
    await page.getByRole('tab', { name: 'Tasks' }).click();
    await expect
      .poll(() => page.getByRole('alert').allInnerTexts(), SOON)
      .toContainEqual(expect.stringContaining('Only `virgule dev` shows them.'));
  });
});
