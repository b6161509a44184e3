import { describe, expect, it } from 'vitest';
import { SOON, setUpBrowser } from './browser-harness.js';
import { EMPTY, GRACE } from './sample-world.js';

describe('the second view', () => {
  const harness = setUpBrowser();
  const open = () => harness.open({ viewport: { width: 1600, height: 900 }, path: '/?as=ada' });

  it('is another user in another channel, by keyboard alone', async () => {
    const page = await open();
    const button = page.getByRole('button', { name: 'Open second view' });
    await button.focus();
    await page.keyboard.press('Enter');
    const second = page.frameLocator('iframe');
    const actAs = second.getByRole('combobox', { name: 'Act as' });
    await expect.poll(() => actAs.inputValue(), SOON).toBe(GRACE.username);
    expect(await second.getByRole('button', { name: 'Open second view' }).count()).toBe(0);
    // F6 leads through the regions of both.
    const isInSecond = () => page.evaluate(() => document.activeElement?.tagName === 'IFRAME');
    const isInComposer = () =>
      second.locator('#composer').evaluate((element) => element === document.activeElement);
    for (let presses = 0; presses < 8 && !(await isInSecond()); presses += 1)
      await page.keyboard.press('F6');
    expect(await isInSecond()).toBe(true);
    await page.keyboard.type('x');
    await expect.poll(isInComposer, SOON).toBe(true);
    await page.keyboard.press('Backspace');
    await page.keyboard.type('From Grace');
    await page.keyboard.press('Enter');
    const row = { hasText: 'From Grace' };
    await page.locator('.row', row).waitFor();
    await second.locator('.row', row).waitFor();
    expect(harness.sim.requests[0]?.body).toMatchObject({ as: GRACE.id });
    await page.keyboard.press('Alt+ArrowDown');
    await second.getByRole('heading', { name: EMPTY.name, exact: true }).waitFor();
    expect(await page.locator('#channel-name').innerText()).toBe('general');
    for (let presses = 0; presses < 8 && (await isInSecond()); presses += 1)
      await page.keyboard.press('Shift+F6');
    expect(await isInSecond()).toBe(false);
    await page.getByRole('button', { name: 'Close second view' }).click();
    await expect.poll(() => page.locator('iframe').count(), SOON).toBe(0);
  });

  it('is not there where it has no room', async () => {
    const page = await harness.open({ viewport: { width: 390, height: 844 } });
    expect(await page.locator('.second-view-button').isVisible()).toBe(false);
  });
});
