import { describe, expect, it } from 'vitest';
import { SOON, setUpBrowser } from './browser-harness.js';
import { GENERAL, GRACE, id, interaction } from './sample-world.js';

describe('a message', () => {
  const harness = setUpBrowser();

  it('is in a channel whose id is copied from its header', async () => {
    const page = await harness.open({ permissions: ['clipboard-read', 'clipboard-write'] });
    const button = page.getByRole('button', { name: /of the channel$/ });
    await button.click();
    await button.getByText('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(GENERAL.id);
  });

  it('says so when nothing can be copied', async () => {
    const page = await harness.open();
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
    });
    const button = page.getByRole('button', { name: /of the channel$/ });
    await button.click();
    await expect.poll(() => button.innerText(), SOON).toMatch(/^Cannot copy/);
  });

  it('that answers a command shows its line with names', async () => {
    const page = await harness.open();
    const url = `http://127.0.0.1:7300/_files/uploads/${id(7)}/my%20cat.png`;
    const run = interaction({ rawInput: `/crop ${url} for <@${GRACE.id}>` });
    harness.sim.push({ type: 'interaction', interaction: run });
    harness.sim.answer(run, 'done');
    const code = page.locator('.row', { hasText: 'done' }).locator('.row-above code');
    await expect.poll(() => code.innerText(), SOON).toBe('/crop my cat.png for @Grace');
    expect(await code.getAttribute('title')).toBe(run.rawInput);
  });
});
