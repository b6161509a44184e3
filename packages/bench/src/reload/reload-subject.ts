import type { BenchChat } from './bench-chat.js';
import type { ReloadProject } from './reload-project.js';

/** A development tool to measure. */
export interface ReloadSubject {
  readonly name: string;
  start(project: ReloadProject): Promise<RunningSubject>;
}

export interface RunningSubject {
  readonly pid: number;
  readonly chat: BenchChat;
  /** Resolves when the tool next reports that changed code runs. */
  changed(): Promise<unknown>;
  /** Triggers a restart, for a tool that does not watch the environment. */
  readonly triggerRestart?: () => void;
  close(): Promise<void>;
}
