import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { SOON, setUpBrowser } from './browser-harness.js';
import { GRACE, HISTORY, SANDBOX, message } from './sample-world.js';

/** Number of messages: four times the number that the page keeps. */
const COUNT = 1_200;
const NEWEST = `Message number ${COUNT}`;
const path = `/s/${SANDBOX.id}/c/${HISTORY.id}?as=ada`;

/** Returns the numbers of the messages on the screen, and the distance of every row from the top of the log. */
const shown = (page: Page) =>
  page.getByRole('log').evaluate((log) => {
    const { top, height } = log.getBoundingClientRect();
    const rows = [...log.querySelectorAll('.row')].map((row) => {
      const box = row.getBoundingClientRect();
      const number = Number(/number (\d+)/.exec(row.textContent ?? '')?.[1]);
      return { number, top: box.top - top, bottom: box.bottom - top };
    });
    const visible = rows.filter((row) => row.bottom > 0 && row.top < height);
    const numbers = visible.map((row) => row.number);
    const tops = Object.fromEntries(rows.map((row) => [row.number, row.top]));
    return { first: numbers[0] ?? 0, last: numbers.at(-1) ?? 0, numbers, tops };
  });

/**
 * Turns the wheel until `isThere`. Checks that no turn moves a message farther than the wheel was turned, and that no
 * message is skipped.
 *
 * @param rest - distance of earlier turns that the page has not scrolled yet, in pixels: a busy browser scrolls several turns at once.
 * @returns this distance after the last turn.
 */
async function turnWheel(
  page: Page,
  deltaY: number,
  isThere: (seen: Awaited<ReturnType<typeof shown>>) => boolean,
  rest = 0,
): Promise<number> {
  let before = await shown(page);
  for (let still = 0; still < 400;) {
    await page.mouse.wheel(0, deltaY);
    // Waits for two frames: the page has scrolled, and rendered the result.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    const now = await shown(page);
    for (const [index, number] of now.numbers.entries())
      expect(number, 'no message is skipped').toBe(now.first + index);
    // A newly loaded page adds rows, and may move none.
    const row = before.numbers.find((number) => number in now.tops)!;
    const moved = (before.tops[row]! - now.tops[row]!) * Math.sign(deltaY);
    expect(moved, `#${row} of ${before.first}-${before.last}`).toBeGreaterThan(-1);
    expect(moved, `#${row} of ${before.first}-${before.last}`).toBeLessThan(
      Math.abs(deltaY) + rest + 1,
    );
    rest = Math.max(0, rest + Math.abs(deltaY) - moved);
    if (isThere(now)) return rest;
    still = moved < 1 ? still + 1 : 0;
    before = now;
  }
  return expect.fail(`stuck at ${before.first}-${before.last}`);
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
    // The log follows its end again.
    harness.sim.push({
      type: 'message',
      message: message(GRACE, 'next', { channelId: HISTORY.id }),
    });
    await page.getByText('next', { exact: true }).waitFor();
    expect(Object.keys((await shown(page)).tops).length).toBe(300);
    const gap = () => page.getByRole('log').evaluate((e) => -e.scrollTop);
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
      scrolled.scrollTop = 200 + scrolled.clientHeight - scrolled.scrollHeight;
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
    const rest = await turnWheel(page, -600, ({ last }) => last < COUNT - 400);
    await page.getByRole('button', { name: 'Jump to newest' }).click();
    await expect.poll(async () => (await shown(page)).last, SOON).toBe(COUNT);

    await page.getByRole('log').hover();
    await turnWheel(page, -600, ({ last }) => last < COUNT - 400, rest);
    await page.getByRole('textbox', { name: /^Message #long-history/ }).fill('Mine');
    await page.keyboard.press('Enter');
    await page.getByText('Mine', { exact: true }).waitFor();
    const top = async () => (await page.getByText('Mine', { exact: true }).boundingBox())?.y;
    await expect.poll(top, SOON).toBeLessThan(800);
  });
});
