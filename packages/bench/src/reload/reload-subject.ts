import type { BenchChat } from './bench-chat.js';
import type { ReloadProject } from './reload-project.js';

/** A way to develop a bot, on a project of its own. */
export interface ReloadSubject {
  readonly name: string;
  start(project: ReloadProject): Promise<RunningSubject>;
}

export interface RunningSubject {
  readonly chat: BenchChat;
  /** Resolves when it says next that changed code runs. */
  changed(): Promise<unknown>;
  /** What a person does besides, so that an edited environment takes effect. */
  readonly nudge?: () => void;
  close(): Promise<void>;
}
