import { connect, type Socket } from 'node:net';
import { HeldStream } from './held-stream.js';

/** What a proxy does to a connection that goes through it. */
export interface Weather {
  /** New connections are reset. */
  readonly refuse: boolean;
  /** Nothing goes through; it comes later. */
  readonly held: boolean;
  /** How late everything comes, in milliseconds. */
  readonly delayMs: number;
  /** What the platform says is thrown away, and the connection reset. */
  readonly loseAnswers: boolean;
  /** Requests are answered with this, and do not reach the platform. */
  readonly cannedAnswer: string | undefined;
}

export const FAIR_WEATHER: Weather = {
  refuse: false,
  held: false,
  delayMs: 0,
  loseAnswers: false,
  cannedAnswer: undefined,
};

/** What a connection carries; known once its first bytes came. */
export type Cargo = 'unknown' | 'calls' | 'gateway';

export interface ProxiedConnectionOptions {
  readonly client: Socket;
  readonly serverPort: number;
  readonly weatherFor: (cargo: Cargo) => Weather;
  readonly onClose: () => void;
}

/** One connection through the proxy. */
export class ProxiedConnection {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #weatherFor: (cargo: Cargo) => Weather;
  readonly #up: HeldStream;
  readonly #down: HeldStream;
  #cargo: Cargo = 'unknown';
  #isDeaf = false;
  #isCut = false;

  constructor({ client, serverPort, weatherFor, onClose }: ProxiedConnectionOptions) {
    this.#client = client;
    this.#server = connect({
      port: serverPort,
      host: '127.0.0.1',
      noDelay: true,
      allowHalfOpen: true,
    });
    this.#weatherFor = weatherFor;
    const weather = (): Weather => weatherFor(this.#cargo);
    this.#up = new HeldStream(this.#server, weather);
    this.#down = new HeldStream(client, weather);
    client.on('data', (chunk: Buffer) => this.#onUp(chunk));
    client.on('end', () => (this.#isDeaf ? client.destroy() : this.#up.push(undefined)));
    client.on('error', () => {});
    client.on('close', () => {
      this.#up.stop();
      this.#down.stop();
      this.#server.destroy();
      onClose();
    });
    this.#server.on('data', (chunk: Buffer) => this.#onDown(chunk));
    this.#server.on('end', () => this.#isDeaf || this.#down.push(undefined));
    this.#server.on('error', () => this.#isDeaf || client.resetAndDestroy());
  }

  get cargo(): Cargo {
    return this.#cargo;
  }

  /** Lets go on what was held; to be called when the weather has changed. */
  settle(): void {
    this.#up.flush();
    this.#down.flush();
  }

  reset(): void {
    this.#client.resetAndDestroy();
  }

  /** From now on nothing goes through in either direction, and nobody is told. */
  deafen(): void {
    this.#isDeaf = true;
  }

  /** The platform says that it has nothing more to say. */
  halfClose(): void {
    this.#down.push(undefined);
  }

  /** The next thing the platform says comes by half, and then a reset. */
  cutNext(): void {
    this.#isCut = true;
  }

  #onUp(chunk: Buffer): void {
    if (this.#isDeaf) return;
    const line = chunk.toString('latin1', 0, 20);
    if (this.#cargo === 'unknown') {
      this.#cargo = line.startsWith('GET /gateway/bot') ? 'gateway' : 'calls';
    }
    const { refuse, cannedAnswer } = this.#weatherFor(this.#cargo);
    if (refuse) {
      this.reset();
    } else if (cannedAnswer !== undefined && /^[A-Z]{3,7} \//.test(line)) {
      this.#client.end(cannedAnswer);
      this.#server.destroy();
    } else {
      this.#up.push(chunk);
    }
  }

  #onDown(chunk: Buffer): void {
    if (this.#isDeaf) return;
    if (this.#weatherFor(this.#cargo).loseAnswers) {
      this.reset();
    } else if (this.#isCut) {
      this.#client.write(chunk.subarray(0, chunk.length >> 1), () => this.reset());
    } else {
      this.#down.push(chunk);
    }
  }
}
