import { describe, expect, it } from 'vitest';
import { SOON, setUpBrowser } from './browser-harness.js';
import {
  ADA,
  BOT_AUTHOR,
  EMPTY,
  GENERAL,
  GRACE,
  HIDDEN,
  HISTORY,
  SANDBOX,
  SECOND,
  WITHOUT_BOT,
  message,
} from './sample-world.js';

const place = (channel: { readonly id: string }, as = 'ada') =>
  `/s/${SANDBOX.id}/c/${channel.id}?as=${as}`;

describe('the chat page', () => {
  const harness = setUpBrowser();

  it('shows servers, channels and messages', async () => {
    const page = await harness.open();
    expect(new URL(page.url()).pathname).toBe(`/s/${SANDBOX.id}/c/${GENERAL.id}`);
    expect(await page.title()).toBe('#general, Sandbox - Playground');
    expect(
      await page.getByRole('navigation', { name: 'Servers' }).getByRole('button').count(),
    ).toBe(3);
    const channels = page.getByRole('navigation', { name: 'Channels' });
    expect(await channels.getByRole('button', { name: 'general', exact: true }).count()).toBe(1);
    expect(await channels.getByRole('button', { name: /hidden from the bot/ }).count()).toBe(1);
    expect(await page.locator('.channel-header').innerText()).toContain(GENERAL.topic);
    const log = page.getByRole('log', { name: 'Messages in #general' });
    const text = await log.innerText();
    for (const part of [
      'Morning! Is Demo Bot up?',
      'Ada used /roll 6 2',
      'You rolled 9 (4 + 5)',
      '(edited)',
      'Message deleted',
      '@Ada the numbers are here:',
      'rolls.csv',
      '1.4 KB',
    ]) {
      expect(text).toContain(part);
    }
    expect(await log.getByText('BOT', { exact: true }).count()).toBe(1);
    // The second message of Ada continues her first one.
    expect(await log.locator('.row:not(.row-start)').count()).toBe(1);
    expect(await page.getByRole('banner').innerText()).toMatch(/Demo Bot\s+ready/);
  });

  it('shows a message at once, and as sent when the simulator has it', async () => {
    const page = await harness.open();
    const field = page.getByRole('textbox', { name: 'Message #general as Ada' });
    let letThrough: () => void = () => {};
    await page.route('**/_sim/say', (route) => {
      letThrough = () => void route.continue();
    });
    await field.fill('Hello @grace, *nice* day');
    await page.keyboard.press('Enter');
    const row = page.locator('.row', { hasText: 'Hello @Grace, nice day' });
    await page.locator('.row-sending', { hasText: 'Hello @Grace, nice day' }).waitFor();
    await row.hover();
    expect(await row.getByRole('button', { name: 'Reply' }).count()).toBe(0);
    letThrough();
    await row.getByRole('button', { name: 'Reply' }).waitFor();
    expect(await row.count()).toBe(1);
    expect(await page.locator('.row-sending').count()).toBe(0);
    expect(await field.inputValue()).toBe('');
    expect(harness.sim.requests).toMatchObject([
      {
        method: 'POST',
        path: '/_sim/say',
        body: {
          channel: GENERAL.id,
          as: ADA.id,
          content: `Hello <@${GRACE.id}>, *nice* day`,
        },
      },
    ]);
  });

  it('writes several lines with Shift+Enter', async () => {
    const page = await harness.open();
    await page.locator('#composer').pressSequentially('one');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('two');
    await page.keyboard.press('Enter');
    await expect.poll(() => harness.sim.requests[0]?.body['content'], SOON).toBe('one\ntwo');
  });

  it('replies, reacts, edits and deletes', async () => {
    const page = await harness.open();
    const row = page.locator('.row-mention');
    await row.hover();
    await row.getByRole('button', { name: 'Reply' }).click();
    await page.keyboard.type('Thanks!');
    await page.keyboard.press('Enter');
    const own = page.locator('.row', { hasText: 'Thanks!' });
    await own.getByRole('button', { name: /the numbers are here/ }).waitFor();

    await row.hover();
    await row.getByRole('button', { name: 'React' }).click();
    await page.getByRole('option', { name: 'Rocket' }).click();
    const pill = row.getByRole('button', { name: '🚀, 1 reaction' });
    await pill.waitFor();
    await expect.poll(() => pill.getAttribute('aria-pressed'), SOON).toBe('true');
    await pill.click();
    await pill.waitFor({ state: 'detached' });

    await own.hover();
    await own.getByRole('button', { name: 'Edit' }).click();
    expect(await page.locator('#composer').inputValue()).toBe('Thanks!');
    await page.keyboard.type(' :)');
    await page.keyboard.press('Enter');
    const edited = page.locator('.row', { hasText: 'Thanks! :)' });
    await edited.getByText('(edited)').waitFor();

    await edited.hover();
    await edited.getByRole('button', { name: 'Delete' }).click();
    await edited.getByRole('button', { name: 'Really delete' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await edited.getByRole('button', { name: 'Really delete' }).count()).toBe(0);
    await edited.getByRole('button', { name: 'Delete' }).press('Enter');
    await edited.getByRole('button', { name: 'Really delete' }).press('Enter');
    await edited.waitFor({ state: 'detached' });
    expect(await page.getByText('Message deleted').count()).toBe(2);
    expect(harness.sim.requests.map(({ path }) => path)).toEqual([
      '/_sim/say',
      '/_sim/react',
      '/_sim/react',
      '/_sim/edit',
      '/_sim/delete',
    ]);
  });

  it('knows which reactions the acting user gave before the page was opened', async () => {
    const page = await harness.open();
    const thumb = page.getByRole('button', { name: '👍, 2 reactions' });
    const party = page.getByRole('button', { name: ':party:, 1 reaction' });
    await thumb.waitFor();
    expect(await thumb.getAttribute('aria-pressed')).toBe('true');
    expect(await party.getAttribute('aria-pressed')).toBe('false');
    await party.click();
    await page.getByRole('button', { name: ':party:, 2 reactions' }).waitFor();
    await thumb.click();
    await page.getByRole('button', { name: '👍, 1 reaction' }).waitFor();
    expect(harness.sim.requests.map(({ body }) => body['remove'])).toEqual([false, true]);
  });

  it('offers no editing of what others wrote', async () => {
    const page = await harness.open();
    const row = page.locator('.row', { hasText: 'the numbers are here' });
    await row.hover();
    await row.getByRole('button', { name: 'Reply' }).waitFor();
    expect(await row.getByRole('button', { name: 'Edit' }).count()).toBe(0);
    expect(await row.getByRole('button', { name: 'Delete' }).count()).toBe(0);
  });

  it('takes what is typed after a click on a message, a reaction or a button of it', async () => {
    const page = await harness.open();
    const field = page.locator('#composer');
    const row = page.locator('.row', { hasText: 'Is Demo Bot up?' });
    const typed = async (text: string): Promise<void> => {
      await page.keyboard.type(text);
      expect(await field.inputValue()).toBe(text);
      await field.fill('');
    };
    await row.click();
    await row.getByRole('button', { name: 'React' }).focus();
    await typed('hello *bold* x');
    await row.focus();
    await typed('again');
    // The search of the picker has a separate text.
    await row.getByRole('button', { name: 'React' }).click();
    await page.getByRole('combobox', { name: 'Search' }).fill('he');
    await page.keyboard.type('art');
    expect(await page.getByRole('combobox', { name: 'Search' }).inputValue()).toBe('heart');
    expect(await field.inputValue()).toBe('');
  });

  it('offers no commands in a channel that the bot does not see, and says why', async () => {
    const page = await harness.open({ path: place(HIDDEN) });
    await page.locator('#composer').pressSequentially('/rol');
    await page.getByText('Demo Bot does not see #hidden.').waitFor();
    expect(await page.getByRole('option', { name: 'roll' }).count()).toBe(0);
  });

  it('shows a failure only in its channel', async () => {
    const page = await harness.open({ allowedErrors: /status of 400/ });
    harness.sim.refuseNext(400, { code: 'bot_validation_error', message: 'no' });
    await page.locator('#composer').fill('x');
    await page.keyboard.press('Enter');
    const failed = page.getByRole('list', { name: 'Failed' });
    await failed.waitFor();
    const channels = page.getByRole('navigation', { name: 'Channels' });
    await channels.getByRole('button', { name: 'empty' }).click();
    await failed.waitFor({ state: 'detached' });
    await channels.getByRole('button', { name: 'general', exact: true }).click();
    await failed.getByRole('button', { name: 'Try again' }).click();
    await failed.waitFor({ state: 'detached' });
    // The first request was refused.
    await expect
      .poll(() => harness.sim.requests.map(({ body }) => body['channel']), SOON)
      .toEqual([GENERAL.id]);
  });

  it('reads older messages as one scrolls up, and stays in place', async () => {
    const page = await harness.open({ path: place(HISTORY) });
    const log = page.getByRole('log');
    await page.getByText('Message number 250', { exact: true }).waitFor();
    expect(await page.locator('.row').count()).toBe(50);
    const anchor = page.getByText('Message number 205', { exact: true });
    const before = await log.evaluate((element) => {
      element.scrollTop = 200 + element.clientHeight - element.scrollHeight;
      return element.scrollTop;
    });
    await expect.poll(() => page.locator('.row').count(), SOON).toBe(100);
    expect(await anchor.isVisible()).toBe(true);
    expect(await log.evaluate((element) => element.scrollTop)).toBeCloseTo(before, 0);

    await page.getByRole('button', { name: 'Jump to newest' }).click();
    await expect.poll(() => log.evaluate((e) => -e.scrollTop), SOON).toBeLessThan(2);
  });

  it('stays at the end while messages come in, and where it is when the reader is elsewhere', async () => {
    const page = await harness.open({ path: place(HISTORY) });
    const log = page.getByRole('log');
    const gap = () => log.evaluate((e) => -e.scrollTop);
    await page.getByText('Message number 250', { exact: true }).waitFor();
    harness.sim.push({
      type: 'message',
      message: message(GRACE, 'next', { channelId: HISTORY.id }),
    });
    await page.getByText('next', { exact: true }).waitFor();
    expect(await gap()).toBeLessThan(2);
    await log.evaluate((element) => {
      element.scrollTop = -400;
    });
    await page.getByRole('button', { name: 'Jump to newest' }).waitFor();
    const read = page.getByText('Message number 240', { exact: true });
    const top = async () => (await read.boundingBox())?.y ?? 0;
    const before = await top();
    harness.sim.push({
      type: 'message',
      message: message(GRACE, 'last', { channelId: HISTORY.id }),
    });
    await page.getByRole('button', { name: 'New messages' }).waitFor();
    expect(await gap()).toBeGreaterThan(400);
    expect(await top()).toBeCloseTo(before, 0);
  });

  it('counts what is new in other channels, and draws a line above it', async () => {
    const page = await harness.open();
    harness.sim.push({ type: 'message', message: message(GRACE, 'psst', { channelId: EMPTY.id }) });
    await expect.poll(() => page.title(), SOON).toBe('(1) #general, Sandbox - Playground');
    await page.getByRole('button', { name: 'empty 1 new' }).click();
    await page.getByText('psst').waitFor();
    expect(await page.locator('.divider-new').count()).toBe(1);
    expect(await page.title()).toBe('#empty, Sandbox - Playground');
    // A click means "write here".
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('composer');
  });

  it('goes back and forward between channels', async () => {
    const page = await harness.open();
    await page.getByRole('button', { name: 'empty', exact: true }).click();
    await page.getByRole('heading', { name: 'This is #empty' }).waitFor();
    await page.goBack();
    await page.getByRole('log', { name: 'Messages in #general' }).waitFor();
    await page.goForward();
    await page.getByRole('heading', { name: 'This is #empty' }).waitFor();
    await page.getByRole('button', { name: SECOND.name }).click();
    await expect.poll(() => page.url(), SOON).toContain(`/s/${SECOND.id}/c/`);
    await page.goBack();
    await page.getByRole('heading', { name: 'This is #empty' }).waitFor();
  });

  it('is two users in two tabs', async () => {
    const ada = await harness.open();
    const grace = await harness.openTab(ada, place(GENERAL, 'grace'));
    await ada.locator('#composer').fill('I am Ada');
    await ada.locator('#composer').press('Enter');
    await grace.locator('#composer').fill('I am Grace');
    await grace.locator('#composer').press('Enter');
    for (const page of [ada, grace]) {
      const rows = page.locator('.row', { hasText: /I am (Ada|Grace)/ });
      await expect.poll(() => rows.count(), SOON).toBe(2);
    }
    const sent = harness.sim.requests.map(({ body }) => body);
    expect(sent).toHaveLength(2);
    expect(sent).toContainEqual(expect.objectContaining({ content: 'I am Ada', as: ADA.id }));
    expect(sent).toContainEqual(expect.objectContaining({ content: 'I am Grace', as: GRACE.id }));
    expect(await ada.getByLabel('Act as').inputValue()).toBe('ada');
    expect(await grace.getByLabel('Act as').inputValue()).toBe('grace');
  });

  it('acts as another user, each with a draft of their own', async () => {
    const page = await harness.open();
    await page.locator('#composer').fill('half a thou');
    await page.getByLabel('Act as').selectOption({ label: 'Linus' });
    expect(new URL(page.url()).searchParams.get('as')).toBe('linus');
    expect(
      await page.getByRole('textbox', { name: 'Message #general as Linus' }).inputValue(),
    ).toBe('');
    await page.getByLabel('Act as').selectOption('ada');
    expect(await page.locator('#composer').inputValue()).toBe('half a thou');
    await page.reload();
    await page.locator('.row').first().waitFor();
    expect(await page.locator('#composer').inputValue()).toBe('half a thou');
  });

  it('shows a notice where the user is not a member, or the bot is not installed', async () => {
    const page = await harness.open({ path: `/s/${SECOND.id}?as=grace` });
    await page.getByText('Grace is not a member of Second Home.').waitFor();
    await page.getByLabel('Act as').selectOption('ada');
    await page.getByRole('button', { name: /^Not installed/ }).click();
    await page.getByText(/Demo Bot is not installed in this server/).waitFor();
    expect(new URL(page.url()).pathname).toContain(WITHOUT_BOT.id);
    await page.locator('#composer').pressSequentially('/hello');
    await page.getByText('Demo Bot is not installed in Not installed.').waitFor();
  });

  it('joins and leaves a voice channel', async () => {
    const page = await harness.open();
    const people = page.getByRole('list', { name: 'In Lounge' });
    await page.getByRole('button', { name: 'Join Lounge' }).click();
    await expect.poll(() => people.innerText(), SOON).toContain('Ada');
    await page.getByRole('button', { name: 'Leave Lounge' }).click();
    await expect.poll(() => people.innerText(), SOON).not.toContain('Ada');
  });

  it('shows which users type until they have written', async () => {
    const page = await harness.open();
    const typing = { channelId: GENERAL.id, userId: BOT_AUTHOR.id, forMs: 60_000 };
    harness.sim.push({ type: 'typing', ...typing });
    await page.getByText('Demo Bot is typing').waitFor();
    harness.sim.push({ type: 'message', message: message(BOT_AUTHOR, 'Here you are') });
    await page.getByText('Demo Bot is typing').waitFor({ state: 'detached' });
    expect(await page.getByText('Here you are').count()).toBe(1);
  });

  it('stops at 2,000 characters and counts from 1,800', async () => {
    const page = await harness.open();
    await page.locator('#composer').fill('x'.repeat(1799));
    expect(await page.locator('.counter').count()).toBe(0);
    await page.locator('#composer').fill('x'.repeat(2014));
    await page.getByText('2,014 / 2,000, 14 too many').waitFor();
    await page.keyboard.press('Enter');
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    expect(harness.sim.requests).toEqual([]);
  });

  it('shows what is typed when the window becomes narrow', async () => {
    const page = await harness.open();
    const field = page.locator('#composer');
    await field.pressSequentially('hello');
    await page.setViewportSize({ width: 390, height: 800 });
    const isCut = () => field.evaluate((each) => each.scrollHeight > each.clientHeight);
    await expect.poll(isCut, SOON).toBe(false);
  });

  it('keeps the theme that was chosen, from the first paint on', async () => {
    const page = await harness.open({ colorScheme: 'light', allowedErrors: /ERR_FAILED/ });
    const background = () =>
      page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    expect(await background()).toBe('rgb(239, 241, 244)');
    await page.getByRole('button', { name: 'Theme: auto' }).click();
    await page.getByRole('button', { name: 'Theme: light' }).click();
    expect(await background()).toBe('rgb(13, 15, 18)');
    // Without the app, only the small script has set the theme.
    await page.route('**/assets/index-*.js', (route) => route.abort());
    await page.reload();
    expect(await background()).toBe('rgb(13, 15, 18)');
  });
});
