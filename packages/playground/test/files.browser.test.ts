import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { SOON, setUpBrowser } from './browser-harness.js';
import { COMMANDS, CROP, GENERAL, PNG } from './sample-world.js';

const png = (name = 'cat.png') => ({ name, mimeType: 'image/png', buffer: PNG });
const text = (name = 'notes.txt') => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from('hello'),
});

const composer = (page: Page) => page.locator('#composer');
const tray = (page: Page) => page.getByRole('list', { name: 'Files to send' });

/** Pastes or drops files by a script in the page, because a test has no clipboard with files. */
function transfer(page: Page, kind: 'paste' | 'drop', files: readonly string[]): Promise<void> {
  return page.evaluate(
    ({ type, names }) => {
      const data = new DataTransfer();
      for (const name of names) data.items.add(new File(['hello'], name, { type: 'text/plain' }));
      const init = { bubbles: true, cancelable: true };
      const event =
        type === 'paste'
          ? new ClipboardEvent('paste', { ...init, clipboardData: data })
          : new DragEvent('drop', { ...init, dataTransfer: data });
      const field = document.getElementById('composer');
      if (type === 'drop') {
        document.body.dispatchEvent(new DragEvent('dragover', { ...init, dataTransfer: data }));
      }
      const target = type === 'paste' ? field : document.body;
      if (target?.dispatchEvent(event) !== false) throw new Error('The browser would open it.');
    },
    { type: kind, names: files },
  );
}

describe('files', () => {
  const harness = setUpBrowser();

  it('are chosen, sent alone, and shown as an image and as a card', async () => {
    const page = await harness.open();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Attach files' }).click();
    await (await chooser).setFiles([png(), text()]);
    await expect.poll(() => tray(page).innerText(), SOON).toMatch(/cat\.png\s+78 B/);
    await expect
      .poll(() => composer(page).evaluate((it) => it === document.activeElement))
      .toBe(true);
    await page.keyboard.press('Enter');
    const row = page.locator('.row').last();
    const image = row.getByRole('img', { name: 'cat.png' });
    await expect
      .poll(() => image.evaluate((it: HTMLImageElement) => it.complete && it.naturalWidth), SOON)
      .toBeGreaterThan(0);
    expect(await row.getByRole('link', { name: /notes\.txt/ }).innerText()).toContain('5 B');
    expect(await tray(page).count()).toBe(0);
    expect(harness.sim.requests).toMatchObject([
      { path: '/_sim/say', body: { content: '', attachments: ['file-1', 'file-2'] } },
    ]);
    const download = page.waitForEvent('download');
    await row.getByRole('link', { name: /notes\.txt/ }).click();
    expect((await download).suggestedFilename()).toBe('notes.txt');
  });

  it('are pasted and dropped', async () => {
    const page = await harness.open();
    await transfer(page, 'paste', ['image.png']);
    await transfer(page, 'paste', ['image.png']);
    await transfer(page, 'drop', ['c.txt']);
    await expect
      .poll(() => tray(page).innerText(), SOON)
      .toMatch(/image\.png[^]*image-2\.png[^]*c\.txt/);
    expect(await page.locator('.drop-zone').count()).toBe(0);
    await page.getByRole('button', { name: 'Remove image.png' }).click();
    await composer(page).fill('two files');
    await page.keyboard.press('Enter');
    const row = page.locator('.row', { hasText: 'two files' });
    await row.getByText('image-2.png').waitFor();
    expect(await row.getByRole('listitem').count()).toBe(2);
    expect([...harness.sim.files.values()].map(({ bytes }) => String(bytes))).toEqual([
      'hello',
      'hello',
    ]);
  });

  it('become the value of an attachment option, by keyboard', async () => {
    harness.sim.setSnapshot({ commands: [...COMMANDS, CROP] });
    const page = await harness.open();
    await composer(page).pressSequentially('/crop ');
    await page.getByRole('option', { name: 'Choose a file…' }).waitFor();
    const chooser = page.waitForEvent('filechooser');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await (await chooser).setFiles(png('my cat.png'));
    await expect.poll(() => composer(page).inputValue(), SOON).toBe('/crop "my cat.png" ');
    const preview = page.locator('.signature-raw code');
    await expect.poll(() => preview.innerText(), SOON).toBe('/crop "my cat.png"');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => harness.sim.requests[0], SOON)
      .toMatchObject({
        path: `/api/channels/${GENERAL.id}/interactions/commands`,
        body: { rawInput: expect.stringMatching(/^\/crop http:.*\/my%20cat\.png$/) },
      });
    expect(await tray(page).count()).toBe(0);
  });

  it('that are too large or fail say so, and can be tried again', async () => {
    const page = await harness.open({ allowedErrors: /507/ });
    const input = page.locator('input[type=file]');
    await input.setInputFiles({ ...text('big.bin'), buffer: Buffer.alloc(2_000_000) });
    const reason = 'Not added: big.bin. A message can have 10 files of at most 976.6 KB.';
    await page.locator('.tray').getByText(reason).waitFor();
    expect(await page.getByRole('status', { name: 'News' }).innerText()).toBe(reason);
    harness.sim.refuseNext(507, { code: 'sim_storage_full', message: 'Storage is full.' });
    await input.setInputFiles(text());
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('list', { name: 'Failed' }).getByText('Storage is full.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page
      .locator('.row')
      .last()
      .getByRole('link', { name: /notes\.txt/ })
      .waitFor();
  });

  it('of types that are documents are never shown as images', async () => {
    const page = await harness.open();
    const script = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const buffer = Buffer.from(script);
    await page.locator('input[type=file]').setInputFiles([
      { name: 'a.svg', mimeType: 'image/svg+xml', buffer },
      { name: 'a.html', mimeType: 'text/html', buffer },
      // The file is no image despite its type: a card replaces it.
      { name: 'broken.png', mimeType: 'image/png', buffer },
    ]);
    await page.getByRole('button', { name: 'Send' }).click();
    const row = page.locator('.row').last();
    await expect.poll(() => row.locator('.attachment').count(), SOON).toBe(3);
    for (const name of ['a.svg', 'a.html']) {
      expect(await row.getByRole('img', { name }).count()).toBe(0);
    }
    // The browser has to load the broken file before it knows that the file is no image.
    await expect.poll(() => row.getByRole('img').count(), SOON).toBe(0);
  });

  it('with long names leave room for the text field on a small screen', async () => {
    const page = await harness.open({ viewport: { width: 320, height: 560 } });
    const names = ['a', 'b', 'c'].map((letter) => `${letter.repeat(240)}.txt`);
    await page.locator('input[type=file]').setInputFiles(names.map(text));
    await composer(page).fill('/hello ');
    await page.getByText('Not sent with this command').waitFor();
    const { y, height } = (await page.locator('.composer-box').boundingBox()) ?? {
      y: 560,
      height: 0,
    };
    expect(y + height).toBeLessThanOrEqual(560);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });

  it('stay in their channel', async () => {
    const page = await harness.open();
    await page.locator('input[type=file]').setInputFiles(text());
    await tray(page).waitFor();
    await page.locator('.channel', { hasText: 'empty' }).click();
    await expect.poll(() => tray(page).count(), SOON).toBe(0);
    await page.locator('.channel', { hasText: 'general' }).click();
    await tray(page).getByText('notes.txt').waitFor();
  });
});
