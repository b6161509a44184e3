import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { SOON, setUpBrowser, type OpenOptions } from './browser-harness.js';
import { ADA, BOT, GENERAL, GRACE, SANDBOX } from './sample-world.js';

describe('the world of the inspector', () => {
  const harness = setUpBrowser();

  async function open(options: OpenOptions = {}): Promise<Page> {
    const page = await harness.open({ viewport: { width: 1440, height: 900 }, ...options });
    await page.getByRole('button', { name: 'Open inspector' }).click();
    await page.getByRole('tab', { name: 'World' }).click();
    return page;
  }
  const changes = () =>
    harness.sim.requests.map(({ path, body }) => [path.slice('/_sim/'.length), body]);

  it('hides a channel from the bot, and takes its permissions', async () => {
    const page = await open();
    const sees = page.getByRole('checkbox', { name: 'Bot sees it (general)' });
    await sees.click();
    await page.getByText('hidden from the bot').first().waitFor();
    await page.getByRole('checkbox', { name: 'Manage messages (general)' }).click();
    await expect.poll(changes, SOON).toEqual([
      ['channel', { id: GENERAL.id, visibleToBot: false }],
      ['channel', { id: GENERAL.id, botPermissions: ['ManageReactions'] }],
    ]);
    // Changes the check by keyboard.
    await sees.focus();
    await page.keyboard.press('Space');
    await expect.poll(() => sees.isChecked(), SOON).toBe(true);
  });

  it('removes the bot from the server, and installs it again', async () => {
    const page = await open();
    const installed = page.getByRole('checkbox', { name: 'Installed (demo-bot)' });
    await installed.click();
    await page.locator('#composer').fill('/roll');
    await page.getByText('Demo Bot is not installed in Sandbox.').waitFor();
    await installed.click();
    await expect.poll(changes, SOON).toEqual([
      ['server', { id: SANDBOX.id, botIds: [] }],
      ['server', { id: SANDBOX.id, botIds: [BOT.botUserId] }],
    ]);
  });

  it('adds channels, users, roles and servers, and shows them', async () => {
    const page = await open();
    await page.getByRole('textbox', { name: 'Name of a channel' }).fill('new');
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Channels' }).getByText('new').waitFor();
    expect(await page.getByRole('textbox', { name: 'Name of a channel' }).inputValue()).toBe('');
    await page.getByRole('textbox', { name: 'Username' }).fill(' hedy ');
    await page.getByRole('button', { name: 'Add: Username' }).click();
    await page.getByRole('textbox', { name: 'Name of a role' }).fill('helper');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Name of another server' }).fill('Another');
    await page.keyboard.press('Enter');
    await expect.poll(changes, SOON).toEqual([
      ['channel', { serverId: SANDBOX.id, name: 'new', kind: 'text' }],
      ['user', { username: 'hedy', serverIds: [SANDBOX.id] }],
      ['role', { serverId: SANDBOX.id, name: 'helper' }],
      ['server', { name: 'Another' }],
    ]);
    await page.getByRole('navigation', { name: 'Servers' }).getByRole('button').nth(3).waitFor();
    await page.getByRole('checkbox', { name: 'helper (role of grace)' }).click();
    await expect
      .poll(() => changes().at(-1), SOON)
      .toEqual(['role', { id: 'new-roles', memberIds: [GRACE.id] }]);
  });

  it('finds a user, and ends a membership', async () => {
    const page = await open();
    await page.getByRole('searchbox', { name: 'Find a user' }).fill('GRA');
    const users = page.getByRole('region', { name: 'Users' }).getByRole('listitem');
    await expect.poll(() => users.count(), SOON).toBe(1);
    await page.getByRole('checkbox', { name: 'Member (grace)' }).click();
    await expect.poll(() => harness.sim.requests.length, SOON).toBe(1);
    const { memberIds } = harness.sim.requests[0]?.body ?? {};
    expect(memberIds).toContain(ADA.id);
    expect(memberIds).not.toContain(GRACE.id);
  });

  it('shows why a change was refused, and what is still so', async () => {
    const page = await open({ allowedErrors: /status of 400/ });
    harness.sim.refuseNext(400, { code: 'bot_validation_error', message: 'Not this one.' });
    const sees = page.getByRole('checkbox', { name: 'Bot sees it (general)' });
    await sees.click();
    await page.getByRole('alert').getByText('Not this one.').waitFor();
    expect(await sees.isChecked()).toBe(true);
  });
});
