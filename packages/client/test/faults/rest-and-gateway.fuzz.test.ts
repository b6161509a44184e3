import { silentLog } from '@virgule/core/log';
import { isVirguleError } from '@virgule/core/errors';
import { createRest, type Rest } from '@virgule/client/rest';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { READY } from '../test-gateway.js';
import { CHANNEL, INTERACTION, TOKEN } from '../test-rest.js';
import { openGatewayWorld } from './gateway-world.js';
import { refused, startPlatform, type Act } from './platform.js';
import { createTestClock } from './test-clock.js';

// vitest puts the environment there; the type is vite's, which is not a dependency.
const { env } = import.meta as unknown as { readonly env?: Readonly<Record<string, unknown>> };

/** More at night: `npm run fuzz`. */
const RUNS = Number(env?.['VIRGULE_FUZZ_RUNS'] ?? 2_000);
const TIMEOUT_MS = 30_000 + RUNS * 100;

const headerValue = fc.oneof(
  fc.constantFrom(
    '0',
    '1',
    '-1',
    '1e9',
    'soon',
    '2147483648',
    'NaN',
    'Wed, 21 Oct 2026 07:28:00 GMT',
  ),
  fc.nat().map(String),
  fc.string({ unit: fc.constantFrom('a', '7', '-', '.', ' ', ','), maxLength: 12 }),
);
const headers = fc.dictionary(
  fc.constantFrom(
    'retry-after',
    'x-ratelimit-limit',
    'x-ratelimit-remaining',
    'x-ratelimit-reset',
    'content-type',
    'location',
    'date',
  ),
  headerValue,
);
const errorBody = fc.record(
  {
    code: fc.oneof(fc.string(), fc.jsonValue()),
    message: fc.oneof(fc.constant(`leaks ${TOKEN}`), fc.jsonValue()),
    details: fc.oneof(
      fc.record({ retryAfterSeconds: fc.jsonValue(), field: fc.jsonValue() }),
      fc.jsonValue(),
    ),
    requestId: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
const text = fc.oneof(
  fc.json(),
  errorBody.map((body) => JSON.stringify(body)),
  fc.string(),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.constant('{"__proto__":{"polluted":1}}'),
);
const status = fc.oneof(
  fc.constantFrom(200, 201, 204, 301, 304, 400, 401, 403, 404, 409, 418, 429, 500, 502, 503, 504),
  fc.integer({ min: 200, max: 599 }),
);
const answer: fc.Arbitrary<Act> = fc.record({ status, headers, text }).map(refused);
/** Bytes that need not be HTTP, and what the connection comes to. */
const raw: fc.Arbitrary<Act> = fc
  .record({
    raw: fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc.string().map((line) => `HTTP/1.1 200 OK\r\n${line}\r\n\r\n`),
      fc.nat(1_000).map((size) => `HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n{}`),
    ),
    end: fc.constantFrom('reset' as const, 'close' as const),
  })
  .map(refused);

const calls: readonly ((rest: Rest) => Promise<unknown>)[] = [
  (rest) => rest.users.me(),
  (rest) => rest.messages.send(CHANNEL, { content: 'hello' }),
  (rest) => rest.interactions.defer(INTERACTION),
  (rest) => rest.commands.list(),
];

describe('a client with random responses', () => {
  it(
    `ends each call once, with a value or one of its errors, and keeps the token (${RUNS} runs)`,
    async () => {
      let act: Act = refused('close');
      const clock = createTestClock();
      const platform = await startPlatform(
        () => act,
        () => clock.now(),
      );
      await fc.assert(
        fc.asyncProperty(
          fc.oneof({ weight: 3, arbitrary: answer }, raw),
          fc.nat(calls.length - 1),
          async (next, which) => {
            act = next;
            const rest = createRest({
              log: silentLog,
              token: TOKEN,
              baseUrl: `http://${platform.address}`,
              clock,
              random: () => 0.5,
              deadlineMs: 5_000,
            });
            let settlements = 0;
            let error: unknown;
            const startMs = clock.monotonic();
            void calls[which]?.(rest)
              .catch((reason: unknown) => (error = reason))
              .finally(() => (settlements += 1));
            await clock.push(250, () => expect(settlements).toBe(1));
            expect(clock.monotonic() - startMs).toBeLessThanOrEqual(5_000 + 500);
            const isOurs = error === undefined || isVirguleError(error);
            expect([error, isOurs]).toEqual([error, true]);
            expect(JSON.stringify([error, Object(error).message])).not.toContain(TOKEN);
            await rest.close();
          },
        ),
        { numRuns: RUNS },
      );
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
      expect(clock.pending).toBe(0);
      await platform.close();
    },
    TIMEOUT_MS,
  );
});

/** A WebSocket frame of the server's, right or wrong. */
const frame = fc
  .record({
    first: fc.oneof(fc.constantFrom(0x81, 0x82, 0x01, 0x80, 0x88, 0x89, 0x8a), fc.nat(255)),
    payload: fc.oneof(
      fc.json().map((json) => Buffer.from(json)),
      fc.uint8Array({ maxLength: 125 }).map((bytes) => Buffer.from(bytes)),
      fc.constant(Buffer.from(JSON.stringify(READY))),
      fc
        .record({ op: fc.jsonValue(), t: fc.jsonValue(), d: fc.jsonValue() })
        .map((value) => Buffer.from(JSON.stringify(value))),
    ),
    /** Difference of the stated length and the real one, in bytes. */
    off: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, fc.integer({ min: -2, max: 40 })),
  })
  .map(({ first, payload, off }) => {
    const length = Math.max(0, payload.length + off);
    const head =
      length < 126
        ? Buffer.from([first, length])
        : Buffer.from([first, 126, length >> 8, length & 0xff]);
    return Buffer.concat([head, payload]);
  });

describe('a gateway with random frames', () => {
  it(
    `recovers each time, and hands over each command once (${RUNS} runs)`,
    async () => {
      /** Number of deliveries of each command; a Map, since there are very many. */
      const handed = new Map<string, number>();
      const world = await openGatewayWorld({
        dispatch: ({ d }) => {
          const id = String(Object(d).interactionId);
          handed.set(id, (handed.get(id) ?? 0) + 1);
        },
        // Beats every second: a connection whose bytes are out of step is found out soon.
        opened: (peer) => peer.send({ op: 'HELLO', d: { heartbeatInterval: 1_000 } }),
        // No pause before a new connection.
        gateway: { random: () => 0 },
      });
      await world.ready();
      let marker = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 4 }), async (frames) => {
          world.server.last.stream.write(Buffer.concat(frames));
          marker += 1;
          const id = `marker ${marker}`;
          let sentTo = -1;
          await world.clock.push(100, () => {
            const { last } = world.server;
            if (last.isReady && last.index !== sentTo && last.socket.readyState === 1) {
              sentTo = last.index;
              last.command(id);
            }
            expect(world.gateway.counts.waiting).toBe(0);
            expect(handed.get(id)).toBe(1);
          });
        }),
        { numRuns: RUNS },
      );
      const markers = [...handed].filter(([id]) => id.startsWith('marker'));
      expect(markers.filter(([, count]) => count !== 1)).toEqual([]);
      expect(markers).toHaveLength(marker);
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
      await world.end({ mayLose: true });
    },
    TIMEOUT_MS,
  );
});
