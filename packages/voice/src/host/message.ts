import type { WhipTarget } from '../whip/whip-client.js';

/** How the host reaches the platform, to close ingresses when the bot is gone. */
export interface Platform {
  readonly baseUrl: string;
  readonly token: string;
}

/** Asks a host that is a process whether it still answers. */
export const PING = 'ping';
export const PONG = 'pong';

/** From the bot to the host of its streams. */
export type HostRequest =
  | { readonly type: 'platform'; readonly platform: Platform }
  /** Opens a stream, or connects it again to another ingress. */
  | {
      readonly type: 'connect';
      readonly id: number;
      readonly channelId: string;
      readonly target: WhipTarget;
    }
  | {
      readonly type: 'packets';
      readonly id: number;
      readonly epoch: number;
      readonly packets: readonly Uint8Array[];
    }
  /** No packets follow. */
  | { readonly type: 'end'; readonly id: number; readonly epoch: number }
  /** Drops packets that were not played, and begins another epoch. */
  | { readonly type: 'flush'; readonly id: number; readonly epoch: number }
  | { readonly type: 'pause'; readonly id: number; readonly isPaused: boolean }
  | { readonly type: 'close'; readonly id: number };

/** What a stream has sent. */
export interface SendStats {
  /** RTP packets, with those of silence. */
  readonly packetsSent: number;
  /** How often audio was missing when it was due. */
  readonly underruns: number;
  /** Time in which the event loop was blocked for longer than could be caught up, in milliseconds. */
  readonly skippedMs: number;
}

/** From the host to the bot. */
export type HostReply =
  | { readonly type: 'connected'; readonly id: number }
  | {
      readonly type: 'lost';
      readonly id: number;
      readonly reason: string;
      /** Code and details of a refusal. */
      readonly error?: { readonly code: string; readonly details: object } | undefined;
    }
  /** The number of packets that were played since the last reply. */
  | {
      readonly type: 'played';
      readonly id: number;
      readonly epoch: number;
      readonly count: number;
      readonly stats: SendStats;
    }
  /** All packets were played, after `end`. */
  | {
      readonly type: 'drained';
      readonly id: number;
      readonly epoch: number;
      readonly stats: SendStats;
    }
  | { readonly type: 'closed'; readonly id: number };

/** Where the streams of a bot are sent from: a process of their own, or this one. */
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
