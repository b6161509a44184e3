// What the dev server and the bot's process say to each other. Both run the same version, so the
// messages are types, not schemas.
import type { GatewayEvent, GatewayStatus } from '@virgule/client/gateway';
import type { Ready } from '@virgule/core/protocol';
import type { SimProblem } from '@virgule/core/simulator-api';

/** From the dev server to the bot. */
export type ToChild =
  /** READY came already, or comes now. Events follow. */
  | { readonly type: 'ready'; readonly ready: Ready }
  | { readonly type: 'event'; readonly event: GatewayEvent }
  | { readonly type: 'status'; readonly status: GatewayStatus }
  /** These files changed: absolute paths. Answered by `reloaded` with the same number. */
  | { readonly type: 'reload'; readonly number: number; readonly files: readonly string[] }
  /** End in good order. */
  | { readonly type: 'stop' };

/** What a reload came to. */
export type ReloadOutcome =
  /** The new code answers from now on. */
  | { readonly outcome: 'swapped'; readonly evaluated: number; readonly synced: boolean }
  /** Nothing that the bot is made of changed. */
  | { readonly outcome: 'unchanged' }
  /** Only a new process can take this change. */
  | { readonly outcome: 'unsupported'; readonly reason: string }
  /** The new code is not sound; the old one goes on answering. */
  | { readonly outcome: 'failed'; readonly problems: readonly SimProblem[] };

/** From the bot to the dev server. */
export type FromChild =
  /** The project is loaded and the commands are registered: events may come. */
  | { readonly type: 'loaded'; readonly commands: number; readonly events: number }
  /** The project has problems; the process ends itself. */
  | { readonly type: 'refused'; readonly problems: readonly SimProblem[] }
  | { readonly type: 'reloaded'; readonly number: number; readonly result: ReloadOutcome };
