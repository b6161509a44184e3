import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import type { SimInteraction } from '@virgule/core/simulator-api';
import { SOON, setUpBrowser } from './browser-harness.js';
import { BOT, GENERAL, GRACE, ADA, interaction, message } from './sample-world.js';

/** Returns the label of the element that `aria-activedescendant` names. */
function activeOption(page: Page): Promise<string | null> {
  return page.evaluate(() => {
    const active = document.activeElement?.getAttribute('aria-activedescendant') ?? null;
    const option = active === null ? null : document.getElementById(active);
    return option?.getAttribute('aria-selected') === 'true' ? option.innerText : null;
  });
}

const text = { type: 'string', required: false } as const;

describe('slash commands', () => {
  const harness = setUpBrowser();

  it('run by keyboard alone', async () => {
    harness.sim.onCommand((run) => harness.sim.answer(run, 'You rolled **17**'));
    const page = await harness.open();
    await page.locator('#composer').focus();
    await page.keyboard.type('/');
    await page.getByRole('listbox', { name: 'Suggestions' }).waitFor();
    expect(await activeOption(page)).toContain('/ban');
    await page.keyboard.type('ro');
    await expect.poll(() => activeOption(page), SOON).toContain('/roll');
    await page.keyboard.press('Tab');
    expect(await page.locator('#composer').inputValue()).toBe('/roll ');
    expect(await page.locator('.signature-current').innerText()).toBe('sides?');
    await page.keyboard.type('20 ');
    expect(await page.locator('.signature-current').innerText()).toBe('count?');
    expect(await page.locator('.signature-raw code').innerText()).toBe('/roll 20');
    await page.keyboard.press('Enter');
    const answer = page.locator('.row', { hasText: 'You rolled 17' });
    await answer.waitFor();
    expect(await answer.innerText()).toContain('Ada used /roll 20');
    expect(harness.sim.requests).toMatchObject([
      {
        path: `/api/channels/${GENERAL.id}/interactions/commands`,
        authorization: `Bearer ${ADA.token}`,
        body: { commandId: expect.any(String), rawInput: '/roll 20' },
      },
    ]);
  });

  it('show the option that takes the next word, and named ones by their name', async () => {
    const page = await harness.open();
    const { botUserId } = BOT;
    const options = [
      { ...text, name: 'repeat', description: 'How often (daily|weekly)' },
      { ...text, name: 'text', description: 'Of what' },
      { ...text, name: 'room', description: 'Where (--room)' },
    ];
    const about = { name: 'remind', description: 'Remind', options, createdAt: '' };
    harness.sim.push({ type: 'commands', commands: [{ id: 'remind', botUserId, ...about }] });
    const composer = page.locator('#composer');
    const current = page.locator('.signature-current');
    await composer.pressSequentially('/remind ');
    await expect.poll(() => current.innerText(), SOON).toBe('repeat?');
    expect(await page.locator('.signature').innerText()).toContain('--room <value>');
    await composer.pressSequentially('water');
    await expect.poll(() => current.innerText(), SOON).toBe('text?');
    await composer.fill('/remind --room "east wing" weekly water plants');
    await expect.poll(() => current.innerText(), SOON).toBe('text?');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => harness.sim.requests[0]?.body['rawInput'], SOON)
      .toBe('/remind --room "east wing" weekly water plants');
  });

  it('are refused without a required option, and sent anyway on demand', async () => {
    const page = await harness.open();
    await page.locator('#composer').pressSequentially('/play ');
    await page.keyboard.press('Enter');
    await page.getByText('url is required', { exact: true }).first().waitFor();
    expect(await page.locator('#composer').getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('.signature-refused').innerText()).toBe('url');
    expect(harness.sim.requests).toEqual([]);
    await page.keyboard.press('Control+Shift+Enter');
    await expect.poll(() => harness.sim.requests[0]?.body['rawInput'], SOON).toBe('/play');
  });

  it('send exactly what the preview shows', async () => {
    const page = await harness.open();
    await page.locator('#composer').pressSequentially('/ban gr');
    await expect.poll(() => activeOption(page), SOON).toContain('@grace');
    await page.keyboard.press('Enter');
    expect(await page.locator('#composer').inputValue()).toBe('/ban @grace ');
    await page.keyboard.type('for "being late"');
    const preview = await page.locator('.signature-raw code').innerText();
    expect(preview).toBe(`/ban <@${GRACE.id}> for "being late"`);
    await page.keyboard.press('Enter');
    await expect.poll(() => harness.sim.requests[0]?.body['rawInput'], SOON).toBe(preview);
  });

  it('can be clicked', async () => {
    const page = await harness.open();
    await page.locator('#composer').pressSequentially('/');
    await page.getByRole('option', { name: /\/hello/ }).click();
    expect(await page.locator('#composer').inputValue()).toBe('/hello ');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => harness.sim.requests[0]?.body['rawInput'], SOON).toBe('/hello');
  });

  it('close their menu with Escape, and come back with ArrowUp', async () => {
    const page = await harness.open();
    await page.locator('#composer').pressSequentially('/hello');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    expect(await page.locator('#composer').inputValue()).toBe('/hello');
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    await page.getByRole('listbox').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('composer');
  });

  it('that do not exist are said so, and can be sent as text', async () => {
    const page = await harness.open();
    await page.locator('#composer').pressSequentially('/helo there');
    await page.getByText('No command is named /helo.').waitFor();
    expect(await activeOption(page)).toContain('Did you mean /hello');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('.row', { hasText: '/helo there' }).waitFor();
    expect(harness.sim.requests[0]?.path).toBe('/_sim/say');
  });

  it('follow the bot when it changes them', async () => {
    const page = await harness.open();
    await page.locator('#composer').pressSequentially('/sk');
    await page.getByText('No command is named /sk.').waitFor();
    const { botUserId } = BOT;
    const about = { name: 'skip', description: 'Next', options: [], createdAt: '' };
    const skip = { id: 'skip', botUserId, ...about };
    harness.sim.push({ type: 'commands', commands: [skip] });
    await page.getByRole('option', { name: /\/skip/ }).waitFor();
    expect(await page.getByText('No command is named').count()).toBe(0);
  });

  it('wait, think, and become the answer in place', async () => {
    let run: SimInteraction | null = null;
    harness.sim.onCommand((started) => {
      run = started;
    });
    const page = await harness.open();
    await page.locator('#composer').fill('/slow');
    await page.keyboard.press('Enter');
    const row = page.locator('.row', { hasText: 'Ada used /slow' });
    await row.getByText('waiting for the bot').waitFor();
    const started: SimInteraction = run ?? interaction();
    const deferred: SimInteraction = {
      ...started,
      state: 'deferred',
      wasDeferred: true,
      expiresAt: new Date(Date.now() + 881_000).toISOString(),
    };
    harness.sim.push({ type: 'interaction', interaction: deferred });
    await row.getByText('Demo Bot is thinking').waitFor();
    expect(await row.getAttribute('aria-busy')).toBe('true');
    await expect.poll(() => row.innerText(), SOON).toMatch(/expires in 14 min (4[01]|3\d) s/);
    const before = await row.innerText();
    // The countdown continues by itself.
    await expect.poll(() => row.innerText(), SOON).not.toBe(before);

    harness.sim.push({ type: 'message', message: message(GRACE, 'something in between') });
    await page.locator('.row', { hasText: 'something in between' }).waitFor();
    await row.focus();
    harness.sim.answer(deferred, 'At last');
    await row.getByText('At last').waitFor();
    expect(await row.getAttribute('aria-busy')).toBeNull();
    // The row is still above later messages, and still focused.
    expect(await page.locator('.row').last().innerText()).toContain('something in between');
    expect(await row.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('that are too late or only acknowledged say so', async () => {
    const page = await harness.open();
    const run = interaction({ rawInput: '/roll 1' });
    harness.sim.push({ type: 'interaction', interaction: { ...run, state: 'expired' } });
    const row = page.locator('.row', { hasText: 'Ada used /roll 1' });
    await row.getByText('Demo Bot did not respond in time.').waitFor();
    expect(await row.innerText()).toContain('No first answer within 3 s.');
    harness.sim.push({
      type: 'interaction',
      interaction: interaction({ rawInput: '/slow', state: 'expired', wasDeferred: true }),
    });
    await page.getByText('Deferred, then no answer within 15 min.').waitFor();
    harness.sim.push({
      type: 'interaction',
      interaction: interaction({ rawInput: '/quiet', state: 'acknowledged' }),
    });
    await page.getByText('acknowledged, no response', { exact: true }).waitFor();
  });

  it('announce their outcome through the one live region', async () => {
    const page = await harness.open();
    const news = page.getByRole('status', { name: 'News' });
    harness.sim.onCommand((run) => harness.sim.answer(run, 'Hello, **Ada**!'));
    await page.locator('#composer').fill('/hello');
    await page.keyboard.press('Enter');
    await expect.poll(() => news.innerText(), SOON).toBe('Demo Bot: Hello, Ada!');
    expect(await page.getByRole('log').getAttribute('aria-live')).toBe('off');
  });

  it('say when no bot is there to answer them', async () => {
    const page = await harness.open();
    harness.sim.push({ type: 'bot', bot: { ...BOT, connected: false } });
    await page.getByText('bot not connected').waitFor();
    const run = interaction({ state: 'expired' });
    harness.sim.push({ type: 'interaction', interaction: run });
    await page.getByText(/The bot is not connected\./).waitFor();
    expect(await page.getByText('Demo Bot ready').count()).toBe(0);
  });
});
