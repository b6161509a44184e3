import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { TokenState } from '@virgule/client/gateway';
import {
  COMMAND,
  HELLO,
  READY,
  connectGateway,
  live,
  makeReady,
  type TestGateway,
} from './test-gateway.js';
import { TOKEN } from './test-rest.js';

/** The pauses before each connection so far, in milliseconds. */
const pauses = ({ statuses }: TestGateway): number[] =>
  statuses.flatMap((status) => (status.state === 'reconnecting' ? [status.delayMs] : []));

describe('connect()', () => {
  it.each(['', '  ', 'a\nb'])(
    'rejects at once for the token %j, and opens nothing',
    async (token) => {
      const test = connectGateway({ token });
      expect(await test.connected).toMatchObject({ code: 'E_UNAUTHORIZED' });
      expect(test.sockets.opened).toEqual([]);
    },
  );

  it.each([200, 301, 404, 405, 410, 426, 501])(
    'rejects when the upgrade was answered %i five times in a row: the address is wrong',
    async (statusCode) => {
      const test = connectGateway();
      for (let attempt = 1; attempt <= 5; attempt += 1) {
        expect(test.sockets.opened).toHaveLength(attempt);
        test.sockets.last.refuse({ statusCode, headers: {} });
        await test.clock.advance(pauses(test).at(-1) ?? 0);
      }
      expect(await test.connected).toMatchObject({
        code: 'E_UNREACHABLE',
        message: `wss://chat.test cannot be reached (the upgrade was answered ${statusCode}, 5 tries); GET /gateway/bot was not sent.`,
        hint: expect.stringContaining('BOT_GATEWAY_URL'),
      });
      expect(test.statuses.at(-1)).toMatchObject({ state: 'closed' });
      expect(test.clock.pending).toBe(0);
    },
  );

  it('continues when another answer came in between, or READY before', async () => {
    const test = connectGateway();
    const refuse = async (statusCode: number, times: number): Promise<void> => {
      for (let attempt = 0; attempt < times; attempt += 1) {
        test.sockets.last.refuse({ statusCode, headers: {} });
        await test.clock.advance(pauses(test).at(-1) ?? 0);
      }
    };
    await refuse(404, 4);
    await refuse(503, 1);
    await refuse(404, 4);
    makeReady(test);
    test.sockets.last.hangUp(1006);
    await test.clock.advance(300_000);
    await refuse(404, 6);
    expect(test.statuses.at(-1)).toMatchObject({ state: 'reconnecting' });
  });

  it('is not silent without a log: what is wrong is a warning of the process', async () => {
    const warnings: string[] = [];
    const note = ({ name, message }: Error): void => {
      if (name === 'VirguleWarning') warnings.push(message);
    };
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => write.mockRestore());
    const test = connectGateway({ log: undefined });
    test.sockets.last.fail(new Error('connect ECONNREFUSED 127.0.0.1:9'));
    await vi.waitFor(() => expect(warnings.join()).toContain('ECONNREFUSED'));
  });
});

