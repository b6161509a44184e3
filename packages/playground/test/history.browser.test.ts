import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { SOON, setUpBrowser } from './browser-harness.js';
import { GENERAL, GRACE, HISTORY, SANDBOX, interaction, message } from './sample-world.js';

/** Four times as many as the page renders at a time. */
const COUNT = 1_200;
const NEWEST = `Message number ${COUNT}`;
const path = `/s/${SANDBOX.id}/c/${HISTORY.id}?as=ada`;

/** Returns the numbers of the messages on the screen, and of the rows of the page. */
const shown = (page: Page) =>
  page.getByRole('log').evaluate((log) => {
    const { top, bottom } = log.getBoundingClientRect();
    const rows = [...log.querySelectorAll('.row')];
    const visible = rows.filter((row) => {
      const box = row.getBoundingClientRect();
      return box.bottom > top && box.top < bottom;
    });
    const numbers = visible.map((row) => Number(/number (\d+)/.exec(row.textContent ?? '')?.[1]));
    return { first: numbers[0] ?? 0, last: numbers.at(-1) ?? 0, numbers, rows: rows.length };
  });

/** Turns the wheel until `isThere`. After each turn, every message must be next to one that was on the screen before. */
async function turnWheel(
  page: Page,
  deltaY: number,
  isThere: (seen: Awaited<ReturnType<typeof shown>>) => boolean,
): Promise<void> {
  let before = await shown(page);
  for (let still = 0; still < 400;) {
    await page.mouse.wheel(0, deltaY);
    // Two frames: the page has scrolled, and rendered what that caused.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    const now = await shown(page);
    expect(now.rows).toBeLessThanOrEqual(300);
    for (const [index, number] of now.numbers.entries())
      expect(number, 'no message is skipped').toBe(now.first + index);
    // Neither a jump nor a gap: something that was on the screen is still there, or next to it.
    expect(now.first, `from ${before.first}-${before.last}`).toBeLessThanOrEqual(before.last + 1);
    expect(now.last, `from ${before.first}-${before.last}`).toBeGreaterThanOrEqual(
      before.first - 1,
    );
    if (isThere(now)) return;
    still = now.first === before.first && now.last === before.last ? still + 1 : 0;
    before = now;
  }
  expect.fail(`stuck at ${before.first}-${before.last}`);
}

describe('a long history', () => {
  const harness = setUpBrowser();

  async function open(): Promise<Page> {
    harness.sim.setMessages(
      HISTORY.id,
      Array.from({ length: COUNT }, (_, index) =>
        message(GRACE, `Message number ${index + 1}`, {
          channelId: HISTORY.id,
          createdAt: new Date(Date.now() - (COUNT + 60 - index) * 1_000).toISOString(),
        }),
      ),
    );
    const page = await harness.open({ path });
    await page.getByText(NEWEST, { exact: true }).waitFor();
    await page.getByRole('log').hover();
    return page;
  }

  it('is read by wheel to its first message and back, and nothing is skipped', async () => {
    const page = await open();
    await turnWheel(page, -600, ({ first }) => first === 1);
    await page.getByText('This is the start of #long-history.').waitFor();
    await turnWheel(page, 600, ({ last }) => last === COUNT);
    expect(await page.getByRole('button', { name: 'Jump to newest' }).count()).toBe(0);
    // It follows the end again.
    harness.sim.push({
      type: 'message',
      message: message(GRACE, 'next', { channelId: HISTORY.id }),
    });
    await page.getByText('next', { exact: true }).waitFor();
    const gap = () =>
      page.getByRole('log').evaluate((e) => e.scrollHeight - e.scrollTop - e.clientHeight);
    await expect.poll(gap, SOON).toBeLessThan(2);
  });

  it('keeps every row in its place while older messages are loaded', async () => {
    const page = await open();
    let hold!: (route: Route) => void;
    const held = new Promise<Route>((resolve) => (hold = resolve));
    await page.route('**/messages?*before=*', hold);
    const log = page.getByRole('log');
    const row = log.getByText(`Message number ${COUNT - 40}`, { exact: true });
    const top = () => row.evaluate((element) => element.getBoundingClientRect().top);
    const before = await row.evaluate((element) => {
      const scrolled = element.closest('[role=log]')!;
      scrolled.scrollTop = 200;
      return element.getBoundingClientRect().top;
    });
    const request = await held;
    await log.getByText('Loading messages…').waitFor();
    expect(await top()).toBe(before);
    await request.continue();
    await page.getByText(`Message number ${COUNT - 60}`, { exact: true }).waitFor();
    expect(await top()).toBeCloseTo(before, 0);
  });

  it('shows the end again with the button, and after a message of the user', async () => {
    const page = await open();
    await turnWheel(page, -600, ({ last }) => last < COUNT - 400);
    await page.getByRole('button', { name: 'Jump to newest' }).click();
    await expect.poll(async () => (await shown(page)).last, SOON).toBe(COUNT);

    await page.getByRole('log').hover();
    await turnWheel(page, -600, ({ last }) => last < COUNT - 400);
    await page.getByRole('textbox', { name: /^Message #long-history/ }).fill('Mine');
    await page.keyboard.press('Enter');
    await page.getByText('Mine', { exact: true }).waitFor();
    const top = async () => (await page.getByText('Mine', { exact: true }).boundingBox())?.y;
    await expect.poll(top, SOON).toBeLessThan(800);
  });

  it('shows no command below a window that does not reach the end', async () => {
    const page = await open();
    await turnWheel(page, -600, ({ last }) => last < COUNT - 400);
    const run = interaction({ channelId: HISTORY.id, userId: GRACE.id, state: 'deferred' });
    harness.sim.push({ type: 'interaction', interaction: run });
    harness.sim.push({
      type: 'message',
      message: message(GRACE, 'psst', { channelId: GENERAL.id }),
    });
    await expect.poll(() => page.title(), SOON).toContain('(1)');
    expect(await page.locator('.row', { hasText: run.rawInput }).count()).toBe(0);
  });
});
