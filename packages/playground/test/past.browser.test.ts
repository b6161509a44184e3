import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { SOON, setUpBrowser, type OpenOptions } from './browser-harness.js';
import { FIRST_MOMENT } from './fake-simulator.js';
import { ADA, GENERAL, message, snapshot } from './sample-world.js';
import { traceRow } from './trace-rows.js';

describe('the past', () => {
  const harness = setUpBrowser();

  /** Opens the page after three messages, each of which is a moment. */
  async function open(options: OpenOptions = {}): Promise<Page> {
    const page = await harness.open({ viewport: { width: 1440, height: 900 }, ...options });
    for (const word of ['one', 'two', 'three']) {
      harness.sim.push({ type: 'message', message: message(ADA, `moment ${word}`) });
      harness.sim.keepMoment();
    }
    await last(page).getByText('moment three').waitFor();
    return page;
  }
  const last = (page: Page) => page.locator('.row').last();
  const composer = (page: Page) => page.locator('textarea#composer');
  const range = (page: Page) => page.getByRole('slider', { name: 'Moment' });
  async function look(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Open inspector' }).click();
    await page.getByRole('tab', { name: 'World' }).click();
    await page.getByRole('button', { name: 'View history' }).click();
    await range(page).waitFor();
  }

  it('shows the world after each change, by keyboard, and the present again', async () => {
    const page = await open();
    await composer(page).fill('a draft');
    await look(page);
    // The slider has the focus.
    await page.keyboard.press('ArrowLeft');
    await last(page).getByText('moment two').waitFor();
    await page.keyboard.press('Home');
    await last(page).getByText('moment one').waitFor();
    expect(await range(page).getAttribute('aria-valuetext')).toMatch(/:21:07, change 0 of 2$/);
    await range(page).press('ArrowRight');
    await last(page).getByText('moment two').waitFor();
    // New events are shown afterwards.
    harness.sim.push({ type: 'message', message: message(ADA, 'moment four') });
    await range(page).press('ArrowLeft');
    await last(page).getByText('moment one').waitFor();
    await range(page).press('Escape');
    await last(page).getByText('moment four').waitFor();
    expect(await composer(page).inputValue()).toBe('a draft');
    expect(await range(page).count()).toBe(0);
  });

  it('changes nothing', async () => {
    const page = await open();
    await look(page);
    expect(await composer(page).count()).toBe(0);
    const installed = page.getByRole('checkbox', { name: 'Installed (demo-bot)' });
    expect(await installed.isDisabled()).toBe(true);
    await last(page).hover();
    expect(await page.getByRole('button', { name: 'Reply' }).count()).toBe(0);
    expect(await page.getByRole('combobox', { name: 'Act as' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Back to now' }).click();
    await composer(page).waitFor();
    expect(harness.sim.requests).toEqual([]);
  });

  it('opens at a row of the trace, next to it or in its place', async () => {
    harness.sim.trace([traceRow({ moment: FIRST_MOMENT + 1, what: 'GET /here' })], []);
    const page = await open();
    await page.getByRole('tab', { name: 'Trace' }).click();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 800 });
      await page.getByText('GET /here').first().click();
      await page.getByRole('button', { name: 'View this moment' }).click();
      await last(page).getByText('moment two').waitFor();
      await expect.poll(() => page.locator('#inspector').count(), SOON).toBe(width > 1_000 ? 1 : 0);
      const isFocused = () => range(page).evaluate((slider) => slider === document.activeElement);
      await expect.poll(isFocused, SOON).toBe(true);
      const isWide = await page
        .getByRole('region', { name: 'The past' })
        .evaluate((bar) => bar.scrollWidth > bar.clientWidth);
      expect(isWide).toBe(false);
      await page.getByRole('button', { name: 'Back to now' }).click();
      await last(page).getByText('moment three').waitFor();
    }
  });

  it('says why a moment cannot be shown', async () => {
    const page = await open({ allowedErrors: /status of 404/ });
    harness.sim.trace([traceRow({ moment: FIRST_MOMENT - 1, what: 'GET /old' })], []);
    await page.getByRole('tab', { name: 'Trace' }).click();
    await page.getByText('GET /old').first().click();
    await page.getByRole('button', { name: 'View this moment' }).click();
    await page.getByRole('alert').getByText('That moment is not kept.').waitFor();
    expect([await composer(page).count(), await range(page).count()]).toEqual([1, 0]);
  });

  it('ends when the world is replaced', async () => {
    const page = await open();
    await look(page);
    harness.sim.setMessages(GENERAL.id, [message(ADA, 'a new world')]);
    harness.sim.push({ type: 'snapshot', snapshot: snapshot() });
    await last(page).getByText('a new world').waitFor();
    expect([await composer(page).count(), await range(page).count()]).toEqual([1, 0]);
  });
});
