import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@virgule/core/clock';

export interface LossyRelay {
  /** Returns an SDP answer whose only candidate leads through the relay. */
  redirect(answer: string): Promise<string>;
  /** Packets that were passed on, and those that were dropped. */
  readonly counts: { readonly passed: number; readonly dropped: number };
  close(): void;
}

const CANDIDATE = /^a=candidate:\S+ 1 udp \d+ (\d+\.\d+\.\d+\.\d+) (\d+) typ host.*$/im;
const CANDIDATE_LINE = /^a=(?:candidate:.*|end-of-candidates)\r?\n/gm;

/** Removes the addresses of an offer: its receiver then answers through the relay. */
export const withoutCandidates = (sdp: string): string => sdp.replaceAll(CANDIDATE_LINE, '');

/**
 * Relays UDP between two peers, later, and not all of it: a network in user space, since not every kernel can simulate
 * one.
 */
export function openLossyRelay(options: {
  /** Part of the packets that is dropped, from 0 to 1. */
  readonly loss: number;
  /** Each way, in milliseconds. */
  readonly delayMs: number;
  /** A number from 0 up to 1. */
  readonly random: () => number;
}): LossyRelay {
  const { loss, delayMs, random } = options;
  const counts = { passed: 0, dropped: 0 };
  const sockets: Socket[] = [];
  let isClosed = false;

  function pass(from: Socket, to: () => { readonly send: (packet: Buffer) => void } | undefined) {
    from.on('message', (packet) => {
      if (random() < loss) counts.dropped += 1;
      else {
        systemClock.setTimeout(() => {
          if (isClosed) return;
          counts.passed += 1;
          to()?.send(packet);
        }, delayMs);
      }
    });
  }

  async function open(): Promise<Socket> {
    const socket = createSocket('udp4').bind(0);
    await once(socket, 'listening');
    sockets.push(socket);
    return socket;
  }

  return {
    counts,
    async redirect(answer) {
      const [line = '', address = '', port = ''] = CANDIDATE.exec(answer) ?? [];
      const [near, far] = await Promise.all([open(), open()]);
      let peer: AddressInfo | undefined;
      near.on('message', (_packet, { address: from, port: fromPort }) => {
        peer = { address: from, port: fromPort, family: 'IPv4' };
      });
      pass(near, () => ({ send: (packet) => far.send(packet, Number(port), address) }));
      pass(far, () => peer && { send: (packet) => near.send(packet, peer?.port, peer?.address) });
      const redirected = line.replace(
        ` ${address} ${port} `,
        ` ${address} ${near.address().port} `,
      );
      return answer
        .replace(line, redirected)
        .replaceAll(CANDIDATE_LINE, (each) => (each.startsWith(redirected) ? each : ''));
    },
    close() {
      isClosed = true;
      for (const socket of sockets) socket.close();
    },
  };
}
