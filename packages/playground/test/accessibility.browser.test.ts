import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { SOON, setUpBrowser } from './browser-harness.js';
import { STORED, TASKS } from './sample-bot.js';
import {
  BOT,
  COMMANDS,
  EMPTY,
  GENERAL,
  GRACE,
  HISTORY,
  SANDBOX,
  interaction,
  LOUNGE,
  message,
  PNG,
} from './sample-world.js';
import { FAILED_ROWS, SECTIONS } from './trace-rows.js';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const VIEWS = [
  { name: '1440 px', viewport: { width: 1440, height: 900 } },
  { name: '390 px', viewport: { width: 390, height: 844 } },
] as const;

/** The rules that depend on colors: no other result changes with the theme. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/** Axe measures contrast, which is wrong halfway through a fade. */
const STILL = { reducedMotion: 'reduce' } as const;

describe('accessibility', () => {
  const harness = setUpBrowser();
  let axeSource = '';

  beforeAll(async () => {
    axeSource = await readFile(
      createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
      'utf8',
    );
  });

  /**
   * Returns the violated rules of the page, or of a part of it, in both themes, with the elements that violate them.
   */
  async function violations(page: Page, within = 'html'): Promise<readonly string[]> {
    // Loads axe once for each page: parsing the script takes as long as a run.
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
    const broken: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, ...STILL });
      const results = await page.evaluate(
        // The script above has put axe into the page.
        ([selector, runOnly]) =>
          (
            window as unknown as { axe: { run(of: string, o: object): Promise<AxeResults> } }
          ).axe.run(selector, { runOnly, resultTypes: ['violations'] }),
        [
          within,
          colorScheme === 'light'
            ? { type: 'tag', values: TAGS }
            : { type: 'rule', values: COLOR_RULES },
        ] as const,
      );
      for (const rule of results.violations)
        for (const node of rule.nodes)
          broken.push(`${colorScheme}, ${rule.id}: ${node.html.slice(0, 200)}`);
    }
    return broken;
  }

  for (const { name, ...view } of VIEWS) {
    it(`breaks no rule of axe at ${name}: messages, menu, problems, failures`, async () => {
      const page = await harness.open({ ...view, ...STILL, allowedErrors: /status of 400/ });
      harness.sim.push({
        type: 'interaction',
        interaction: interaction({ state: 'deferred', expiresAt: '2099-01-01T00:00:00Z' }),
      });
      harness.sim.push({ type: 'interaction', interaction: interaction({ state: 'expired' }) });
      harness.sim.push({
        type: 'message',
        message: message(GRACE, `- a list\n- with \`code\`\n> and a quote <#${EMPTY.id}>\n1. one`),
      });
      await page.locator('.row-expired').waitFor();
      expect(await violations(page)).toEqual([]);

      await page.locator('#composer').pressSequentially('/');
      await page.getByRole('listbox').waitFor();
      expect(await violations(page)).toEqual([]);

      const many = Array.from({ length: 40 }, (_, index) => ({
        ...COMMANDS[0]!,
        id: `c${index}`,
        name: `many-${index}`,
      }));
      harness.sim.push({ type: 'commands', commands: [...COMMANDS, ...many] });
      await page.locator('#composer').fill('/many');
      const list = page.getByRole('listbox');
      await expect
        .poll(() => list.evaluate((e) => e.scrollHeight > e.clientHeight), SOON)
        .toBe(true);
      expect(await violations(page)).toEqual([]);
      await list.focus();
      await page.keyboard.press('ArrowDown');
      await expect
        .poll(() => list.getByRole('option').nth(1).getAttribute('aria-selected'))
        .toBe('true');
      await list.focus();
      await page.keyboard.type('-7');
      expect(await page.locator('#composer').inputValue()).toBe('/many-7');

      await page.locator('#composer').fill('/play ');
      await page.keyboard.press('Enter');
      await page.locator('.signature-refused').waitFor();
      expect(await violations(page)).toEqual([]);

      await page.locator('#composer').fill('/nothing');
      await page.getByText('No command is named').waitFor();
      expect(await violations(page)).toEqual([]);

      harness.sim.refuseNext(400, { code: 'bot_validation_error', message: 'no' });
      await page.locator('#composer').fill('x');
      await page.keyboard.press('Enter');
      await page.getByRole('list', { name: 'Failed' }).waitFor();
      await page.locator('#composer').fill('x'.repeat(2001));
      harness.sim.push({
        type: 'problems',
        problems: [
          { code: 'E_X', message: 'Broken', where: 'a.ts:1:2', frame: '> 1 | x', hint: 'Fix it.' },
        ],
      });
      await page.getByRole('region', { name: 'Problems' }).waitFor();
      expect(await violations(page)).toEqual([]);
    });

    it(`breaks no rule of axe at ${name}: audio`, async () => {
      const page = await harness.open({ ...view, ...STILL });
      harness.sim.setAudio((first) => ({
        packets: 512,
        lost: 3,
        isStereo: true,
        first,
        payloads: ['/P/+'],
      }));
      harness.sim.push({
        type: 'voice',
        voice: { channelId: LOUNGE.id, participants: [], ingressOpen: true },
      });
      const menu = page.getByRole('button', { name: 'Open channels' });
      if (await menu.isVisible()) await menu.click();
      await page.getByText('stereo, 3 lost').waitFor();
      expect(await violations(page)).toEqual([]);
      const box = await page.getByRole('button', { name: 'Listen in Lounge' }).boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? 9_999)).toBeLessThanOrEqual(view.viewport.width);
    });

    it(`breaks no rule of axe at ${name}: files`, async () => {
      const page = await harness.open({ ...view, ...STILL, allowedErrors: /status of 507/ });
      const input = page.locator('input[type=file]');
      const file = { name: 'cat.png', mimeType: 'image/png', buffer: PNG };
      await input.setInputFiles([file, { ...file, name: 'a.bin', mimeType: '' }]);
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('img', { name: 'cat.png' }).waitFor();
      harness.sim.refuseNext(507, { code: 'sim_storage_full', message: 'Storage is full.' });
      await input.setInputFiles(file);
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('list', { name: 'Failed' }).getByText('Storage is full.').waitFor();
      await input.setInputFiles([file, { ...file, buffer: Buffer.alloc(2_000_000) }]);
      await page.locator('.tray-note.failed').waitFor();
      await page.locator('#composer').fill('/hello ');
      expect(await violations(page)).toEqual([]);
    });

    it(`breaks no rule of axe at ${name}: first run, toolbar, lost connection`, async () => {
      const page = await harness.open({
        ...view,
        ...STILL,
        path: `/s/${SANDBOX.id}/c/${EMPTY.id}`,
        allowedErrors: /WebSocket connection/,
      });
      await page.locator('.first-run').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.goto(`${harness.sim.url}/s/${SANDBOX.id}/c/${GENERAL.id}?as=ada`);
      const row = page.locator('.row', { hasText: 'It answers in' });
      await row.focus();
      await row.getByRole('button', { name: 'React' }).click();
      await page.getByRole('dialog', { name: 'React with' }).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+k');
      await page.getByRole('option', { name: 'Show trace' }).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await row.getByRole('button', { name: 'Edit' }).click();
      harness.sim.drop(true);
      await page.getByText(/connection to the simulator is lost/).waitFor();
      expect(await violations(page)).toEqual([]);
    });
  }

  it('breaks no rule of axe in the inspector', async () => {
    harness.sim.onQuestion((question) => (question.type === 'tasks' ? TASKS : STORED));
    const [wide, narrow] = VIEWS;
    const page = await harness.open({ viewport: wide.viewport, ...STILL });
    harness.sim.trace(FAILED_ROWS, SECTIONS);
    await page.getByRole('button', { name: 'Open inspector' }).click();
    await page.getByRole('treeitem', { name: '/roll 20' }).click();
    await page.getByText('is not a function').waitFor();
    expect(await violations(page, '#inspector')).toEqual([]);
    await page.getByRole('tab', { name: 'Commands' }).click();
    await page.getByRole('button', { name: '/play' }).click();
    await page.getByRole('button', { name: 'Run as Ada' }).waitFor();
    expect(await violations(page, '#inspector')).toEqual([]);
    await page.getByRole('tab', { name: 'Faults' }).click();
    await page.getByRole('switch', { name: 'slow API' }).check();
    await page.getByRole('button', { name: 'Rules as JSON' }).click();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Events' }).click();
    expect(await violations(page, '#inspector')).toEqual([]);
    await page.getByRole('button', { name: 'Edit as JSON' }).click();
    await page.getByLabel('Payload as JSON').waitFor();
    expect(await violations(page, '#inspector')).toEqual([]);
    await page.getByRole('tab', { name: 'World' }).click();
    await page.getByRole('textbox', { name: 'Name of a snapshot' }).fill('one');
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Saved snapshots' }).waitFor();
    expect(await violations(page, '#inspector')).toEqual([]);
    await page.getByRole('tab', { name: 'Tasks' }).click();
    await page.getByRole('region', { name: 'Task digest' }).waitFor();
    expect(await violations(page, '#inspector')).toEqual([]);
    await page.getByRole('tab', { name: 'Storage' }).click();
    await page.getByRole('button', { name: 'poll:1' }).click();
    await page.getByRole('region', { name: 'Value' }).waitFor();
    expect(await violations(page, '#inspector')).toEqual([]);
    await page.setViewportSize(narrow.viewport);
    expect(await violations(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Trace' }).click();
    expect(await violations(page)).toEqual([]);
    harness.sim.keepMoment();
    await page.getByRole('button', { name: 'More' }).click();
    expect(await violations(page, '.views')).toEqual([]);
    await page.getByRole('tab', { name: 'World' }).click();
    await page.getByRole('button', { name: 'View history' }).click();
    await page.getByRole('slider', { name: 'Moment' }).waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('breaks no rule of axe with the drawer open', async () => {
    const page = await harness.open({ viewport: { width: 390, height: 844 }, ...STILL });
    await page.getByRole('button', { name: 'Open channels' }).click();
    await page.getByRole('navigation', { name: 'Channels' }).waitFor();
    expect(await violations(page)).toEqual([]);
  });

  it('has one heading of the first level, landmarks and a skip link', async () => {
    const page = await harness.open();
    expect(await page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual([
      expect.stringContaining(BOT.displayName),
    ]);
    for (const role of ['banner', 'main', 'contentinfo'] as const) {
      expect(await page.getByRole(role).count()).toBe(1);
    }
    await page.getByRole('link', { name: 'Skip to composer' }).focus();
    expect(
      await page.evaluate(() => document.activeElement?.getBoundingClientRect().top),
    ).toBeGreaterThan(0);
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('composer');
    expect(new URL(page.url()).hash).toBe('');
  });

  it('goes through the regions with F6 and back with Shift+F6', async () => {
    const page = await harness.open();
    const region = () =>
      page.evaluate(
        () => document.activeElement?.closest<HTMLElement>('[data-region]')?.dataset['region'],
      );
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    const forth = [];
    for (let step = 0; step < 4; step += 1) {
      await page.keyboard.press('F6');
      forth.push(await region());
    }
    expect(forth).toEqual(['servers', 'channels', 'messages', 'composer']);
    await page.keyboard.press('Shift+F6');
    expect(await region()).toBe('messages');
  });

  it('goes through messages by arrow keys, and into their tools with Tab', async () => {
    const page = await harness.open();
    const focusedText = () =>
      page.evaluate(() => (document.activeElement as HTMLElement).innerText);
    await page.locator('.row').last().focus();
    expect(await focusedText()).toContain('the numbers are here');
    await page.keyboard.press('Home');
    expect(await focusedText()).toContain('Morning!');
    await page.keyboard.press('ArrowDown');
    expect(await focusedText()).toContain('It answers in');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'React',
    );
    // Keys come as fast as a user types: nothing waits for the menu.
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowRight');
    const emoji = page.getByRole('dialog').getByRole('option', { selected: true });
    expect(await emoji.getAttribute('aria-label')).toBe('Heart');
    await page.keyboard.press('Escape');
    expect(await focusedText()).toContain('It answers in');
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('composer');
  });

  it('takes one Tab from the messages to the composer, however many there are', async () => {
    const page = await harness.open({ path: `/s/${SANDBOX.id}/c/${HISTORY.id}` });
    await page.getByText('Message number 250', { exact: true }).waitFor();
    expect(await page.locator('.row[tabindex="0"]').count()).toBe(1);
  });

  it('steps through channels with Alt and the arrow keys', async () => {
    const page = await harness.open();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('heading', { name: 'This is #empty' }).waitFor();
    await page.keyboard.press('Alt+ArrowUp');
    await page.getByRole('log', { name: 'Messages in #general' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/s/${SANDBOX.id}/c/${GENERAL.id}`);
  });

  for (const width of [1440, 1080, 720, 390, 320]) {
    it(`never scrolls sideways at ${width} px`, async () => {
      const page = await harness.open({ viewport: { width, height: 640 } });
      harness.sim.push({ type: 'message', message: message(GRACE, 'x'.repeat(2000)) });
      harness.sim.push({
        type: 'message',
        message: message(GRACE, `\`\`\`\n${'wide '.repeat(100)}\n\`\`\``),
      });
      harness.sim.push({
        type: 'problems',
        problems: [
          {
            code: 'E_X',
            message: 'y'.repeat(300),
            where: 'z'.repeat(300),
            frame: '> 1 | '.repeat(80),
          },
        ],
      });
      await page.getByRole('region', { name: 'Problems' }).waitFor();
      await page.locator('#composer').pressSequentially('/');
      await page.getByRole('listbox').waitFor();
      const wide = await page.evaluate(() =>
        [
          ...document.querySelectorAll<HTMLElement>(
            'html, body, .page, .main, .log, .foot, .problems',
          ),
        ]
          .filter((element) => element.scrollWidth > element.clientWidth)
          .map((element) => element.className || element.tagName),
      );
      expect(wide).toEqual([]);
      const outside = await page.evaluate(() =>
        [...document.querySelectorAll('.top-bar > *, .composer-box, .slash-menu')]
          .filter((element) => element.getBoundingClientRect().right > window.innerWidth)
          .map((element) => element.className),
      );
      expect(outside).toEqual([]);
    });
  }

  it('has targets of 44 px on a narrow screen', async () => {
    const page = await harness.open({ viewport: { width: 390, height: 844 }, hasTouch: true });
    await page.locator('.row', { hasText: 'Morning!' }).tap();
    await page.getByRole('group', { name: 'Message actions' }).waitFor();
    const small = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('button, select, textarea, [role=option]')]
          .filter((element) => element.checkVisibility({ visibilityProperty: true }))
          .map((element) => ({ element, box: element.getBoundingClientRect() }))
          // Positions are fractions during the animation of the drawer: 44 px are 43.99999.
          .filter(({ box }) => Math.min(box.height, box.width) < 43.99)
          .map(({ element }) => element.outerHTML.slice(0, 120)),
      );
    expect(await small()).toEqual([]);
    await page.getByRole('button', { name: 'Open channels' }).click();
    expect(await small()).toEqual([]);
    expect(
      await page.locator('#composer').evaluate((element) => getComputedStyle(element).fontSize),
    ).toBe('16px');
  });

  it('opens and closes the drawer on a narrow screen', async () => {
    const page = await harness.open({ viewport: { width: 390, height: 844 } });
    const channels = page.getByRole('navigation', { name: 'Channels' });
    expect(await channels.count()).toBe(0);
    await page.getByRole('button', { name: 'Open channels' }).click();
    await channels.waitFor();
    expect(await page.locator('.main').getAttribute('inert')).not.toBeNull();
    await page.keyboard.press('Escape');
    await expect.poll(() => channels.count(), SOON).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('drawer-button');
    await page.getByRole('button', { name: 'Open channels' }).click();
    await channels.getByRole('button', { name: 'empty', exact: true }).click();
    await page.getByRole('heading', { name: 'This is #empty' }).waitFor();
    await expect.poll(() => channels.count(), SOON).toBe(0);
  });

  it('keeps the dots still for those who ask for less motion', async () => {
    const page = await harness.open({ reducedMotion: 'reduce' });
    harness.sim.push({ type: 'interaction', interaction: interaction({ state: 'deferred' }) });
    const dot = page.locator('.dots i').first();
    await dot.waitFor();
    expect(await dot.evaluate((element) => getComputedStyle(element).animationName)).toBe('none');
  });

  it('marks the selected item with more than a background in forced colors', async () => {
    const page = await harness.open({ forcedColors: 'active' });
    const current = page.getByRole('button', { name: 'general', exact: true });
    expect(await current.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe(
      'solid',
    );
  });
});
