import { describe, expect, it } from 'vitest';
import { CHANNEL, SERVER } from '../../../test/ids.js';
import { createRecordedLog } from '../../../test/recorded-log.js';
import type { CommandContext } from '../context/command-context.js';
import { throttleKey } from './throttle.js';
import type { ThrottleScope } from './throttle-settings.js';

// Only what keys are made from.
const context = { serverId: SERVER, channelId: CHANNEL } as CommandContext;
const keyOf = (per: ThrottleScope, name = 'x', log = createRecordedLog()): string =>
  throttleKey(`/${name}`, per, context, log);

describe('throttleKey', () => {
  it('distinguishes commands and scopes', () => {
    const keys = (['global', 'server', 'channel', () => CHANNEL] as const).flatMap((per) => [
      keyOf(per, 'x'),
      keyOf(per, 'x-y'),
    ]);
    expect(new Set(keys).size).toBe(8);
  });

  it('is the same for the same', () => {
    expect(keyOf('channel')).toBe(`/x channel ${CHANNEL}`);
    expect(keyOf('server')).toBe(`/x server ${SERVER}`);
    expect(keyOf(() => 'ada')).toBe('/x key ada');
    expect(keyOf('global')).toBe('/x');
  });

  it.each([undefined, null, ''])(
    'falls back to the channel when a function returns %j',
    (given) => {
      const log = createRecordedLog();
      expect(keyOf(() => given, 'x', log)).toBe(keyOf('channel'));
      expect(keyOf(() => given, 'x', log)).toBe(keyOf('channel'));
      keyOf(() => given, 'y', log);
      // Once for each command.
      expect(log.at('warn')).toHaveLength(2);
    },
  );
});
