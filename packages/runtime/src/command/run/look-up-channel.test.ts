import type { Channel } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createFakeRest } from '../../../test/fake-rest.js';
import { SERVER } from '../../../test/ids.js';
import { createRecordedLog } from '../../../test/recorded-log.js';
import { startCommand } from '../../../test/test-bot.js';
import { createTestEnvironment } from '../../../test/test-environment.js';
import { option } from '../../options/option.js';
import { createChannelLookup } from './look-up-channel.js';

const idOf = (number: number): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const channel = (name: string, number: number): Channel => ({
  id: idOf(number),
  serverId: SERVER,
  name,
  type: 'text',
  position: number,
  topic: null,
});
const CHANNELS = [
  channel('general', 1),
  channel('Off Topic', 2),
  channel('café', 3),
  channel('twin', 4),
  channel('twin', 5),
  channel('Twin', 6),
];

function lookUp(channels: unknown = CHANNELS) {
  const { rest, calls, always } = createFakeRest();
  always('servers.channels', channels);
  const log = createRecordedLog();
  const { signal } = new AbortController();
  const env = createTestEnvironment({ rest, log });
  const event = {
    interactionId: idOf(1),
    serverId: SERVER,
    channelId: idOf(2),
    name: 'x',
    rawInput: '/x',
  };
  return { find: createChannelLookup({ env, event, lifetime: { signal } }), calls, log, signal };
}

const refused = (why: string) => ({ reason: `${why}; choose it from the list, or use its id` });

describe('createChannelLookup', () => {
  it.each([
    ['general', 1],
    ['GENERAL', 1],
    ['off topic', 2],
    ['cafe\u0301', 3],
  ])('finds %s', async (name, number) => {
    expect(await lookUp().find(name)).toEqual({ id: idOf(number) });
  });

  it.each([
    ['nowhere', 'there is no channel #nowhere here that I can see'],
    ['gener', 'there is no channel #gener here that I can see'],
    ['__proto__', 'there is no channel #__proto__ here that I can see'],
    ['twin', '3 channels are called #twin'],
    ['@everyone', 'there is no channel #@\u200Beveryone here that I can see'],
    ['<@&1>', 'there is no channel #<@\u200B&1> here that I can see'],
  ])('refuses %s politely', async (name, why) => {
    expect(await lookUp().find(name)).toEqual(refused(why));
  });

  it('asks the platform when the first name is looked for, and once for all', async () => {
    const { find, calls, signal } = lookUp();
    expect(calls).toEqual([]);
    await Promise.all([find('general'), find('twin'), find('nowhere')]);
    expect(calls).toEqual([{ endpoint: 'servers.channels', args: [SERVER, { signal }] }]);
  });

  it('says that the channels cannot be read, and logs why', async () => {
    const { find, log } = lookUp(new Error('503'));
    expect(await find('general')).toEqual(
      refused('the channels of this server cannot be read now'),
    );
    expect(log.at('warn')).toEqual(['could not read the channels of a server']);
  });
});

describe('a command with a channel option', () => {
  const start = () =>
    startCommand({
      options: z.object({
        where: option.channel(),
        other: option.channel().optional(),
        who: option.user().optional(),
      }),
      run: ({ options }) => Object.values(options).map(String).join(' '),
    });

  it.each([
    ['#general', `respond <#${idOf(1)}>`],
    ['"#off topic" other:#café', `respond <#${idOf(2)}> <#${idOf(3)}>`],
    ['--where=#GENERAL', `respond <#${idOf(1)}>`],
  ])('takes the name in /x %s', async (typed, answer) => {
    const { run, rest } = await start();
    rest.always('servers.channels', CHANNELS);
    expect(await run(`/x ${typed}`)).toEqual(['servers.channels', answer]);
  });

  it.each([`<#${idOf(9)}>`, idOf(9)])('makes no request for %s', async (typed) => {
    const { run } = await start();
    expect(await run(`/x ${typed}`)).toEqual([`respond <#${idOf(9)}>`]);
  });

  it.each([
    ['#nowhere', '#nowhere', 'there is no channel #nowhere here that I can see'],
    ['#general #twin', '#twin', '3 channels are called #twin'],
  ])('answers /x %s in one line, with the usage', async (typed, shown, why) => {
    const { run, rest } = await start();
    rest.always('servers.channels', CHANNELS);
    const lines = await run(`/x ${typed}`);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(`: ${why}; choose it from the list, or use its id, got "${shown}".`);
    expect(lines[1]).toContain('Usage: /x <where> [other] [who]');
  });

  it('does not ask for a line that is refused anyway', async () => {
    const { run } = await start();
    const lines = await run('/x #general <#nonsense> --who --other');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^respond .*has no value/);
  });

  it('refuses the name of a user without asking: users cannot be looked up', async () => {
    const { run } = await start();
    const [line, ...others] = await run(`/x ${idOf(1)} who:@anna`);
    expect(others).toEqual([]);
    expect(line).toContain('who: names cannot be looked up here; choose it from the list');
  });

  it('is deferred while it asks, and answered when the platform has answered', async () => {
    const { type, rest, clock, bot } = await start();
    const held = rest.hold('servers.channels');
    type('/x #general');
    await clock.advance(1_500);
    expect(rest.lines).toEqual(['servers.channels', 'defer']);
    held.settle(CHANNELS);
    await bot.idle();
    expect(rest.lines.at(-1)).toBe(`respond <#${idOf(1)}>`);
  });

  it('ends at a shutdown during the request, with a reply to the user', async () => {
    const { type, rest, bot, clock } = await start();
    rest.hold('servers.channels');
    type('/x #general');
    const closing = bot.close();
    await clock.advance(10_000);
    await closing;
    expect(rest.lines).toContain('servers.channels');
    expect(rest.lines.filter((line) => /^(respond|edit) /.test(line))).toEqual([
      expect.stringContaining('The bot is restarting.'),
    ]);
  });
});
