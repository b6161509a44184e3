import { SentCommands, type CommandPorts } from './sent-commands.js';
import type { Load } from './command-load.js';

/** Figures about the answers to commands that were left open. */
export interface OpenFigures {
  readonly wrong: number;
  readonly doubled: number;
}

/** Commands are sent in waves, as by many users, and not all in one turn of the bot's event loop. */
const WAVE = 500;
const WAVE_PAUSE_MS = 50;

/** Sends commands that the bot answers only when it is released. */
export class OpenCommands implements Load {
  /** Resolves when all of them are deferred. */
  readonly deferred: Promise<void>;
  /** Resolves when all of them are answered. */
  readonly answered: Promise<OpenFigures>;
  readonly delayMs = 0;
  readonly #count: number;
  readonly #commands: SentCommands;
  readonly #deferredPlaces = new Set<number>();
  #onDeferred: () => void = () => {};
  #onAnswered: (figures: OpenFigures) => void = () => {};
  #finished = 0;

  constructor(count: number, ports: CommandPorts) {
    this.#count = count;
    this.#commands = new SentCommands('hold', count, ports);
    this.deferred = new Promise((resolve) => (this.#onDeferred = resolve));
    this.answered = new Promise((resolve) => (this.#onAnswered = resolve));
    this.#sendWave();
  }

  answer(index: number, content: unknown): string | undefined {
    return this.#commands.take(index, content)?.expected;
  }

  finished(): void {
    this.#finished += 1;
    if (this.#finished < this.#count) return;
    const { wrong, doubled } = this.#commands;
    this.#onAnswered({ wrong, doubled });
  }

  defer(index: number): void {
    const place = this.#commands.placeOf(index);
    if (place === undefined) return;
    this.#deferredPlaces.add(place);
    if (this.#deferredPlaces.size === this.#count) this.#onDeferred();
  }

  #sendWave(): void {
    const left = this.#count - this.#commands.sent;
    this.#commands.send(Math.min(WAVE, left));
    if (left > WAVE) setTimeout(() => this.#sendWave(), WAVE_PAUSE_MS);
  }
}
