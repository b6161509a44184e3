import type { WhipTarget } from '../whip/whip-client.js';

/** Address and token of the platform, for the host to close ingresses when the bot is gone. */
export interface Platform {
  readonly baseUrl: string;
  readonly token: string;
}

/** Message that a host process answers with `PONG` as long as it is alive. */
export const PING = 'ping';
export const PONG = 'pong';

export type HostRequest =
  | { readonly type: 'platform'; readonly platform: Platform }
  /** Opens a stream, or connects it again to another ingress. */
  | {
      readonly type: 'connect';
      readonly id: number;
      readonly channelId: string;
      readonly target: WhipTarget;
    }
  | (AudioRequest & { readonly id: number })
  | { readonly type: 'pause'; readonly id: number; readonly isPaused: boolean }
  | { readonly type: 'close'; readonly id: number };

/** Audio of a stream. `end`: no packets follow. `flush`: drops packets that were not played, and begins another epoch. */
export type AudioRequest =
  | { readonly type: 'packets'; readonly epoch: number; readonly packets: readonly Uint8Array[] }
  | { readonly type: 'end' | 'flush'; readonly epoch: number };

/** Counts of a stream. */
export interface SendStats {
  /** Number of RTP packets, silence included. */
  readonly packetsSent: number;
  /** Number of times that audio was missing when it was due. */
  readonly underruns: number;
  /** Time in which the event loop was blocked for longer than could be caught up, in milliseconds. */
  readonly skippedMs: number;
}

export type HostReply =
  | { readonly type: 'connected'; readonly id: number }
  | {
      readonly type: 'lost';
      readonly id: number;
      readonly reason: string;
      readonly error?: { readonly code: string; readonly details: object } | undefined;
    }
  /** `played`: `count` packets were played since the last reply. `drained`: all packets were played, after `end`. */
  | {
      readonly type: 'played' | 'drained';
      readonly id: number;
      readonly epoch: number;
      readonly count: number;
      readonly stats: SendStats;
    }
  | { readonly type: 'closed'; readonly id: number };

/** Sender of the streams of a bot, in a separate process or in this process. */
export interface Host {
  send(request: HostRequest): void;
  /** Ends every stream, and the host. */
  close(): Promise<void>;
}

export interface HostListener {
  readonly reply: (reply: HostReply) => void;
  /** The host has ended by itself. */
  readonly gone: (reason: string) => void;
}
