import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from 'vitest';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core';
import { startFakeSimulator, type FakeSimulator } from './fake-simulator.js';

/** Maximum wait for an expected change: long enough for a busy machine. */
export const SOON = { timeout: 60_000 } as const;

export interface OpenOptions extends BrowserContextOptions {
  /** @defaultValue `/` */
  readonly path?: string;
  /** Errors that the page may write to the console, because the test provokes them. */
  readonly allowedErrors?: RegExp;
}

export interface Harness {
  readonly sim: FakeSimulator;
  /** Opens the page in a new browser context and waits until it shows a channel. */
  open(options?: OpenOptions): Promise<Page>;
  /** Opens another tab of the same browser. */
  openTab(sibling: Page, path: string): Promise<Page>;
}

/**
 * Creates a simulator and browser contexts for each test of a `describe`. Checks that every page wrote no error and
 * sent requests only to its own server.
 */
export function setUpBrowser(): Harness {
  let browser: Browser;
  let sim: FakeSimulator;
  let contexts: BrowserContext[] = [];
  let complaints: string[] = [];

  beforeAll(async () => {
    browser = await chromium.launch(inject('chromium'));
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    sim = await startFakeSimulator(inject('pageFolder'));
    contexts = [];
    complaints = [];
  });
  afterEach(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    await sim.close();
    expect(complaints).toEqual([]);
  });

  const watch = (page: Page, allowedErrors: RegExp | undefined) => {
    page.on('console', (entry) => {
      const isAllowed = allowedErrors?.test(entry.text()) ?? false;
      if (['error', 'warning'].includes(entry.type()) && !isAllowed) {
        complaints.push(`console ${entry.type()}: ${entry.text()}`);
      }
    });
    page.on('pageerror', (error) => complaints.push(`thrown: ${error.message}`));
    page.on('dialog', (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(sim.url)) complaints.push(`request to ${url}`);
    });
  };
  const visit = async (page: Page, path: string) => {
    await page.goto(sim.url + path);
    await page.locator('.row, .first-run').first().waitFor();
    return page;
  };

  return {
    get sim() {
      return sim;
    },
    async open({ path = '/', allowedErrors, ...options } = {}) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        ...options,
      });
      contexts.push(context);
      const page = await context.newPage();
      watch(page, allowedErrors);
      return visit(page, path);
    },
    async openTab(sibling, path) {
      const page = await sibling.context().newPage();
      watch(page, undefined);
      return visit(page, path);
    },
  };
}
