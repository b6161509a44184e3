import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { SOON, setUpBrowser, type OpenOptions } from './browser-harness.js';
import { EMPTY, GENERAL, GRACE, LINUS, SANDBOX, interaction } from './sample-world.js';

const harness = setUpBrowser();

async function open(tab: 'World' | 'Events', options: OpenOptions = {}): Promise<Page> {
  const page = await harness.open({ viewport: { width: 1440, height: 900 }, ...options });
  await page.getByRole('button', { name: 'Open inspector' }).click();
  await page.getByRole('tab', { name: tab }).click();
  return page;
}

const changes = () =>
  harness.sim.requests.map(({ path, body }) => [path.slice('/_sim/'.length), body]);

describe('the clock of the inspector', () => {
  it('is paused and skipped, and shown in the status bar', async () => {
    const page = await open('World');
    const status = page.getByRole('contentinfo');
    await page.getByRole('button', { name: '1 min', exact: true }).click();
    await status.getByText('clock +1 min').waitFor();
    await page.getByRole('button', { name: 'Pause clock' }).click();
    await status.getByText('clock paused').waitFor();
    await page.getByRole('button', { name: 'Resume clock' }).click();
    await page.getByRole('button', { name: 'Pause clock' }).waitFor();
    await page.getByText('Answer of /roll expires in').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Task digest' }).getByRole('button').click();
    const skipped = { action: 'skip', time: expect.stringMatching(/^\d+ms$/) };
    await expect.poll(changes, SOON).toEqual([
      ['clock', { action: 'skip', time: '1m' }],
      ['clock', { action: 'pause' }],
      ['clock', { action: 'resume' }],
      ['clock', skipped],
    ]);
  });

  it('decides what a countdown shows', async () => {
    const page = await harness.open();
    const expiresAt = new Date(Date.now() + 600_000).toISOString();
    const run = interaction({ state: 'deferred', expiresAt });
    harness.sim.push({ type: 'interaction', interaction: run });
    await page.getByText(/expires in (?:10 min|9 min 5\d s)/).waitFor();
    harness.sim.push({ type: 'clock', clock: { offsetMs: 300_000, pausedAtMs: null } });
    await page.getByText(/expires in (?:5 min|4 min 5\d s)/).waitFor();
    harness.sim.push({ type: 'clock', clock: { offsetMs: 0, pausedAtMs: Date.now() + 540_000 } });
    await expect
      .poll(() => page.getByText(/expires in (?:1 min|5\d s)/).count(), SOON)
      .toBeGreaterThan(0);
  });
});

describe('the snapshots of the inspector', () => {
  it('are saved, restored and deleted by name; the world is reset', async () => {
    const page = await open('World');
    await page.getByRole('textbox', { name: 'Name of a snapshot' }).fill('before');
    await page.getByRole('button', { name: 'Save: Name of a snapshot' }).click();
    const saved = page.getByRole('list', { name: 'Saved snapshots' });
    await saved.getByRole('button', { name: 'Load… (before)' }).click();
    // The first click asks for confirmation.
    await saved.getByRole('button', { name: 'Really load (before)' }).click();
    await saved.getByRole('button', { name: 'Delete (before)' }).click();
    await saved.getByRole('button', { name: 'Really delete (before)' }).click();
    await expect.poll(() => saved.getByRole('listitem').count(), SOON).toBe(0);
    await page.getByRole('button', { name: 'Reset…' }).click();
    await page.getByRole('button', { name: 'Really reset' }).click();
    await page.getByText('Reset the world in 10 s.').waitFor();
    await page.getByRole('button', { name: 'Do it now' }).click();
    await expect.poll(changes, SOON).toEqual([
      ['snapshot', { action: 'save', name: 'before' }],
      ['snapshot', { action: 'restore', name: 'before' }],
      ['snapshot', { action: 'delete', name: 'before' }],
      ['reset', {}],
    ]);
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  });
});

