import type { StorageConnection } from '../storage/storage-connection.js';
import { idOf, jsonOf, nameInKey, type AskPlace } from './task-keys.js';
import { askSchema, type Ask, type RunChanges } from './stored-run.js';

/**
 * Stores the questions of tasks. A question has an entry, and a run that is due at its deadline. An answer adds a run that is
 * due now, so that no answer is lost. The first of these runs decides the question, and the others are deleted.
 */
export class TaskAsks {
  readonly #connection: StorageConnection;
  /** Called when a run was added that is due now. */
  readonly #onAnswer: () => void;

  constructor(connection: StorageConnection, onAnswer: () => void) {
    this.#connection = connection;
    this.#onAnswer = onAnswer;
  }

  /**
   * Stores a question. A process that ends in between leaves no question, and a run that is deleted at its deadline. Resolves
   * to `false` if its message has another question.
   */
  async add(ask: Ask): Promise<boolean> {
    const isOwnRun = await this.#addRun(ask, ask.due, {});
    const isAdded = await this.#connection.swap(keyOf(ask), undefined, JSON.stringify(ask));
    if (!isAdded && isOwnRun) await this.#connection.delete(`tasks:run:${askIdOf(ask)}`);
    return isAdded;
  }

  async get(place: AskPlace): Promise<Ask | undefined> {
    return readAsk(await this.#connection.get(keyOf(place)));
  }

  /** Yields open questions: of a channel, or of all channels. */
  async *open(channelId?: string): AsyncGenerator<Ask> {
    const channel = channelId === undefined ? '' : `${nameInKey(channelId)}:`;
    for await (const { value } of this.#connection.entries(`tasks:ask:${channel}`)) {
      const ask = readAsk(value);
      if (ask && ask.run === undefined) yield ask;
    }
  }

  /** Stores an answer, as a run that is due now. Resolves to whether this answer decides the question. */
  async answer(ask: Ask, entry: RunChanges): Promise<boolean> {
    const due = this.#connection.clock.now();
    const isAdded = await this.#addRun(ask, due, entry);
    const run = askIdOf({ ...ask, due });
    const isFirst = (await this.change(ask, () => ({ run })))?.run === run;
    if (isFirst) this.#onAnswer();
    else await this.#connection.delete(`tasks:run:${run}`);
    return isAdded && isFirst;
  }

  /** Deletes a question, and then the run at its deadline, which would begin without a question otherwise. */
  async end(ask: Ask): Promise<void> {
    await this.#connection.delete(keyOf(ask));
    await this.#connection.delete(`tasks:run:${askIdOf(ask)}`);
  }

  /** Changes a question that no run has decided. Resolves to the question. */
  async change(place: AskPlace, changes: (ask: Ask) => Partial<Ask>): Promise<Ask | undefined> {
    const { to } = await this.#connection.update(keyOf(place), (text) => {
      const ask = readAsk(text);
      return ask && ask.run === undefined ? JSON.stringify({ ...ask, ...changes(ask) }) : text;
    });
    return readAsk(to);
  }

  /** Resolves to `false` if the run is stored already. */
  #addRun(ask: RunPlace, due: number, entry: object): Promise<boolean> {
    const key = `tasks:run:${askIdOf({ ...ask, due })}`;
    return this.#connection.swap(key, undefined, JSON.stringify(entry));
  }
}

type RunPlace = AskPlace & Pick<Ask, 'task' | 'due'>;

/** Returns the id of the run of a question that is due at this time, such as its deadline. */
export const askIdOf = ({ channelId, messageId, task, due }: RunPlace): string =>
  idOf(task, due, `?${nameInKey(channelId)},${nameInKey(messageId)}`);

const keyOf = ({ channelId, messageId }: AskPlace): string =>
  `tasks:ask:${nameInKey(channelId)}:${nameInKey(messageId)}`;

/** Reads a question; `undefined` for no entry, and for an entry in another form. */
const readAsk = (text: string | undefined): Ask | undefined =>
  askSchema.safeParse(jsonOf(text ?? '')).data;
