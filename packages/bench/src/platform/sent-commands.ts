import type { CommandName, Dialect } from './dialect.js';
import { answerTo } from './sample-data.js';
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
  readonly #name: CommandName;
  readonly #ports: CommandPorts;
  readonly #answered: Uint8Array;
  #sent = 0;
  #wrong = 0;
  #doubled = 0;

  constructor(name: CommandName, count: number, ports: CommandPorts) {
    this.#name = name;
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
      frames.push(textFrame(dialect.command(this.#name, firstIndex + this.#sent)));
      this.#sent += 1;
    }
    this.#ports.send(Buffer.concat(frames));
  }

  /** Returns the index of the command with this number; `undefined` if it was not sent in this run. */
  placeOf(index: number): number | undefined {
    const place = index - this.#ports.firstIndex;
    return place >= 0 && place < this.#sent ? place : undefined;
  }

  /** Records an answer. Returns `undefined` for a second answer, or for one to a command of another run. */
  take(index: number, content: unknown): TakenAnswer | undefined {
    const place = this.placeOf(index);
    if (place === undefined) return undefined;
    if (this.#answered[place] === 1) {
      this.#doubled += 1;
      return undefined;
    }
    this.#answered[place] = 1;
    const expected = answerTo(this.#name, index);
    if (content !== expected) this.#wrong += 1;
    return { place, expected };
  }
}
