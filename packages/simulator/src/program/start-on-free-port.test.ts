import { VirguleError } from '@virgule/core/errors';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Simulator } from '../simulator/simulator.js';
import { startOnFreePort } from './serve-simulator.js';

const FIRST_PORT = 7_300;

const busy = (port: number) =>
  new VirguleError({ code: 'E_PORT_BUSY', kind: 'user', message: `${port} is busy` });

/** Starts on any port but those given. */
const startExcept =
  (...taken: number[]) =>
  async (port: number) => {
    if (taken.includes(port)) throw busy(port);
  };

const reported: string[] = [];
beforeEach(() => void (reported.length = 0));
/** Starts a server, and returns its port. */
const freePort = async (asked: number | undefined, start: (port: number) => Promise<unknown>) => {
  const { port } = await startOnFreePort(
    { port: asked },
    (text) => reported.push(text),
    async ({ port: each }) => {
      await start(Number(each));
      return { port: each } as Simulator;
    },
  );
  return port;
};

describe('startOnFreePort', () => {
  it('takes the first default port', async () => {
    expect(await freePort(undefined, startExcept())).toBe(FIRST_PORT);
    expect(reported).toEqual([]);
  });

  it('moves on when a default port is busy, and reports it', async () => {
    expect(await freePort(undefined, startExcept(FIRST_PORT, FIRST_PORT + 1))).toBe(FIRST_PORT + 2);
    expect(reported).toEqual(['Port 7300 is in use; using port 7302.']);
  });

  it('fails when the port that was asked for is busy', async () => {
    await expect(freePort(9000, startExcept(9000))).rejects.toThrow('9000 is busy');
  });

  it('gives up when every default port is busy', async () => {
    await expect(
      freePort(undefined, async (port) => Promise.reject(busy(port))),
    ).rejects.toMatchObject({
      code: 'E_PORT_BUSY',
    });
  });

  it('does not hide other errors behind another port', async () => {
    const tried: number[] = [];
    const start = async (port: number) => {
      tried.push(port);
      throw new Error('no disk');
    };
    await expect(freePort(undefined, start)).rejects.toThrow('no disk');
    expect(tried).toEqual([FIRST_PORT]);
  });
});