describe('the world of the inspector', () => {
  it('loses a channel after a second click and 10 seconds, unless the user undoes it', async () => {
    const page = await harness.open({ viewport: { width: 1440, height: 900 } });
    await page.clock.install();
    await page.getByRole('button', { name: 'Open inspector' }).click();
    await page.getByRole('tab', { name: 'World' }).click();
    await page.getByRole('button', { name: 'Delete (empty)' }).click();
    expect(await page.getByText('Delete empty in 10 s.').count()).toBe(0);
    await page.getByRole('button', { name: 'Really delete (empty)' }).click();
    // A second tab acts in the meantime.
    const other = await harness.openTab(page, '/');
    await other.locator('#composer').fill('from the other tab');
    await other.keyboard.press('Enter');
    await page.getByText('from the other tab').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.clock.fastForward(11_000);
    expect(changes().map(([name]) => name)).toEqual(['say']);
    await page.getByRole('button', { name: 'Delete (empty)' }).click();
    await page.getByRole('button', { name: 'Really delete (empty)' }).click();
    await page.getByText('Delete empty in 10 s.').waitFor();
    await page.clock.fastForward(11_000);
    const channels = page.getByRole('navigation', { name: 'Channels' });
    await expect.poll(() => channels.getByText('empty').count(), SOON).toBe(0);
    expect(changes().at(-1)).toEqual(['channel', { id: EMPTY.id, remove: true }]);
    await page.getByText('from the other tab').waitFor();
  });

  it('loses a server whose name was typed', async () => {
    const page = await open('World');
    const name = page.getByRole('textbox', { name: 'Name of the server' });
    await name.fill('Sand');
    await page.keyboard.press('Enter');
    expect(changes()).toEqual([]);
    await name.fill(SANDBOX.name);
    await page.keyboard.press('Enter');
    const removed = { id: SANDBOX.id, remove: true };
    await page.getByRole('button', { name: 'Do it now' }).click();
    await expect.poll(() => changes().at(-1), SOON).toEqual(['server', removed]);
  });

  it('does not make the page itself scroll', async () => {
    const page = await open('World');
    await page.getByRole('searchbox', { name: 'Find a user' }).focus();
    const root = page.locator('html');
    expect(await root.evaluate((e) => e.scrollHeight - e.clientHeight)).toBe(0);
  });
});

describe('the events of the inspector', () => {
  it('have fields for the parts of their payload', async () => {
    const page = await open('Events');
    const event = page.getByRole('combobox', { name: 'Event' });
    await page.getByLabel('user').selectOption('Grace');
    await page.getByLabel('content').fill('Hi');
    await page.getByRole('button', { name: 'Send to the bot' }).click();
    await page.getByRole('status').getByText('Sent MESSAGE_CREATE.').waitFor();
    await event.selectOption('MESSAGE_REACTION_ADD');
    await page.getByLabel('user').selectOption('Linus');
    await page.getByLabel('emoji').fill('⭐');
    await page.getByRole('button', { name: 'Send to the bot' }).click();
    await page.getByRole('status').getByText('Sent MESSAGE_REACTION_ADD.').waitFor();
    const author = { authorId: GRACE.id, authorUsername: 'grace', authorDisplayName: 'Grace' };
    const star = { kind: 'unicode', unicodeEmoji: '⭐' };
    expect(changes()).toMatchObject([
      ['event', { event: 'MESSAGE_CREATE', payload: { ...author, content: 'Hi' } }],
      ['event', { event: 'MESSAGE_REACTION_ADD', payload: { userId: LINUS.id, emoji: star } }],
    ]);
  });

  it('are filled in with what the page shows, and sent to the bot', async () => {
    const page = await open('Events', { allowedErrors: /status of 400/ });
    const payload = page.getByLabel('Payload as JSON');
    const event = page.getByRole('combobox', { name: 'Event' });
    await event.selectOption('MESSAGE_DELETE');
    await page.getByRole('button', { name: 'Edit as JSON' }).click();
    const sample = JSON.parse(await payload.inputValue()) as Record<string, unknown>;
    expect(sample).toMatchObject({ serverId: SANDBOX.id, channelId: GENERAL.id });
    await page.getByRole('button', { name: 'Send to the bot' }).click();
    await page.getByRole('status').getByText('Sent MESSAGE_DELETE.').waitFor();
    // An event that the platform does not have, with any payload.
    await event.selectOption('Another name');
    await page.getByRole('textbox', { name: 'Name' }).fill('CHANNEL_RENAMED');
    await payload.fill('{ "odd": [1] }');
    await page.getByRole('button', { name: 'Send to the bot' }).click();
    await page.getByRole('status').getByText('Sent CHANNEL_RENAMED.').waitFor();
    expect(changes()).toEqual([
      ['event', { event: 'MESSAGE_DELETE', payload: sample }],
      ['event', { event: 'CHANNEL_RENAMED', payload: { odd: [1] } }],
    ]);
    await payload.fill('{');
    await page.getByRole('button', { name: 'Send to the bot' }).click();
    await page.getByText('The payload is not JSON.').waitFor();
  });
});