describe('a lost connection', () => {
  it('is replaced after a pause that doubles with each failure, up to 30 s', async () => {
    const test = connectGateway();
    for (let attempt = 0; attempt < 8; attempt += 1) {
      test.sockets.last.fail(new Error('connect ECONNREFUSED'));
      await test.clock.advance(pauses(test).at(-1) ?? 0);
    }
    const first = [500, 1_000, 2_000, 4_000, 8_000];
    expect(pauses(test)).toEqual([...first, 15_000, 15_000, 15_000]);
    expect(test.sockets.opened).toHaveLength(9);
    expect(test.statuses[2]).toEqual({
      state: 'reconnecting',
      reason: 'connect ECONNREFUSED',
      attempt: 3,
      delayMs: 2_000,
    });
  });

  it.each([
    [
      'refuses connections',
      (test: TestGateway) => test.sockets.last.fail(new Error('ECONNREFUSED')),
    ],
    [
      'answers 503 and asks for an hour',
      ({ sockets }: TestGateway) =>
        sockets.last.refuse({ statusCode: 503, headers: { 'retry-after': '3600' } }),
    ],
    ['accepts and is silent', () => {}],
    [
      'identifies and is silent',
      ({ sockets }: TestGateway) => {
        sockets.last.accept();
        sockets.last.frame(HELLO);
      },
    ],
  ])('is replaced within 60 s after 11 minutes in which the gateway %s', async (_how, fault) => {
    for (const [chance, mostAttempts] of [
      [0, 700],
      [0.5, 70],
      [0.999, 40],
    ] as const) {
      const test = connectGateway({ random: () => chance });
      makeReady(test);
      test.sockets.last.hangUp(1006);
      const { clock } = test;
      let seen = test.sockets.opened.length;
      while (clock.elapsedMs < 660_000) {
        await clock.advance(1_000);
        if (test.sockets.opened.length > seen) fault(test);
        seen = test.sockets.opened.length;
      }
      const endMs = clock.elapsedMs;
      // The last attempt of the outage may still have to be given up.
      while (test.sockets.opened.length === seen) await clock.advance(1_000);
      expect(clock.elapsedMs - endMs).toBeLessThanOrEqual(61_000);
      makeReady(test);
      expect(test.statuses.at(-1)).toMatchObject({ state: 'ready', reconnected: true });
      expect(test.sockets.opened.length).toBeLessThan(mostAttempts);
    }
  });

  it.each([
    [5, 5],
    [5, 1],
    [5, 60],
    [1, 0],
  ])(
    'is replaced within 60 s after ten minutes in which the gateway is there for %d s and away for %d s',
    async (upSeconds, downSeconds) => {
      for (const chance of [0, 0.5, 0.999]) {
        const test = connectGateway({ random: () => chance });
        const { clock, sockets } = test;
        let seen = 0;
        const answer = (isUp: boolean): void => {
          if (sockets.opened.length > seen && isUp) makeReady(test);
          else if (sockets.opened.length > seen) sockets.last.fail(new Error('ECONNREFUSED'));
          seen = sockets.opened.length;
        };
        while (clock.elapsedMs < 600_000) {
          const cycle = upSeconds + downSeconds;
          const second = Math.floor(clock.elapsedMs / 1_000) % cycle;
          if (second === upSeconds % cycle && test.gateway.health().isReady)
            sockets.last.hangUp(1006);
          answer(second < upSeconds);
          await clock.advance(500);
        }
        for (const endMs = clock.elapsedMs; !test.gateway.health().isReady;) {
          expect(clock.elapsedMs - endMs).toBeLessThanOrEqual(60_000);
          answer(true);
          await clock.advance(500);
        }
      }
    },
  );

  it('is counted by the code it was closed with', async () => {
    const test = connectGateway();
    for (const code of [1006, 4242, 1006]) {
      makeReady(test);
      test.sockets.last.hangUp(code);
      await test.clock.advance(30_000);
    }
    test.sockets.last.fail(new Error('connect ECONNREFUSED'));
    expect(test.gateway.counts.endings).toEqual({ 1006: 2, 4242: 1 });
  });

  it('is replaced after a pause between nothing and the whole', async () => {
    for (const [chance, delayMs] of [
      [0, 0],
      [0.999, 999],
    ] as const) {
      const test = connectGateway({ random: () => chance });
      test.sockets.last.hangUp(1006);
      expect(pauses(test)).toEqual([delayMs]);
    }
  });

  it.each([
    ['its heartbeat was answered', 5_000, { op: 'HELLO', d: { heartbeatInterval: 4_000 } }],
    ['it was READY for 10 s, before its first heartbeat', 10_000, HELLO],
  ])('is replaced within 1 s when %s', async (_why, forMs, hello) => {
    const test = connectGateway();
    for (let failure = 0; failure < 4; failure += 1) {
      test.sockets.last.hangUp(1006);
      await test.clock.advance(pauses(test).at(-1) ?? 0);
    }
    makeReady(test, hello);
    await live(test, forMs);
    test.sockets.last.hangUp(1001);
    expect(pauses(test).slice(-2)).toEqual([4_000, 500]);
  });

  it('still counts as failing when it ends soon after READY', async () => {
    const test = connectGateway({ gatewayUrl: 'ws://127.0.0.1:7300' });
    for (let failure = 0; failure < 8; failure += 1) {
      makeReady(test);
      await live(test, 9_000);
      test.sockets.last.hangUp(1001);
      await test.clock.advance(pauses(test).at(-1) ?? 0);
    }
    expect(pauses(test)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000, 15_000]);
  });

  it.each([
    ['no connection in 10000 ms', 10_000, () => {}],
    ['no HELLO in 10000 ms', 10_000, (test: TestGateway) => test.sockets.last.accept()],
    [
      'no READY in 15000 ms',
      15_000,
      (test: TestGateway) => {
        test.sockets.last.accept();
        test.sockets.last.frame({ op: 'HELLO', d: { heartbeatInterval: 60_000 } });
      },
    ],
  ])('is reported as "%s" when a step takes too long', async (reason, deadlineMs, arrange) => {
    const test = connectGateway();
    arrange(test);
    await test.clock.advance(deadlineMs - 1);
    expect(test.statuses).toEqual([]);
    await test.clock.advance(1);
    expect(test.statuses).toMatchObject([{ state: 'reconnecting', reason }]);
    expect(test.sockets.opened[0]?.ended).toBe('terminated');
  });

  it('keeps connect() waiting for the first READY', async () => {
    const test = connectGateway();
    test.sockets.last.hangUp(1006);
    await test.clock.advance(500);
    makeReady(test);
    expect(await test.connected).toEqual(Object(READY).d);
    expect(test.statuses.at(-1)).toMatchObject({ state: 'ready', reconnected: false });
  });

  it.each([1000, 1001, 1002, 1003, 1005, 1006, 1007, 1009, 1011, 1012, 1013, 1014, 1015, 3000])(
    'is replaced after close code %d before READY',
    async (code) => {
      const test = connectGateway();
      test.sockets.last.accept();
      test.sockets.last.hangUp(code);
      await test.clock.advance(500);
      expect(test.sockets.opened).toHaveLength(2);
    },
  );

  it.each([1000, 1006, 1008, 4000, 4001, 4004, 4999])(
    'is replaced after close code %d when READY had come',
    async (code) => {
      const test = connectGateway({ checkToken: () => Promise.resolve('refused') });
      makeReady(test);
      test.sockets.last.hangUp(code, 'why not');
      await test.clock.advance(500);
      expect(test.sockets.opened).toHaveLength(2);
      expect(test.statuses.at(-1)).toMatchObject({ reason: `closed with code ${code} "why not"` });
    },
  );

  it.each([
    [404, undefined, 500],
    [429, '30', 31_500],
    [503, '7', 7_350],
    [503, '9999999', 56_700],
    [429, '9999999', 315_000],
    [500, 'soon', 500],
  ])('is replaced after an upgrade answered %d, Retry-After %s', (status, retryAfter, delayMs) => {
    const test = connectGateway();
    test.sockets.last.refuse({ statusCode: status, headers: { 'retry-after': retryAfter } });
    expect(test.statuses).toEqual([
      {
        state: 'reconnecting',
        reason: `the upgrade was answered ${status}`,
        attempt: 1,
        delayMs,
      },
    ]);
    expect(test.sockets.last.ended).toBe('terminated');
  });
});

