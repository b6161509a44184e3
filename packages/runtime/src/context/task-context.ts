import type { Rest } from '@virgule/client/rest';
import type { TaskHandles } from '../define/define-task.js';
import type { EnvValues, Services } from '../define/register.js';
import type { Storage } from '../storage/storage.js';
import type { ChannelHandle } from './channel-handle.js';
import type { ContextClock } from './context-clock.js';
import type { ContextLog } from './context-log.js';

/** What the handler of a task receives. Every member can be destructured. */
export interface TaskContext<Payload = unknown> {
  /** The name of the task. */
  readonly task: string;
  /**
   * The same for every attempt of one run: with it, what the task does can be done once though the run is repeated, such
   * as after the end of the process.
   */
  readonly runId: string;
  /** What the run was called with, parsed by the schema of the task. */
  readonly payload: Payload;
  /** When the run was due. */
  readonly dueAt: Date;
  /** How long after that this attempt began, in milliseconds. */
  readonly lateMs: number;
  /** 1, then one more for each repetition after a failure. */
  readonly attempt: number;
  /** A channel, by id. */
  readonly channel: (channelId: string) => ChannelHandle;
  /** The object that `services.ts` returned; typed by `Register`. */
  readonly services: Services;
  /** The environment, checked and converted by the config's `env` schema; typed by `Register`. */
  readonly env: EnvValues;
  /** What the bot remembers beyond a restart. */
  readonly storage: Storage;
  /** The tasks of the bot, to call them; typed by `Tasks`. */
  readonly tasks: TaskHandles;
  /** The complete REST interface. */
  readonly rest: Rest;
  readonly log: ContextLog;
  /** Aborted when the run takes longer than the `timeout` of the task, and when the bot shuts down. */
  readonly signal: AbortSignal;
  readonly clock: ContextClock;
  /** A number from 0 up to, not including, 1. Tests can fix it. */
  readonly random: () => number;
}
