import { AskedCommands, type CommandPorts } from './asked-commands.js';
import type { Load } from './command-load.js';

/** How the answers to commands that were held open turned out. */
export interface OpenFigures {
  readonly wrong: number;
  readonly doubled: number;
}

/** Commands come in waves, as from many users, and not all in one turn of the bot's event loop. */
const WAVE = 500;
const WAVE_PAUSE_MS = 50;

/** Asks commands that the bot does not answer for now. */
export class OpenCommands implements Load {
  /** Resolves once each of them was deferred. */
  readonly deferred: Promise<void>;
  /** Resolves once each of them was answered. */
  readonly answered: Promise<OpenFigures>;
  readonly delayMs = 0;
  readonly #count: number;
  readonly #commands: AskedCommands;
  readonly #deferredPlaces = new Set<number>();
  #onDeferred: () => void = () => {};
  #onAnswered: (figures: OpenFigures) => void = () => {};
  #finished = 0;

  constructor(count: number, ports: CommandPorts) {
    this.#count = count;
    this.#commands = new AskedCommands('hold', count, ports);
    this.deferred = new Promise((resolve) => (this.#onDeferred = resolve));
    this.answered = new Promise((resolve) => (this.#onAnswered = resolve));
    this.#askWave();
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

  #askWave(): void {
    const left = this.#count - this.#commands.asked;
    this.#commands.ask(Math.min(WAVE, left));
    if (left > WAVE) setTimeout(() => this.#askWave(), WAVE_PAUSE_MS);
  }
}
