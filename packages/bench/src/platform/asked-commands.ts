import type { CommandName, Dialect } from './dialect.js';
import { answerTo } from './sample-data.js';
import { textFrame } from './web-socket-frames.js';

/** What a run of commands needs of the platform. */
export interface CommandPorts {
  /** Sends frames over the gateway, in one write. */
  send(frames: Buffer): void;
  readonly dialect: Dialect;
  /** Number of the first interaction; those after it follow. */
  readonly firstIndex: number;
}

/** A first answer that was taken. */
export interface TakenAnswer {
  /** Which of the commands, from 0. */
  readonly place: number;
  /** What should have been answered. */
  readonly expected: string;
}

/** The commands of one run: asks them, and checks that each gets its one answer. */
export class AskedCommands {
  readonly #name: CommandName;
  readonly #ports: CommandPorts;
  readonly #answered: Uint8Array;
  #asked = 0;
  #wrong = 0;
  #doubled = 0;

  constructor(name: CommandName, count: number, ports: CommandPorts) {
    this.#name = name;
    this.#ports = ports;
    this.#answered = new Uint8Array(count);
  }

  get asked(): number {
    return this.#asked;
  }

  /** Answers with another content than they should have. */
  get wrong(): number {
    return this.#wrong;
  }

  /** Answers to a command that had one. */
  get doubled(): number {
    return this.#doubled;
  }

  /** Asks so many more, in one write. */
  ask(count: number): void {
    const { dialect, firstIndex } = this.#ports;
    const frames: Buffer[] = [];
    for (let more = 0; more < count; more += 1) {
      frames.push(textFrame(dialect.command(this.#name, firstIndex + this.#asked)));
      this.#asked += 1;
    }
    this.#ports.send(Buffer.concat(frames));
  }

  /** Which of the commands has this number; `undefined` for one that was not asked in this run. */
  placeOf(index: number): number | undefined {
    const place = index - this.#ports.firstIndex;
    return place >= 0 && place < this.#asked ? place : undefined;
  }

  /** Takes an answer; gives nothing when it is the second, or answers no command of this run. */
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
