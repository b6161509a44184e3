import { connect, type Socket } from 'node:net';
import { HeldStream } from './held-stream.js';

/** The network conditions that a proxy simulates. */
export interface NetworkConditions {
  /** `true` if connections are reset when they send data. */
  readonly refuse: boolean;
  /** `true` if data is held back. */
  readonly held: boolean;
  /** Delay of all data, in milliseconds. */
  readonly delayMs: number;
  /** `true` if responses of the platform are dropped and the connection is reset. */
  readonly loseResponses: boolean;
  /** Response to all requests, which then do not reach the platform. */
  readonly cannedResponse: string | undefined;
}

export const NORMAL_CONDITIONS: NetworkConditions = {
  refuse: false,
  held: false,
  delayMs: 0,
  loseResponses: false,
  cannedResponse: undefined,
};

/** Kind of a connection; known after its first bytes. */
export type Traffic = 'unknown' | 'calls' | 'gateway';

export interface ProxiedConnectionOptions {
  readonly client: Socket;
  readonly serverPort: number;
  readonly conditionsFor: (traffic: Traffic) => NetworkConditions;
  readonly onClose: () => void;
}

/** A connection through the proxy. */
export class ProxiedConnection {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #conditionsFor: (traffic: Traffic) => NetworkConditions;
  readonly #up: HeldStream;
  readonly #down: HeldStream;
  #traffic: Traffic = 'unknown';
  #isBlackholed = false;
  #isTruncating = false;

  constructor({ client, serverPort, conditionsFor, onClose }: ProxiedConnectionOptions) {
    this.#client = client;
    this.#server = connect({
      port: serverPort,
      host: '127.0.0.1',
      noDelay: true,
      allowHalfOpen: true,
    });
    this.#conditionsFor = conditionsFor;
    const conditions = (): NetworkConditions => conditionsFor(this.#traffic);
    this.#up = new HeldStream(this.#server, conditions);
    this.#down = new HeldStream(client, conditions);
    client.on('data', (chunk: Buffer) => this.#onUp(chunk));
    client.on('end', () => (this.#isBlackholed ? client.destroy() : this.#up.push(undefined)));
    client.on('error', () => {});
    client.on('close', () => {
      this.#up.stop();
      this.#down.stop();
      this.#server.destroy();
      onClose();
    });
    this.#server.on('data', (chunk: Buffer) => this.#onDown(chunk));
    this.#server.on('end', () => this.#isBlackholed || this.#down.push(undefined));
    this.#server.on('error', () => this.#isBlackholed || client.resetAndDestroy());
  }

  get traffic(): Traffic {
    return this.#traffic;
  }

  /** Forwards data that was held back. Must be called when the conditions change. */
  flush(): void {
    this.#up.flush();
    this.#down.flush();
  }

  reset(): void {
    this.#client.resetAndDestroy();
  }

  /** Stops forwarding in both directions, without closing the connection. */
  blackhole(): void {
    this.#isBlackholed = true;
  }

  /** Ends the direction from the platform to the bot. */
  halfClose(): void {
    this.#down.push(undefined);
  }

  /** Forwards half of the next data from the platform, then resets the connection. */
  truncateNext(): void {
    this.#isTruncating = true;
  }

  #onUp(chunk: Buffer): void {
    if (this.#isBlackholed) return;
    const line = chunk.toString('latin1', 0, 20);
    if (this.#traffic === 'unknown') {
      this.#traffic = line.startsWith('GET /gateway/bot') ? 'gateway' : 'calls';
    }
    const { refuse, cannedResponse } = this.#conditionsFor(this.#traffic);
    if (refuse) {
      this.reset();
    } else if (cannedResponse !== undefined && /^[A-Z]{3,7} \//.test(line)) {
      this.#client.end(cannedResponse);
      this.#server.destroy();
    } else {
      this.#up.push(chunk);
    }
  }

  #onDown(chunk: Buffer): void {
    if (this.#isBlackholed) return;
    if (this.#conditionsFor(this.#traffic).loseResponses) {
      this.reset();
    } else if (this.#isTruncating) {
      this.#client.write(chunk.subarray(0, chunk.length >> 1), () => this.reset());
    } else {
      this.#down.push(chunk);
    }
  }
}
