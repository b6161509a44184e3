import { describe, expect, it, vi } from 'vitest';
import type { SimTraceDetail, SimTracePage, SimTraceRow } from '@virgule/core/simulator-api';
import { openPlatform, type Platform } from './open-platform.js';

const shown = ({ kind, from, what, status }: SimTraceRow): string =>
  `${kind} ${from}: ${what}${status === undefined ? '' : ` ${status}`}`;

async function readPage({ act }: Platform, input = {}): Promise<SimTracePage> {
  const { body } = await act('trace', input);
  return body as SimTracePage;
}

async function detailOf(platform: Platform, what: RegExp): Promise<SimTraceDetail> {
  const row = platform.simulator.trace().find((each) => what.test(each.what));
  const { body } = await platform.act('detail', { row: row?.id });
  return body as SimTraceDetail;
}

const sectionOf = ({ sections }: SimTraceDetail, title: string): string | undefined =>
  sections.find((each) => each.title === title)?.text;

describe('the trace', () => {
  it('shows everything that belongs to a command, as one group', async () => {
    const platform = await openPlatform();
    const { simulator, call } = platform;
    await platform.register('roll');
    await platform.connect();
    const { id: interactionId } = simulator.run({ rawInput: '/roll 20' });
    await call('interactions.defer', { interactionId });
    await call('interactions.respond', { interactionId }, { body: { content: 'ok' } });
    simulator.logged(
      JSON.stringify({
        level: 30,
        time: 5,
        interactionId,
        ms: 12,
        parseMs: 0.5,
        msg: '/roll answered',
      }),
    );
    const rows = simulator.trace().filter(({ group }) => group === interactionId);
    expect(rows.map(shown)).toEqual([
      'frame platform: APPLICATION_COMMAND /roll 20',
      `request bot: POST /api/bot/v1/interactions/${interactionId}/defer 200`,
      'frame platform: MESSAGE_CREATE ok',
      `request bot: POST /api/bot/v1/interactions/${interactionId}/response 200`,
      'log bot: /roll answered',
    ]);
    expect(rows.map(({ endpoint }) => endpoint)).toEqual([undefined, 28, undefined, 31, undefined]);
    expect(rows.at(-1)).toMatchObject({ timings: { ms: 12, parseMs: 0.5 }, atMs: 5 });
  });

  it('shows requests that name a message as their cause in its group', async () => {
    const platform = await openPlatform();
    const { simulator, send } = platform;
    await platform.connect();
    const { id } = simulator.sendMessage({ content: 'hi' });
    await send('POST', `/api/bot/v1/channels/${platform.channelId('general')}/messages`, {
      headers: { authorization: `Bot ${simulator.token}`, 'x-virgule-cause': id },
      body: { content: 'hello' },
    });
    const rows = simulator.trace().filter(({ group }) => group === id);
    simulator.logged(JSON.stringify({ level: 30, messageId: id, msg: 'no command' }));
    expect(simulator.trace().at(-1)).toMatchObject({ kind: 'log', group: id });
    expect(rows.map(({ what }) => what.split(' ')[0])).toEqual([
      'MESSAGE_CREATE',
      'MESSAGE_CREATE',
      'POST',
    ]);
  });

  it('shows the log of the handlers of a message in its group, with the commands that they call', async () => {
    const { simulator } = await openPlatform();
    const { id } = simulator.sendMessage({ content: 'hi' });
    const log = (fields: object): void =>
      simulator.logged(JSON.stringify({ causeId: id, ...fields }));
    log({ level: 30, msg: 'asked the model' });
    log({ level: 30, interactionId: 'call:1', msg: '/water 300 answered' });
    log({ level: 30, run: 'tea:1', msg: 'task tea done' });
    const where = 'events/message-create.ts:3:4';
    log({ level: 50, err: { message: 'no' }, where, msg: 'failed: no' });
    const rows = simulator.trace().filter(({ group }) => group === id);
    expect(rows.map(({ what }) => what)).toEqual([
      'asked the model',
      '/water 300 answered',
      'failed: no',
    ]);
    const message = simulator.messages().at(-1);
    expect(message).toMatchObject({ id, failure: { message: 'no', where } });
  });

  it('masks tokens in headers, bodies and frames', async () => {
    const platform = await openPlatform();
    const { simulator } = platform;
    await platform.connect();
    await platform.call('voice.join', { channelId: platform.channelId('Lounge') });
    const all = await platform.act('export');
    expect(all.text).toContain('authorization: [masked]');
    expect(all.text).toContain(String.raw`\"token\":\"[masked]\"`);
    expect(all.text).not.toContain(simulator.token);
    expect(all.text).not.toMatch(/\\"token\\":\\"(?!\[masked\])/);
  });

  it('has the headers of each request', async () => {
    const platform = await openPlatform();
    const sent: readonly Record<string, string>[] = [
      { 'x-one': '1' },
      { 'x-one': '1' },
      { 'x-one': '2' },
      { 'x-two': '1' },
      {},
    ];
    for (const headers of sent) await platform.send('GET', '/api/bot/v1/users/@me', { headers });
    const { text } = await platform.act('export');
    const shownHeaders = text
      .split('\n', sent.length)
      .map((line) => sectionOf(JSON.parse(line), 'Request headers')?.match(/x-\w+: \d/g) ?? []);
    expect(shownHeaders).toEqual([['x-one: 1'], ['x-one: 1'], ['x-one: 2'], ['x-two: 1'], []]);
  });

  it('has the bodies and headers of a refused request', async () => {
    const platform = await openPlatform();
    await platform.call(
      'messages.send',
      { channelId: platform.channelId('general') },
      { body: {} },
    );
    const detail = await detailOf(platform, /^POST .*messages$/);
    expect(detail).toMatchObject({ isError: true, status: 400 });
    expect(sectionOf(detail, 'Request body')).toBe('{}');
    expect(sectionOf(detail, 'Response body')).toContain('bot_validation_error');
    expect(sectionOf(detail, 'Request headers')).toContain('host: 127.0.0.1:');
  });

  it('reports an error with its source code, its stack and what to do', async () => {
    const platform = await openPlatform();
    const err = { type: 'TypeError', stack: 'TypeError: no\n    at run (./commands/bad.ts:3:36)' };
    platform.simulator.logged(
      JSON.stringify({ level: 50, err, frame: '> 3 | x', hint: 'Use y.', msg: '/bad failed' }),
    );
    const detail = await detailOf(platform, /bad failed/);
    expect(detail.isError).toBe(true);
    expect(sectionOf(detail, 'Error')).toContain('./commands/bad.ts:3:36');
    expect(sectionOf(detail, 'Source code')).toBe('> 3 | x');
    expect(sectionOf(detail, 'Hint')).toBe('Use y.');
  });

  it('keeps the line of a command, and the error of its bot', async () => {
    const { simulator, register } = await openPlatform();
    await register('roll');
    const { id } = simulator.run({ rawInput: '/roll' });
    const err = { code: 'E_STORAGE_VALUE', message: 'no date' };
    const where = 'commands/roll.ts:3:4';
    simulator.logged(JSON.stringify({ level: 50, interactionId: id, err, where, msg: 'failed' }));
    expect(simulator.interaction(id)).toMatchObject({
      failure: { ...err, where },
    });
    simulator.logged(JSON.stringify({ level: 30, run: 'tea:1', msg: 'task tea done' }));
    expect(simulator.trace().at(-1)?.group).toBe('tea:1');
  });

  it('notes an interaction that expires', async () => {
    const platform = await openPlatform();
    await platform.register('roll');
    const { id } = platform.simulator.run({ rawInput: '/roll' });
    await platform.clock.advance(60_000);
    const rows = platform.simulator.trace().filter(({ group }) => group === id);
    expect(rows.map(shown)).toEqual(['notice platform: expired without an answer']);
  });

  it('notes how a socket ends, and frames that are not valid', async () => {
    const platform = await openPlatform();
    const socket = await platform.connect();
    socket.sendText('{"op":"RESUME"}');
    await socket.closeCode();
    const rows = () => platform.simulator.trace().map(shown);
    await vi.waitFor(() =>
      expect(rows().at(-1)).toMatch(/^notice platform: socket closed: a bot must not .* 4002$/),
    );
    expect(rows()).toContain('frame bot: RESUME');
  });

  it('drops the oldest rows, and reports which is the first', async () => {
    const platform = await openPlatform();
    const { simulator } = platform;
    for (let n = 1; n <= 60_000; n += 1) simulator.logged(`{"msg":"${n}"}`);
    const page = await readPage(platform, { after: 0, limit: 2 });
    const { firstId } = page;
    expect(60_001 - firstId).toBeGreaterThanOrEqual(50_000);
    expect(60_001 - firstId).toBeLessThan(56_000);
    expect(page.hasMore).toBe(true);
    expect(page.rows.map(({ what }) => what)).toEqual([`${firstId}`, `${firstId + 1}`]);
    const last = await readPage(platform, { after: 59_999 });
    expect(last.rows.map(({ what }) => what)).toEqual(['60000']);
    expect((await platform.act('detail', { row: firstId - 1 })).status).toBe(404);
    const { body } = await platform.act('detail', { row: firstId });
    expect(body).toMatchObject({ id: firstId, what: `${firstId}` });
  });

  it('keeps at most 32 Mi characters of details', async () => {
    const { simulator } = await openPlatform();
    const line = JSON.stringify({ msg: 'big', text: 'x'.repeat(70_000) });
    for (let n = 0; n < 600; n += 1) simulator.logged(line);
    const { length } = simulator.trace();
    expect(length * 70_000).toBeLessThan(32 * 1024 * 1024);
    expect(length * 70_000).toBeGreaterThan(28 * 1024 * 1024);
  });

  it('exports requests as an HTTP archive', async () => {
    const platform = await openPlatform();
    await platform.call('users.me');
    const { body } = await platform.act('export', { format: 'har' });
    expect(body).toMatchObject({
      log: {
        version: '1.2',
        entries: [
          {
            request: { method: 'GET', url: `${platform.simulator.baseUrl}/api/bot/v1/users/@me` },
            response: { status: 200, content: { mimeType: 'application/json; charset=utf-8' } },
          },
        ],
      },
    });
  });
});
