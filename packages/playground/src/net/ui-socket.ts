import type { SimEvent, SimFrame } from '@virgule/core/simulator-api';
import { isObject, orUndefined } from '@virgule/core/objects';

/** Delay before the first attempt to reconnect, which doubles up to the maximum. */
const MIN_MS = 500;
const MAX_MS = 5_000;

export type Connection = 'connecting' | 'open' | 'lost';

export interface UiSocketOptions {
  readonly open: () => WebSocket;
  readonly setTimer: (callback: () => void, delayMs: number) => number;
  readonly clearTimer: (timer: number) => void;
  readonly onEvent: (event: SimEvent) => void;
  readonly onConnection: (connection: Connection) => void;
}

function readFrame(data: unknown): SimFrame {
  const frame = orUndefined<unknown>(() => JSON.parse(String(data)));
  if (!Array.isArray(frame)) return [];
  // The frames come from the server of this page; readers ignore unknown types.
  return (frame as SimFrame).filter((event: unknown) => isObject(event) && 'type' in event);
}

/** Opens a connection to the simulator that reconnects automatically. */
export function openUiSocket(options: UiSocketOptions) {
  const { open, setTimer, clearTimer, onEvent, onConnection } = options;
  let socket: WebSocket | null = null;
  let timer: number | null = null;
  let failures = 0;

  const connect = () => {
    timer = null;
    const current = open();
    socket = current;
    current.addEventListener('message', ({ data }) => {
      if (socket !== current) return;
      for (const event of readFrame(data)) {
        onEvent(event);
        if (event.type !== 'snapshot') continue;
        failures = 0;
        onConnection('open');
      }
    });
    current.addEventListener('close', () => {
      if (socket !== current) return;
      const delayMs = Math.min(MAX_MS, MIN_MS * 2 ** failures);
      failures += 1;
      onConnection('lost');
      timer = setTimer(connect, delayMs);
    });
  };

  onConnection('connecting');
  connect();
  return {
    /** Opens a new connection now, which replaces the open or awaited connection. */
    reconnectNow: () => {
      if (timer !== null) clearTimer(timer);
      const last = socket;
      connect();
      last?.close();
    },
  };
}
