import { describe, expect, it } from 'vitest';
import type { SimCommand } from '@virgule/core/simulator-api';
import { SOON, setUpBrowser } from './browser-harness.js';
import { BOT, COMMANDS, CROP, DJ, EMOJIS, GRACE, LINUS, id, message } from './sample-world.js';

const GREET: SimCommand = {
  botUserId: BOT.botUserId,
  id: id(56),
  name: 'greet',
  description: 'Greet a role',
  options: [{ name: 'who', type: 'role', required: true, description: 'Whom' }],
  createdAt: '',
};

describe('pickers', () => {
  const harness = setUpBrowser();

  it('find a choice of an option by typing', async () => {
    harness.sim.setSnapshot({ commands: [...COMMANDS, CROP] });
    const page = await harness.open();
    await page.locator('#composer').pressSequentially('/crop a.png ');
    const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
    await expect.poll(() => options.allInnerTexts(), SOON).toEqual(['png\ndefault', 'svg', 'webp']);
    await page.keyboard.type('we');
    await expect.poll(() => options.allInnerTexts(), SOON).toEqual(['webp']);
    await page.keyboard.press('Enter');
    expect(await page.locator('#composer').inputValue()).toBe('/crop a.png webp ');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => harness.sim.requests[0]?.body['rawInput'], SOON)
      .toBe('/crop a.png webp');
  });

  it('insert a role, which is sent as its mention and shown by its name', async () => {
    harness.sim.setSnapshot({ commands: [...COMMANDS, GREET] });
    harness.sim.onCommand((run) => harness.sim.answer(run, `Hello, <@&${DJ.id}>!`));
    const page = await harness.open({ path: `/?as=${LINUS.username}` });
    await page.locator('#composer').pressSequentially('/greet d');
    await page.getByRole('option', { name: '@dj role, 2 members' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const row = page.locator('.row', { hasText: 'Hello, @dj!' });
    await row.getByText('Linus used /greet @dj').waitFor();
    expect(harness.sim.requests[0]?.body['rawInput']).toBe(`/greet <@&${DJ.id}>`);
    // Linus has the role.
    expect(await row.getAttribute('class')).toContain('row-mention');
  });

  it('react with a custom emoji that was searched by keyboard', async () => {
    const page = await harness.open();
    harness.sim.push({ type: 'message', message: message(GRACE, 'Well done') });
    const row = page.locator('.row', { hasText: 'Well done' });
    await row.focus();
    await row.getByRole('button', { name: 'React' }).press('Enter');
    const menu = page.getByRole('dialog', { name: 'React with' });
    await menu.waitFor();
    await page.keyboard.type('wav');
    expect(await menu.getByRole('combobox').inputValue()).toBe('wav');
    await expect.poll(() => menu.getByRole('option').count(), SOON).toBe(2);
    await page.keyboard.press('Enter');
    const pill = row.getByRole('button', { name: ':wave:, 1 reaction' });
    await pill.waitFor();
    await expect
      .poll(() => pill.locator('img').evaluate((it: HTMLImageElement) => it.naturalWidth), SOON)
      .toBeGreaterThan(0);
    expect(harness.sim.requests[0]?.body).toMatchObject({
      emoji: EMOJIS.find(({ name }) => name === 'wave')?.id,
    });
    expect(await menu.count()).toBe(0);
    expect(await row.evaluate((it) => it === document.activeElement)).toBe(true);
  });

  it('of emoji stay inside the window', async () => {
    const page = await harness.open({ viewport: { width: 390, height: 500 } });
    for (const row of [page.locator('.row').first(), page.locator('.row').last()]) {
      await row.focus();
      await row.getByRole('button', { name: 'React' }).press('Enter');
      const menu = page.getByRole('dialog', { name: 'React with' });
      const box = await menu.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect(box?.y).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(500);
      await page.keyboard.press('Escape');
      await menu.waitFor({ state: 'detached' });
    }
  });
});
