import type { Intent } from '@virgule/core/protocol';
import type { Command } from '../command/define/command.js';
import type { EventListeners } from '../events/event-listener.js';
import type { Task } from '../tasks/task.js';

/** Everything a bot answers to, as one value that can be replaced. */
export interface Project {
  readonly commands: ReadonlyMap<string, Command>;
  readonly events: EventListeners;
  readonly tasks: ReadonlyMap<string, Task>;
  /** The intents its commands and events need. */
  readonly intents: readonly Intent[];
}
