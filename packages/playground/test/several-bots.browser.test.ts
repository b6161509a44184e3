import { describe, expect, it } from 'vitest';
import { SOON, setUpBrowser } from './browser-harness.js';
import { BOT, MUSIC, MUSIC_PLAY, SANDBOX, snapshot, withMusic } from './sample-world.js';
import { RUN, traceRow } from './trace-rows.js';

describe('several bots', () => {
  const harness = setUpBrowser();
  const open = () => {
    harness.sim.setSnapshot(withMusic(snapshot()));
    return harness.open({
      viewport: { width: 1440, height: 900 },
      permissions: ['clipboard-read', 'clipboard-write'],
    });
  };

  it('each answer under their own name, also to commands of the same name', async () => {
    harness.sim.onCommand((run) => harness.sim.answer(run, `Answer to ${run.rawInput}`));
    const page = await open();
    await page.getByText('2 of 2 bots ready').waitFor();
    await page.locator('#composer').pressSequentially('/play');
    await page.getByRole('option', { name: '/play@demo-bot' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const answer = page.locator('.row', { hasText: 'Answer to /play@music' });
    await answer.waitFor();
    expect(await answer.locator('.row-author').innerText()).toBe('Music');
    expect(harness.sim.requests[0]?.body).toEqual({
      commandId: MUSIC_PLAY.id,
      rawInput: '/play@music',
    });
  });

  it('are installed one by one, and added with a token', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Open inspector' }).click();
    await page.getByRole('tab', { name: 'World' }).click();
    await page.getByRole('checkbox', { name: 'Installed (demo-bot)' }).click();
    await page.locator('#composer').fill('/play');
    await page.getByRole('option', { name: '/play Play the next one' }).waitFor();
    await page.getByRole('textbox', { name: 'Name of another bot' }).fill('music');
    await page.keyboard.press('Enter');
    await page.getByText('@music, not connected').waitFor();
    await page.getByText('1 of 2 bots ready').waitFor();
    await page.getByRole('button', { name: 'Copy token of music' }).waitFor();
    await page.getByRole('button', { name: 'Copy .env of music' }).click();
    const { host } = new URL(harness.sim.url);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
      new RegExp(`^BOT_TOKEN=\\S+\nBOT_BASE_URL=http://${host}\nBOT_GATEWAY_URL=ws://${host}\n$`),
    );
    expect(harness.sim.requests.map(({ path, body }) => [path, body])).toEqual([
      ['/_sim/server', { id: SANDBOX.id, botIds: [MUSIC.botUserId] }],
      ['/_sim/bot', { username: 'music' }],
    ]);
  });

  it('are installed while a line is typed, which keeps its text and takes no focus', async () => {
    const page = await open();
    await page.locator('#composer').pressSequentially('/play');
    await page.getByRole('option', { name: '/play@demo-bot' }).waitFor();
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Open inspector' }).click();
    await page.getByRole('tab', { name: 'World' }).click();
    const installed = page.getByRole('checkbox', { name: 'Installed (music)' });
    await installed.click();
    await expect.poll(() => installed.isChecked(), SOON).toBe(false);
    expect(await installed.evaluate((box) => box === document.activeElement)).toBe(true);
    expect(await page.locator('#composer').inputValue()).toBe('/play@demo-bot ');
  });

  it('are deleted at the second click, except the first', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Open inspector' }).click();
    await page.getByRole('tab', { name: 'World' }).click();
    const bots = page.getByRole('region', { name: 'Bots' });
    const remove = bots.getByRole('button', { name: /^(Really d|D)elete/ });
    await expect.poll(() => remove.count(), SOON).toBe(1);
    await remove.click();
    expect(harness.sim.requests).toEqual([]);
    await remove.click();
    await expect.poll(() => remove.count(), SOON).toBe(0);
    const { path, body } = harness.sim.requests.at(-1) ?? {};
    expect([path, body]).toEqual(['/_sim/bot', { id: MUSIC.botUserId, remove: true }]);
  });

  it('are named in the trace', async () => {
    const rows = [BOT, MUSIC].map(({ username }, index) =>
      traceRow({ id: index + 1, bot: username, group: RUN, what: `GET /${index}` }),
    );
    const page = await open();
    await page.getByRole('button', { name: 'Open inspector' }).click();
    harness.sim.trace(rows, []);
    const lines = page.getByRole('treeitem');
    await expect.poll(() => lines.count(), SOON).toBe(1);
    await lines.first().click();
    await expect.poll(() => lines.count(), SOON).toBe(3);
    expect(await lines.nth(1).innerText()).toContain('demo-bot');
    expect(await lines.nth(2).innerText()).toContain('music');
    await page.getByRole('searchbox', { name: 'Filter' }).fill('bot:other');
    await page.getByText('Nothing matches').waitFor();
  });
});
