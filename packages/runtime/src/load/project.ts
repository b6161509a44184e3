import type { Intent } from '@virgule/core/protocol';
import type { Command } from '../command/define/command.js';
import type { EventListeners } from '../events/event-listener.js';
import type { Task } from '../tasks/task.js';

/** The commands, events and tasks of a bot, as one value that a reload replaces. */
export interface Project {
  readonly commands: ReadonlyMap<string, Command>;
  readonly events: EventListeners;
  readonly tasks: ReadonlyMap<string, Task>;
  /** Intents that the commands and events need. */
  readonly intents: readonly Intent[];
}