describe('a socket that is over', () => {
  it('says nothing any more, whatever still comes from it', async () => {
    const test = connectGateway();
    makeReady(test);
    const [old] = test.sockets.opened;
    old?.fail(new Error('read ECONNRESET'));
    await test.clock.advance(500);
    makeReady(test);
    const logged = test.statuses.length;

    old?.frame(COMMAND);
    old?.frame(READY);
    old?.frame(HELLO);
    old?.frame('{');
    old?.accept();
    old?.fail(new Error('again'));
    old?.hangUp(4004);
    old?.refuse({ statusCode: 401, headers: {} });
    await live(test, 120_000);
    expect(test.statuses).toHaveLength(logged);
    expect(test.events).toEqual([]);
    expect(test.sockets.opened).toHaveLength(2);
    expect(test.gateway.frames.malformed).toBe(0);
    expect(old?.sent.filter((frame) => Object(frame).op === 'HEARTBEAT')).toEqual([]);

    test.sockets.last.frame(COMMAND);
    expect(test.events).toHaveLength(1);
  });
});

describe('a refused token', () => {
  const refusals: readonly (readonly [string, (test: TestGateway) => void])[] = [
    [
      'an upgrade answered 401',
      ({ sockets }) => sockets.last.refuse({ statusCode: 401, headers: {} }),
    ],
    [
      'close code 4004',
      ({ sockets }) => {
        sockets.last.accept();
        sockets.last.frame(HELLO);
        sockets.last.hangUp(4004, 'bad token');
      },
    ],
    [
      'close code 4001',
      ({ sockets }) => {
        sockets.last.accept();
        sockets.last.hangUp(4001);
      },
    ],
  ];
  const doubts: readonly (readonly [string, (test: TestGateway) => void])[] = [
    [
      'an upgrade answered 403',
      ({ sockets }) => sockets.last.refuse({ statusCode: 403, headers: {} }),
    ],
    ['close code 1008', ({ sockets }) => sockets.last.hangUp(1008)],
    ['close code 4000', ({ sockets }) => sockets.last.hangUp(4000)],
    ['close code 4999', ({ sockets }) => sockets.last.hangUp(4999)],
  ];

  it.each(refusals)('is final after %s', async (_name, refuse) => {
    const test = connectGateway();
    refuse(test);
    const error = await test.connected;
    expect(error).toMatchObject({ code: 'E_UNAUTHORIZED', details: { endpoint: 'gateway' } });
    expect(test.statuses).toEqual([{ state: 'closed', error }]);
    await test.clock.advance(3_600_000);
    expect(test.sockets.opened).toHaveLength(1);
    expect(test.clock.pending).toBe(0);
    await test.gateway.close();
    expect(test.statuses).toHaveLength(1);
  });

  it('is logged when it ends a gateway that was READY, as no call rejects with it', async () => {
    const test = connectGateway();
    makeReady(test);
    test.sockets.last.hangUp(1001);
    await test.clock.advance(500);
    test.sockets.last.refuse({ statusCode: 401, headers: {} });
    await vi.waitFor(() => expect(test.statuses.at(-1)).toMatchObject({ state: 'closed' }));
    expect(test.log.slice(-1).map((line) => JSON.parse(line))).toEqual([
      {
        message: 'the gateway connection ended permanently',
        code: 'E_UNAUTHORIZED',
        reason: expect.stringContaining('the upgrade was answered 401'),
      },
    ]);
  });

  it.each(doubts)('is not assumed after %s', async (_name, refuse) => {
    const test = connectGateway();
    refuse(test);
    await test.clock.advance(500);
    expect(test.sockets.opened).toHaveLength(2);
  });

  it.each([...refusals, ...doubts])('is asked about after %s: refused', async (_name, refuse) => {
    const test = connectGateway({ checkToken: () => Promise.resolve('refused') });
    refuse(test);
    expect(await test.connected).toMatchObject({ code: 'E_UNAUTHORIZED' });
  });

  it('is logged before it is asked about: the answer may take 30 s', async () => {
    const test = connectGateway({ checkToken: () => new Promise(() => {}) });
    test.sockets.last.refuse({ statusCode: 403, headers: {} });
    expect(test.log.map((line) => JSON.parse(line))).toEqual([
      {
        message: 'the gateway may have refused the bot token; checking it',
        reason: 'the upgrade was answered 403',
      },
    ]);
    await test.clock.advance(30_000);
    expect(test.statuses).toMatchObject([{ state: 'reconnecting' }]);
  });

  const answers: readonly (readonly [string, () => Promise<TokenState>])[] = [
    ['valid', () => Promise.resolve('valid')],
    ['unknown', () => Promise.resolve('unknown')],
    ['an error', () => Promise.reject(new Error('no network'))],
    [
      'a throw',
      () => {
        throw new Error('no network');
      },
    ],
  ];
  it.each(answers)('is asked about, and tried again after %s', async (_name, checkToken) => {
    const test = connectGateway({ checkToken });
    test.sockets.last.refuse({ statusCode: 401, headers: {} });
    await test.clock.advance(500);
    expect(test.sockets.opened).toHaveLength(2);
  });

  it('is waited for 30 s at most when the check does not finish', async () => {
    const test = connectGateway({ checkToken: () => new Promise(() => {}) });
    test.sockets.last.refuse({ statusCode: 401, headers: {} });
    await test.clock.advance(29_999);
    expect(test.statuses).toEqual([]);
    await test.clock.advance(501);
    expect(test.sockets.opened).toHaveLength(2);
  });

  it('is forgotten when the gateway is closed while it is asked about', async () => {
    let answer: (state: TokenState) => void = () => {};
    const test = connectGateway({ checkToken: () => new Promise((resolve) => (answer = resolve)) });
    test.sockets.last.refuse({ statusCode: 401, headers: {} });
    await test.gateway.close();
    answer('refused');
    expect(await test.connected).toMatchObject({ code: 'E_SHUTTING_DOWN' });
    await test.clock.advance(60_000);
    expect(test.statuses).toEqual([{ state: 'closed', error: undefined }]);
    expect(test.clock.pending).toBe(0);
  });

  it('is final later too, when the platform takes it back', async () => {
    const test = connectGateway();
    makeReady(test);
    test.sockets.last.hangUp(4004);
    await test.clock.advance(500);
    test.sockets.last.refuse({ statusCode: 401, headers: {} });
    await test.clock.advance(0);
    expect(test.statuses.at(-1)).toMatchObject({
      state: 'closed',
      error: { code: 'E_UNAUTHORIZED' },
    });
  });

  it('shows in no status, error or log', async () => {
    const test = connectGateway();
    test.sockets.last.accept();
    test.sockets.last.frame(HELLO);
    test.sockets.last.hangUp(4000, `bad ${TOKEN}`);
    await test.clock.advance(500);
    test.sockets.last.fail(new Error(`failed for ${TOKEN}`));
    await test.clock.advance(1_000);
    test.sockets.last.hangUp(4004, `bad ${TOKEN}`);
    const error = await test.connected;
    const logged = JSON.stringify([test.statuses, test.log, error, String(error)]);
    expect(logged).toContain('E_UNAUTHORIZED');
    expect(logged).not.toContain(TOKEN);
  });
});
