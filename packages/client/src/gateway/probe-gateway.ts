import { settlesWithin, systemClock } from '@virgule/core/clock';
import { raceAbort } from '@virgule/core/abort';
import { readFrame } from './frames.js';
import type { GatewayOptions } from './gateway-options.js';
import { namedInterval } from './heartbeat.js';
import { openSocket, resolveGatewayAddress } from './socket-port.js';

/** Options of `probeGateway`. */
export interface ProbeGatewayOptions extends Pick<
  GatewayOptions,
  'gatewayUrl' | 'clock' | 'WebSocket' | 'proxy'
> {
  /** Time from opening the socket to HELLO, in milliseconds. @defaultValue 10_000 */
  readonly deadlineMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Result of a probe, which opens a connection and waits for HELLO. */
export type GatewayProbe =
  | {
      readonly ok: true;
      /** Time from opening the socket to HELLO, in milliseconds. */
      readonly helloMs: number;
      /** Heartbeat interval of HELLO, in milliseconds; `undefined` if it is not a number. */
      readonly heartbeatIntervalMs: number | undefined;
    }
  | { readonly ok: false; readonly reason: string };

const DEADLINE_MS = 10_000;
/** Maximum size of a frame, in bytes. HELLO is far smaller. */
const MAX_FRAME_BYTES = 64 * 1024;

/**
 * Opens a connection, waits for HELLO and closes it (Bot Interface, Connection frames). Without IDENTIFY, a connected bot
 * stays connected. Rejects only when `signal` is aborted.
 *
 * @throws VirguleError `E_BAD_ADDRESS` when `gatewayUrl` is not a ws(s) address.
 */
export async function probeGateway(options: ProbeGatewayOptions): Promise<GatewayProbe> {
  const { gatewayUrl, clock = systemClock, deadlineMs = DEADLINE_MS, signal } = options;
  const address = resolveGatewayAddress(gatewayUrl, options.proxy);
  signal?.throwIfAborted();
  const WebSocket = options.WebSocket ?? (await import('ws')).WebSocket;
  const startedMs = clock.monotonic();
  const socket = openSocket(WebSocket, address, MAX_FRAME_BYTES);

  const probe = new Promise<GatewayProbe>((resolve) => {
    const fail = (reason: string): void => resolve({ ok: false, reason });
    socket.on('message', (data, isBinary) => {
      const frame = readFrame(data, isBinary);
      if (typeof frame === 'string') fail(`the first frame was ${frame} instead of HELLO`);
      else if (frame.op !== 'HELLO') fail(`the first frame was ${frame.op} instead of HELLO`);
      else {
        const helloMs = Math.round(clock.monotonic() - startedMs);
        const named = namedInterval(frame.d);
        const heartbeatIntervalMs = typeof named === 'number' ? named : undefined;
        resolve({ ok: true, helloMs, heartbeatIntervalMs });
      }
    });
    socket.on('unexpected-response', (_request, { statusCode }) =>
      fail(`the upgrade was answered ${statusCode ?? 'without a status'}`),
    );
    // The listener is never removed: a late error must not crash the process.
    socket.on('error', (error) => fail(error.message || error.name));
    socket.on('close', (code) => fail(`the connection was closed with ${code} before HELLO`));
  });
  const ended = signal ? raceAbort(probe, signal) : probe;
  const isInTime = await settlesWithin(ended, deadlineMs, clock);
  socket.terminate();
  return isInTime ? ended : { ok: false, reason: `no HELLO came in ${deadlineMs} ms` };
}
