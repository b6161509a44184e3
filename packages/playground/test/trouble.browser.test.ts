import { describe, expect, it } from 'vitest';
import type { SimProblem } from '@virgule/core/simulator-api';
import { setUpBrowser } from './browser-harness.js';
import {
  BOT,
  EMPTY,
  GENERAL,
  GRACE,
  LOUNGE,
  SANDBOX,
  id,
  message,
  snapshot,
} from './sample-world.js';

const PROBLEM: SimProblem = {
  code: 'E_COMPILE',
  message: 'Unexpected token, expected ","',
  where: 'commands/play.ts:14:22',
  frame: '  13 | run() {\n> 14 |   <script>alert(1)</script>\n  15 | }',
  hint: 'Close the call.',
};

/** Texts that would run as a script if one of them became HTML. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(2)>',
  '"><svg onload=alert(3)>',
  '[click](javascript:alert(4))',
  '[click](data:text/html,<script>alert(5)</script>)',
  '**<b onmouseover=alert(6)>bold</b>**',
  '`<iframe src=javascript:alert(7)>`',
  '```\n</code></pre><script>alert(8)</script>\n```',
  '> <a href="javascript:alert(9)">quote</a>',
  '- <style>*{display:none}</style>',
  '<@"><img src=x onerror=alert(10)>>',
  'https://example.com/"onmouseover="alert(11)',
  '\u202eright to left \u0000 nul',
];

describe('a page in trouble', () => {
  const harness = setUpBrowser();

  it('shows a problem of the bot until it is gone', async () => {
    const page = await harness.open();
    harness.sim.push({ type: 'problems', problems: [PROBLEM] });
    const panel = page.getByRole('region', { name: 'Problems' });
    await panel.waitFor();
    const text = await panel.innerText();
    for (const part of [PROBLEM.message, PROBLEM.where, 'E_COMPILE', 'Close the call.']) {
      expect(text).toContain(part);
    }
    expect(await panel.locator('.frame-line-marked').innerText()).toContain('<script>');
    expect(await page.getByRole('alert').innerText()).toContain('commands/play.ts:14:22');

    // Next to the title in a narrow window too.
    await page.setViewportSize({ width: 390, height: 844 });
    const hide = await panel.getByRole('button', { name: 'Hide' }).boundingBox();
    expect(hide?.y).toBeLessThan(((await panel.boundingBox())?.y ?? 0) + 8);

    await page.locator('#composer').focus();
    await page.keyboard.press('Escape');
    await panel.getByRole('button', { name: 'Show' }).waitFor();
    expect(await panel.getByText(PROBLEM.message).count()).toBe(0);
    await panel.getByRole('button', { name: 'Show' }).click();
    await panel.getByText(PROBLEM.message).waitFor();

    await page.keyboard.press('Escape');
    harness.sim.push({
      type: 'problems',
      problems: [PROBLEM, { code: 'E_X', message: 'Another' }],
    });
    await panel.getByText('2 problems').waitFor();
    await panel.getByText('Another').waitFor();

    harness.sim.push({ type: 'problems', problems: [] });
    await panel.waitFor({ state: 'detached' });
  });

  it('says what was refused, and tries again', async () => {
    const page = await harness.open({ allowedErrors: /status of 400/ });
    harness.sim.refuseNext(400, {
      code: 'bot_validation_error',
      message: 'content must be 1 to 2000 characters',
      details: { field: 'content' },
      requestId: 'req-1',
    });
    await page.locator('#composer').fill('refused');
    await page.keyboard.press('Enter');
    const failure = page.getByRole('list', { name: 'Failed' }).getByRole('listitem');
    await failure.waitFor();
    const text = await failure.innerText();
    for (const part of ['refused', 'content must be 1', 'bot_validation_error', 'req-1']) {
      expect(text).toContain(part);
    }
    await failure.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.row', { hasText: 'refused' }).waitFor();
    await failure.waitFor({ state: 'detached' });
  });

  it('comes back after a lost connection with all it missed', async () => {
    const page = await harness.open({ allowedErrors: /WebSocket connection/ });
    await page.locator('#composer').fill('a draft');
    harness.sim.drop(true);
    await page.getByText(/connection to the simulator is lost/).waitFor();
    await page.getByText('page offline').waitFor();
    harness.sim.push({ type: 'message', message: message(GRACE, 'while you were away') });
    harness.sim.push({ type: 'bot', bot: { ...BOT, connected: false } });
    const button = await page.getByRole('button', { name: 'Reconnect now' }).elementHandle();
    harness.sim.drop(false);
    // The page may have connected by itself, and removed the button.
    await button?.evaluate((element) => (element as HTMLElement).click());
    await page.getByText('while you were away').waitFor();
    await page.getByText('page live').waitFor();
    await page.getByText('bot not connected').waitFor();
    expect(await page.getByText(/connection to the simulator is lost/).count()).toBe(0);
    expect(await page.locator('#composer').inputValue()).toBe('a draft');
  });

  it('comes back by itself', async () => {
    const page = await harness.open({ allowedErrors: /WebSocket connection/ });
    harness.sim.drop(true);
    await page.getByText('page offline').waitFor();
    harness.sim.drop(false);
    await page.getByText('page live').waitFor();
    expect(await page.locator('.banner').count()).toBe(0);
  });

  it('shows hostile text as text', async () => {
    const page = await harness.open();
    const { url } = harness.sim;
    const author = { ...GRACE, displayName: '<img src=x onerror=alert(20)>' };
    for (const content of HOSTILE) {
      harness.sim.push({
        type: 'message',
        message: message(author, content, {
          attachments: [
            {
              id: id(80),
              fileName: '<script>alert(21)</script>.txt',
              contentType: 'text/html',
              size: 1,
              url: 'javascript:alert(22)',
            },
            { id: id(81), fileName: 'x', contentType: '', size: 1, url: '//evil.example/x' },
          ],
          replyTo: {
            messageId: 'x',
            authorUsername: '<script>',
            content: '<img onerror=alert(23)>',
          },
          poll: { question: '<script>alert(24)</script>' },
          reactions: [
            {
              emoji: { kind: '<b>', unicodeEmoji: '<svg onload=alert(25)>' },
              count: 1,
              me: false,
              userIds: [GRACE.id],
            },
          ],
        }),
      });
    }
    harness.sim.push({
      type: 'commands',
      commands: [
        {
          id: 'x',
          name: '<script>',
          description: '<img src=x onerror=alert(26)>',
          options: [],
          createdAt: '',
          botUserId: BOT.botUserId,
        },
      ],
    });
    // The last message, and the commands that arrived after it.
    await page.locator('.row', { hasText: 'right to left' }).waitFor();
    await page.locator('#composer').pressSequentially('/');
    await page.getByRole('option', { name: '/<script>' }).waitFor();
    const found = await page.locator('#page').evaluate((root) => ({
      foreign: root.querySelectorAll(
        'script, img:not([src="/_files/emojis/party"]), iframe, style, object, embed',
      ).length,
      handlers: [...root.querySelectorAll('*')].filter((element) =>
        element.getAttributeNames().some((name) => name.startsWith('on')),
      ).length,
      links: [...root.querySelectorAll('a')].map((link) => link.protocol),
      away: [...root.querySelectorAll('a')].map((link) => link.host),
    }));
    expect(found.foreign).toBe(0);
    expect(found.handlers).toBe(0);
    expect(new Set(found.links)).toEqual(new Set(['http:', 'https:']));
    expect(new Set(found.away)).toEqual(new Set([new URL(url).host, 'example.com']));
    expect(await page.locator('.row').last().innerText()).toContain('right to left');
  });

  it('opens no address but those of the web', async () => {
    const page = await harness.open();
    harness.sim.push({ type: 'message', message: message(GRACE, 'see https://example.com/a') });
    const link = page.getByRole('link', { name: 'https://example.com/a' });
    await link.waitFor();
    expect(await link.getAttribute('rel')).toContain('noopener');
    expect(await link.getAttribute('target')).toBe('_blank');
  });

  it('says what to do in an empty channel, from the real commands', async () => {
    const page = await harness.open({ path: `/s/${SANDBOX.id}/c/${EMPTY.id}` });
    const cards = page.getByRole('list', { name: 'First steps' });
    await cards.getByText('Edit commands/hello.ts').waitFor();
    await cards.getByRole('button', { name: /Try \/roll/ }).click();
    expect(await page.locator('#composer').inputValue()).toBe('/roll ');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('composer');
    harness.sim.push({ type: 'commands', commands: [] });
    harness.sim.push({ type: 'problems', problems: [{ code: 'E_X', message: 'broken' }] });
    await cards.getByText('Fix the problem').waitFor();
    await page.getByText('bot not started').waitFor();
    harness.sim.push({ type: 'problems', problems: [] });
    harness.sim.push({ type: 'bot', bot: { ...BOT, connected: false } });
    await cards.getByText('Add commands/hello.ts').waitFor();
    await cards.getByText('Start the bot').waitFor();
  });

  it('shows that an ingress was left open', async () => {
    const page = await harness.open();
    harness.sim.push({
      type: 'voice',
      voice: { channelId: LOUNGE.id, participants: [], ingressOpen: true },
    });
    await page.getByText('ingress open, no audio').waitFor();
    expect(await page.getByRole('list', { name: 'In Lounge' }).count()).toBe(0);
  });

  it('handles a world without channels, and a URL that does not exist', async () => {
    const page = await harness.open({ path: `/s/nowhere/c/${id(4)}?as=unknown` });
    expect(new URL(page.url()).pathname).toBe(`/s/${SANDBOX.id}/c/${GENERAL.id}`);
    expect(new URL(page.url()).searchParams.get('as')).toBe('ada');
    harness.sim.push({
      type: 'snapshot',
      snapshot: snapshot({ servers: [], channels: [], users: [], commands: [] }),
    });
    await page.getByText('No channel to show').waitFor();
  });
});
