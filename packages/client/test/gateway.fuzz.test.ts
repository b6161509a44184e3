import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMMAND, HELLO, READY, connectGateway, type TestGateway } from './test-gateway.js';

/** Frames of every kind, in every order, and much that is none. */
const frame = fc.oneof(
  fc.constantFrom<unknown>(HELLO, READY, COMMAND, { op: 'HEARTBEAT_ACK' }, '', '{', 'null'),
  fc.string(),
  fc.json({ maxDepth: 3 }),
  fc.record({
    op: fc.oneof(fc.constantFrom('DISPATCH', 'HELLO', 'READY', '__proto__'), fc.jsonValue()),
    t: fc.oneof(
      fc.constantFrom('READY', 'MESSAGE_CREATE', 'APPLICATION_COMMAND', 'constructor'),
      fc.jsonValue(),
    ),
    d: fc.oneof(
      fc.jsonValue(),
      fc.record({ heartbeatInterval: fc.jsonValue() }),
      fc.record({ interactionId: fc.jsonValue(), id: fc.jsonValue() }),
    ),
  }),
  fc.uint8Array(),
);

/** Hands a frame over as it is; bytes come as a text frame, which need not hold text. */
function put({ sockets }: TestGateway, value: unknown): void {
  if (value instanceof Uint8Array) sockets.last.text(value);
  else sockets.last.frame(value);
}

// vitest puts the environment there; the type is vite's, which is not a dependency.
const { env } = import.meta as unknown as { readonly env?: Readonly<Record<string, unknown>> };

/** More at night: `npm run fuzz`. */
const RUNS = Number(env?.['VIRGULE_FUZZ_RUNS'] ?? 2_000);

describe('any frames whatever', () => {
  it(
    'are never thrown over, and a command after them is delivered',
    () => {
      let fresh = 0;
      fc.assert(
        fc.property(fc.array(frame, { maxLength: 20 }), (frames) => {
          const test = connectGateway();
          test.sockets.last.accept();
          for (const value of frames) put(test, value);
          // A READY that cannot be read ends a connection; that is the only way out.
          const isOver = test.sockets.last.ended !== 'no';
          const delivered = test.events.length;
          test.sockets.last.frame(HELLO);
          test.sockets.last.frame(READY);
          const d = { ...Object(COMMAND).d, interactionId: `fresh-${(fresh += 1)}` };
          test.sockets.last.frame({ op: 'DISPATCH', t: 'APPLICATION_COMMAND', d });
          expect(test.events).toHaveLength(delivered + (isOver ? 0 : 1));
          const states = test.statuses.map(({ state }) => state);
          expect(states).toEqual([isOver ? 'reconnecting' : 'ready']);
          void test.gateway.close();
        }),
        { numRuns: RUNS },
      );
    },
    30_000 + RUNS * 100,
  );
});
