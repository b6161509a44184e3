import * as z from 'zod';
import type { StorageDriver } from '../storage/storage-driver.js';
import type { StorageConnection } from '../storage/storage-connection.js';
import { jsonOf, nameInKey, nameOf, placeOf, timeInKey, type AskPlace } from './task-keys.js';
import type { FailedRun, StoredRun } from './task-store.js';
import type { Task } from './task.js';

const askSchema = z.object({
  task: z.string(),
  payload: z.unknown().optional(),
  by: z.union([z.literal('anyone'), z.array(z.string()).readonly()]),
  /** Deadline, in milliseconds since the epoch: the due time of the run that begins without an answer. */
  due: z.number(),
  /** Time of the question, in milliseconds since the epoch. */
  at: z.number().default(0),
  /** Emojis that users can vote for. */
  choices: z.array(z.string()).readonly().optional(),
  /** Ids of the users who voted for each emoji. */
  votes: z.record(z.string(), z.array(z.string()).readonly()).optional(),
  /** `true` when all buttons are shown. */
  isShown: z.boolean().default(false),
  /** Id of the run that has decided the question. */
  run: z.string().optional(),
});

type Ask = Readonly<z.output<typeof askSchema>>;

/** A question with its entry in the storage. */
export interface StoredAsk extends Ask, AskPlace {
  readonly text: string;
}

/**
 * Stores the questions of tasks. A question has an entry, and a run that is due at its deadline. Each answer adds a run that is
 * due now, so that no answer is lost; the first of these runs to begin decides the question, and the others are deleted.
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
   * Stores a question. A process that ends in between leaves no question, and a run that is deleted at its deadline.
   *
   * @param entry - entry of the run at the deadline.
   */
  async add(place: AskPlace, ask: z.input<typeof askSchema>, entry = {}): Promise<void> {
    await this.#addRun(place, ask.task, ask.due, entry);
    await this.#run((driver) => driver.set(keyOf(place), JSON.stringify(ask), null));
  }

  async get(place: AskPlace): Promise<StoredAsk | undefined> {
    const text = await this.#run((driver) => driver.get(keyOf(place)));
    return text === undefined ? undefined : readAsk(place, text);
  }

  /** Returns open questions: of a channel, or of all channels. */
  async list(limit: number, channelId?: string): Promise<readonly StoredAsk[]> {
    const prefix = `tasks:ask:${channelId === undefined ? '' : `${nameInKey(channelId)}:`}`;
    const entries = await this.#run((driver) => driver.list({ prefix, limit }));
    const asks = entries.map(({ key, value }) => {
      const [, , channel = '', message = ''] = key.split(':');
      return readAsk({ channelId: nameOf(channel), messageId: nameOf(message) }, value);
    });
    return asks.filter((ask) => ask !== undefined).filter(({ run }) => run === undefined);
  }

  /** Has a decided question run again, due now, with the answer of a run that failed. Resolves to the id of the run. */
  async again(
    place: AskPlace,
    task: string,
    { payload, answer }: Partial<FailedRun>,
  ): Promise<string> {
    const due = this.#connection.clock.now();
    const run = runIdOf(place, task, due);
    await this.add(place, { task, payload, by: [], due, isShown: true, run }, { answer });
    return run;
  }

  /** Stores an answer, as a run that is due now. */
  async answer(ask: StoredAsk, answer: unknown): Promise<void> {
    await this.#addRun(ask, ask.task, this.#connection.clock.now(), { answer });
    this.#onAnswer();
  }

  /** Adds or removes the vote of a user. */
  async vote(ask: StoredAsk, choice: string, userId: string, isAdded: boolean): Promise<void> {
    for (let now: StoredAsk | undefined = ask; now; now = await this.get(ask)) {
      const others = (now.votes?.[choice] ?? []).filter((id) => id !== userId);
      const votes = { ...now.votes, [choice]: isAdded ? [...others, userId] : others };
      if (now.run !== undefined || (await this.change(now, { votes }))) return;
    }
  }

  /** Changes a question. Resolves to `false` if another process has changed the question before. */
  change(ask: StoredAsk, changes: Partial<Ask>): Promise<boolean> {
    // The schema removes what is not part of the entry.
    const text = JSON.stringify(askSchema.parse({ ...ask, ...changes }));
    return this.#run((driver) => driver.swap(keyOf(ask), ask.text, text, null));
  }

  /**
   * Returns a run with the payload and the answer of its question; `undefined` if another run has decided the question. Deletes
   * such a run.
   */
  async begin(run: StoredRun, { waits }: Task, isDue: boolean): Promise<StoredRun | undefined> {
    const place = placeOf(run.id);
    if (!place) return run;
    for (;;) {
      const ask = await this.get(place);
      if (!ask || (ask.run !== undefined && ask.run !== run.id)) {
        if (isDue) await this.#run((driver) => driver.swap(run.key, run.text, undefined, null));
        return undefined;
      }
      const { payload, votes = {} } = ask;
      const late = waits === 'votes' ? votes : waits === 'message' ? null : { yes: false };
      const begun = { ...run, payload, place, answer: run.answer ?? late };
      if (!isDue || ask.run === run.id || (await this.change(ask, { run: run.id }))) return begun;
    }
  }

  /** Deletes a question whose run is over, with the run at its deadline. Resolves to the question. */
  async end(place: AskPlace): Promise<StoredAsk | undefined> {
    const ask = await this.get(place);
    if (!ask) return undefined;
    await this.#run((driver) => driver.delete(`tasks:run:${askIdOf(ask)}`));
    await this.#run((driver) => driver.delete(keyOf(place)));
    return ask;
  }

  /** Cancels a question that is not decided. Resolves to whether it was open. */
  async cancel(place: AskPlace): Promise<boolean> {
    for (;;) {
      const ask = await this.get(place);
      if (!ask || ask.run !== undefined) return false;
      const wasOpen = await this.#run((driver) =>
        driver.swap(keyOf(place), ask.text, undefined, null),
      );
      if (!wasOpen) continue;
      await this.#run((driver) => driver.delete(`tasks:run:${askIdOf(ask)}`));
      return true;
    }
  }

  #run<T>(call: (driver: StorageDriver) => Promise<T>): Promise<T> {
    return this.#connection.run(call);
  }

  async #addRun(place: AskPlace, task: string, due: number, entry: object): Promise<void> {
    const key = `tasks:run:${runIdOf(place, task, due)}`;
    await this.#run((driver) => driver.swap(key, undefined, JSON.stringify(entry), null));
  }
}

const runIdOf = ({ channelId, messageId }: AskPlace, task: string, due: number): string =>
  `${nameInKey(task)}:${timeInKey(due)}:?${nameInKey(channelId)},${nameInKey(messageId)}`;

/** Returns the id of the run at the deadline of a question. */
export const askIdOf = (ask: AskPlace & Pick<Ask, 'task' | 'due'>): string =>
  runIdOf(ask, ask.task, ask.due);

const keyOf = ({ channelId, messageId }: AskPlace): string =>
  `tasks:ask:${nameInKey(channelId)}:${nameInKey(messageId)}`;

/** Reads a question; `undefined` for an entry in another form. */
function readAsk(place: AskPlace, text: string): StoredAsk | undefined {
  const { data } = askSchema.safeParse(jsonOf(text));
  return data && { ...data, ...place, text };
}
