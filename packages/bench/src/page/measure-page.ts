import { setImmediate as nextTurn } from 'node:timers/promises';
import { startSimulator, type Simulator } from '@virgule/simulator';
import type { Browser, Page } from 'playwright-core';

const INPUTS = 30;
const MESSAGES = 10_000;
/** Messages that are sent at a time: the sockets write between them. */
const BURST = 100;
const TRACE_ROWS = 50_000;
const WHEEL_TURNS = 100;
const WHEEL_PX = 400;
const SLOW_FRAME_MS = 32;

export interface PageFigures {
  readonly firstPaintMs: number;
  /** From the key press that sends a message until its row is in the document, one figure per message. */
  readonly inputMs: readonly number[];
  /** CPU time of the page's thread for 10,000 messages. */
  readonly messagesCpuSeconds: number;
  /** Frames while a trace of 50,000 rows is scrolled. */
  readonly frames: number;
  /** Frames that came more than 32 ms after the previous frame. */
  readonly slowFrames: number;
}

/** Measures the chat page of a new simulator. */
export async function measurePage(browser: Browser): Promise<PageFigures> {
  const simulator = await startSimulator();
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  try {
    await page.goto(simulator.page);
    await page.locator('#composer').waitFor();
    return {
      firstPaintMs: await page.evaluate<number>(
        `performance.getEntriesByName('first-contentful-paint')[0].startTime`,
      ),
      inputMs: await measureInputs(page),
      messagesCpuSeconds: await measureMessages(simulator, page),
      ...(await measureTrace(simulator, page)),
    };
  } finally {
    await page.close();
    await simulator.close();
  }
}

async function measureInputs(page: Page): Promise<readonly number[]> {
  const times: number[] = [];
  for (let index = 0; index < INPUTS; index += 1) {
    const text = `typed ${index}`;
    await page.locator('#composer').fill(text);
    // Looks at added nodes only: reading the whole log would take longer than what is measured.
    await page.evaluate(`void (window.rowMs = new Promise((resolve) => {
      let startMs = 0;
      addEventListener('keydown', ({ timeStamp }) => { startMs = timeStamp; }, { once: true, capture: true });
      new MutationObserver((changes, observer) => {
        const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
        if (!added.some(({ textContent }) => textContent.includes('${text}'))) return;
        observer.disconnect();
        resolve(performance.now() - startMs);
      }).observe(document.querySelector('[role=log]'), { childList: true, subtree: true });
    }))`);
    await page.keyboard.press('Enter');
    times.push(await page.evaluate<number>('window.rowMs'));
  }
  return times;
}

async function measureMessages(simulator: Simulator, page: Page): Promise<number> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const cpuSeconds = async (): Promise<number> => {
    const { metrics } = await devTools.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };
  const before = await cpuSeconds();
  for (let index = 0; index < MESSAGES; index += 1) {
    simulator.sendMessage({ content: `Message ${index}` });
    if (index % BURST === BURST - 1) await nextTurn();
  }
  // A locator would look at each element of the page in every frame.
  await page.evaluate(`new Promise((resolve) => {
    const log = document.querySelector('[role=log]');
    const timer = setInterval(() => {
      if (!log.textContent.includes('Message ${MESSAGES - 1}')) return;
      clearInterval(timer);
      resolve();
    }, 100);
  })`);
  return (await cpuSeconds()) - before;
}

async function measureTrace(
  simulator: Simulator,
  page: Page,
): Promise<Pick<PageFigures, 'frames' | 'slowFrames'>> {
  for (let index = 0; index < TRACE_ROWS; index += 1) {
    // Each entry belongs to another message, so each is one row.
    const entry = { level: 30, time: Date.now(), msg: `line ${index}`, messageId: `m${index}` };
    simulator.logged(JSON.stringify(entry));
  }
  await page.getByRole('tab', { name: 'Trace' }).click();
  await page
    .getByText(`line ${TRACE_ROWS - 1}`)
    .first()
    .waitFor();
  await page.evaluate(`{
    window.gaps = [];
    let last = performance.now();
    requestAnimationFrame(function next(now) {
      window.gaps.push(now - last);
      last = now;
      requestAnimationFrame(next);
    });
  }`);
  await page.locator('#inspector').hover();
  for (let turn = 0; turn < WHEEL_TURNS; turn += 1) {
    await page.mouse.wheel(0, turn < WHEEL_TURNS / 2 ? WHEEL_PX : -WHEEL_PX);
  }
  const gaps = await page.evaluate<number[]>('window.gaps');
  return { frames: gaps.length, slowFrames: gaps.filter((ms) => ms > SLOW_FRAME_MS).length };
}
