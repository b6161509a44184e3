import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { setUpBrowser } from './browser-harness.js';
import { ADA, interaction } from './sample-world.js';
import { COMMAND_ROWS, RUN } from './trace-rows.js';

/** Maximum number of Tab stops, more than the page has in a row. */
const MAX_STOPS = 80;

/** Returns the label or text of the focused element. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement | null;
    const label = element?.getAttribute('aria-label') ?? element?.closest('label')?.innerText;
    const name = label ?? element?.innerText ?? '';
    return element?.role === 'tab' ? `tab ${name}` : name;
  });

/** Presses a key until an element with this label has the focus. */
async function moveTo(page: Page, label: string, key = 'Tab'): Promise<void> {
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    if ((await focused(page)).startsWith(label)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`"${label}" cannot be reached; the focus is on "${await focused(page)}".`);
}

describe('the keyboard', () => {
  const harness = setUpBrowser();

  it('is enough to run a command, look into it, pin it, break the platform and restore the world', async () => {
    const page = await harness.open({
      viewport: { width: 1440, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const { keyboard } = page;
    harness.sim.onQuestion(() => []);
    harness.sim.onCommand((first) => {
      harness.sim.onCommand((again) => void harness.sim.answer(again, 'Hello again!'));
      harness.sim.trace(
        COMMAND_ROWS.map((row) => ({ ...row, group: first.id })),
        [],
      );
      harness.sim.answer(first, 'Hello!');
    });
    await keyboard.type('/hello');
    await keyboard.press('Control+Shift+Enter');
    // The last row: no message is still being sent.
    await page.locator('.row').last().getByText('Hello!', { exact: true }).waitFor();

    await keyboard.press('Shift+F6');
    await keyboard.press('End');
    await moveTo(page, 'What happened?');
    await keyboard.press('Enter');
    await page.getByRole('button', { name: 'Run again' }).waitFor();
    await keyboard.press('F6');
    await moveTo(page, 'Run again');
    await keyboard.press('Enter');
    await page.getByText('Hello again!', { exact: true }).waitFor();
    await moveTo(page, 'Pin');
    await keyboard.press('Enter');
    await page.getByText('runs again after each save').waitFor();
    await moveTo(page, 'Copy as test');
    await keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copied' }).waitFor();

    const tab = (name: string) => page.getByRole('tab', { name, selected: true });
    await moveTo(page, 'tab Trace');
    await keyboard.press('End');
    await tab('Faults').waitFor();
    await moveTo(page, 'slow API', 'Shift+Tab');
    await keyboard.press('Space');
    await page.getByText('1 fault on').waitFor();
    await moveTo(page, 'tab Faults');
    await keyboard.press('ArrowUp');
    await tab('World').waitFor();
    await moveTo(page, 'Name of a snapshot', 'Shift+Tab');
    await keyboard.type('before');
    await keyboard.press('Enter');
    await page.getByRole('list', { name: 'Saved snapshots' }).waitFor();
    await moveTo(page, 'Load', 'Shift+Tab');
    await keyboard.press('Enter');
    await moveTo(page, 'Really load');
    await keyboard.press('Enter');
    await expect
      .poll(() => harness.sim.requests.at(-1))
      .toMatchObject({ path: '/_sim/snapshot', body: { action: 'restore', name: 'before' } });
    await moveTo(page, 'Close inspector', 'Shift+Tab');
    await keyboard.press('Escape');
    expect(await focused(page)).toBe('Open inspector');
  });

  it('finds actions in a palette, and lists its keys', async () => {
    const page = await harness.open();
    const { keyboard } = page;
    await keyboard.press('Control+k');
    await keyboard.type('#empty');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'This is #empty' }).waitFor();
    await keyboard.press('Control+k');
    await keyboard.type('run /roll');
    await keyboard.press('Enter');
    await expect.poll(() => page.locator('#composer').inputValue()).toBe('/roll ');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('composer');
    await keyboard.press('Control+,');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('act-as');
    await page.getByRole('button', { name: 'Open inspector' }).focus();
    await keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    await keys.getByRole('option', { name: 'Show or hide problems' }).waitFor();
    await keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('Open inspector');
  });

  it('acts on the selected command with single letters, which can be switched off', async () => {
    const page = await harness.open({ viewport: { width: 1440, height: 900 } });
    const { keyboard } = page;
    harness.sim.trace(COMMAND_ROWS, []);
    const run = interaction({ id: RUN, userId: ADA.id, rawInput: '/roll 20' });
    harness.sim.push({ type: 'interaction', interaction: run });
    await page.getByRole('tab', { name: 'Trace' }).click();
    const tree = page.getByRole('tree', { name: 'Trace' });
    await tree.focus();
    await keyboard.press('j');
    await keyboard.press('Enter');
    await keyboard.press('Escape');
    expect(await tree.evaluate((element) => element === document.activeElement)).toBe(true);
    await keyboard.press('p');
    await page.getByRole('button', { name: 'Unpin' }).waitFor();
    await keyboard.press('/');
    await keyboard.type('e');
    expect(await page.getByRole('searchbox', { name: 'Filter' }).inputValue()).toBe('e');
    await tree.focus();
    await keyboard.press('Control+k');
    await keyboard.type('single-letter');
    await keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await keyboard.press('e');
    expect(await page.locator('#composer').inputValue()).toBe('');
  });
});
