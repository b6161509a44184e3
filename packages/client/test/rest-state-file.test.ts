import { silentLog } from '@virgule/core/log';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFakeClock, type FakeClock } from '@virgule/core/clock';
import { describe, expect, it } from 'vitest';
import { createRest, type HttpDispatcher, type Rest } from '@virgule/client/rest';
import { CHANNEL, TOKEN } from './test-rest.js';
import { temporaryFolder } from './temporary-folder.js';

const ORIGIN = 'https://chat.example.com';

interface Run {
  readonly rest: Rest;
  readonly clock: FakeClock;
  readonly sentAtMs: readonly number[];
}

/** A client of a platform that answers each call with this. */
function open(
  stateFile: string | undefined,
  status: number,
  { clock = createFakeClock(), baseUrl = ORIGIN } = {},
): Run {
  const sentAtMs: number[] = [];
  const dispatcher: HttpDispatcher = {
    dispatch(_request, handler) {
      sentAtMs.push(clock.now());
      const controller = { abort: () => {} };
      handler.onRequestStart(controller);
      handler.onResponseStart(controller, status, status === 429 ? { 'retry-after': '20' } : {});
      handler.onResponseEnd(controller);
    },
  };
  const random = (): number => 0;
  const log = silentLog;
  const options = { token: TOKEN, baseUrl, clock, random, dispatcher, stateFile, log };
  return { rest: createRest(options), clock, sentAtMs };
}

const say = (rest: Rest): Promise<unknown> => rest.channels.typing(CHANNEL).catch(() => {});
const pathIn = (folder: string): string => join(folder, '.virgule', 'limits.json');

describe('stateFile', () => {
  it('lets a restart wait out a pause of the run before it', async () => {
    const path = pathIn(temporaryFolder());
    const first = open(path, 429);
    const call = say(first.rest);
    await first.clock.advance(0);
    await first.rest.close();
    await call;
    expect(first.clock.pending).toBe(0);
    const second = open(path, 200, { clock: first.clock });
    const again = say(second.rest);
    await second.clock.advance(19_999);
    expect(second.sentAtMs).toEqual([]);
    await second.clock.advance(1);
    await again;
    expect(second.sentAtMs).toHaveLength(1);
    await second.rest.close();
  });

  it('is written 5 s after a 429, once for all that follow meanwhile', async () => {
    const path = pathIn(temporaryFolder());
    const { rest, clock } = open(path, 429);
    const calls = [say(rest)];
    await clock.advance(4_999);
    calls.push(say(rest));
    expect(existsSync(path)).toBe(false);
    await clock.advance(1);
    const written = readFileSync(path, 'utf8');
    expect(written).not.toContain(TOKEN);
    expect(JSON.parse(written)).toMatchObject({
      origin: ORIGIN,
      pauses: [{ route: 'channels.typing', major: CHANNEL }],
    });
    const closing = rest.close();
    await clock.advance(5_000);
    await closing;
    await Promise.all(calls);
    expect(clock.pending).toBe(0);
  });

  it.each(['http://127.0.0.1:7300', 'http://localhost:7300', 'http://[::1]:7300'])(
    'is neither read nor written for %s',
    async (baseUrl) => {
      const path = pathIn(temporaryFolder());
      const { rest, clock } = open(path, 429, { baseUrl });
      const call = say(rest);
      await clock.advance(0);
      await rest.close();
      await call;
      expect(existsSync(path)).toBe(false);
    },
  );

  it('of another platform is left alone', async () => {
    const path = pathIn(temporaryFolder());
    const first = open(path, 429);
    const call = say(first.rest);
    await first.clock.advance(0);
    await first.rest.close();
    await call;
    const other = open(path, 200, { clock: first.clock, baseUrl: 'https://chat.example.org' });
    await say(other.rest);
    expect(other.sentAtMs).toHaveLength(1);
    await other.rest.close();
  });

  it.each(['', '{', 'null', '{"origin":"https://chat.example.com"}'])(
    'that holds %j is replaced',
    async (text) => {
      const path = join(temporaryFolder(), 'limits.json');
      writeFileSync(path, text);
      const { rest, clock } = open(path, 429);
      const call = say(rest);
      await clock.advance(0);
      await rest.close();
      await call;
      expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ origin: ORIGIN });
    },
  );

  it('is not written while no pause lasts', async () => {
    const path = pathIn(temporaryFolder());
    const { rest } = open(path, 200);
    await say(rest);
    await rest.close();
    expect(existsSync(path)).toBe(false);
  });

  it('may be on a disk that cannot be written', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, '.virgule'), 'taken');
    const { rest, clock, sentAtMs } = open(pathIn(folder), 429);
    const call = say(rest);
    await clock.advance(0);
    await rest.close();
    await call;
    expect(sentAtMs).toHaveLength(1);
  });
});
