import type { Dialect } from './dialect.js';
import { commandOptions, ROLL, rollAnswer } from './sample-data.js';
import { textFrame } from './web-socket-frames.js';

/** The part of the platform that a run of commands uses. */
export interface CommandPorts {
  /** Sends frames over the gateway, in one write. */
  send(frames: Buffer): void;
  readonly dialect: Dialect;
  /** Number of the first interaction; the others follow. */
  readonly firstIndex: number;
}

/** A first answer. */
export interface TakenAnswer {
  /** Index of the command. */
  readonly place: number;
  /** Expected content of the answer. */
  readonly expected: string;
}

/** The commands of a run: sends them, and checks that each gets exactly one answer. */
export class SentCommands {
  readonly #ports: CommandPorts;
  readonly #answered: Uint8Array;
  #sent = 0;
  #wrong = 0;
  #doubled = 0;

  constructor(count: number, ports: CommandPorts) {
    this.#ports = ports;
    this.#answered = new Uint8Array(count);
  }

  get sent(): number {
    return this.#sent;
  }

  /** Number of answers with unexpected content. */
  get wrong(): number {
    return this.#wrong;
  }

  /** Number of second answers to a command. */
  get doubled(): number {
    return this.#doubled;
  }

  /** Sends `count` more commands, in one write. */
  send(count: number): void {
    const { dialect, firstIndex } = this.#ports;
    const frames: Buffer[] = [];
    for (let more = 0; more < count; more += 1) {
      const index = firstIndex + this.#sent;
      frames.push(textFrame(dialect.command(index, ROLL, commandOptions(index))));
      this.#sent += 1;
    }
    this.#ports.send(Buffer.concat(frames));
  }

  /** Records an answer. Returns `undefined` for a second answer, or for one to a command of another run. */
  take(index: number, content: unknown): TakenAnswer | undefined {
    const place = index - this.#ports.firstIndex;
    if (!(place >= 0 && place < this.#sent)) return undefined;
    if (this.#answered[place] === 1) {
      this.#doubled += 1;
      return undefined;
    }
    this.#answered[place] = 1;
    const expected = rollAnswer(index);
    if (content !== expected) this.#wrong += 1;
    return { place, expected };
  }
}
