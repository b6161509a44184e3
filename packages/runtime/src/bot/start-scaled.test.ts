import { createFakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { createFakeRest } from '../../test/fake-rest.js';
import { projectOf } from '../../test/project-of.js';
import type { ScaledProcess } from '../scale/scale.js';
import { startScaled } from './start-scaled.js';

const never = new Promise<never>(() => {});

describe('startScaled', () => {
  it.each<[string, Partial<ScaledProcess>]>([
    ['another process compares the commands', { alone: () => never }],
    [
      'the platform cannot be reached',
      {
        alone: (task) => task(),
        startGateway: () => ({
          ready: never,
          metrics: async () => ({ standby: 1 }),
          close: async () => {},
        }),
      },
    ],
  ])('ends with its signal while %s', async (_, parts) => {
    const clock = createFakeClock();
    const stopping = new AbortController();
    let isClosed = false;
    const informed: unknown[] = [];
    // The start ends before it uses the rest.
    const scaled = { ...parts, close: async () => void (isClosed = true) } as ScaledProcess;
    const starting = startScaled({
      token: 'bot-token-made-up-7f3a',
      baseUrl: 'http://127.0.0.1:9',
      gatewayUrl: 'ws://127.0.0.1:9',
      project: await projectOf({}),
      sync: 'never',
      rest: createFakeRest().rest,
      clock,
      scaled,
      role: 'gateway',
      // A standby has figures too.
      observers: [
        {
          connecting: ({ gateway, metrics }) => void informed.push(gateway, metrics?.()),
        },
      ],
      signal: stopping.signal,
    });
    await clock.advance(0);
    stopping.abort('SIGTERM');
    await expect(starting).rejects.toBe('SIGTERM');
    expect(isClosed).toBe(true);
    const figures = parts.startGateway ? [undefined, { standby: 1 }] : [];
    expect(await Promise.all(informed)).toEqual(figures);
  });
});
