import type { Rest } from '@virgule/client/rest';
import { readRecord } from '../bus/entry.js';
import type { Keys } from '../bus/keys.js';
import type { Connection } from '../connection/connection.js';

export interface SharedPausesOptions {
  readonly connection: Connection;
  /** Opens a connection for messages. */
  readonly openSubscriber: () => Connection;
  readonly keys: Keys;
  /** Names this process. */
  readonly holder: string;
  readonly rest: Pick<Rest, 'exchangePauses'>;
}

/**
 * Shares the pauses that the platform asks for with the other workers: what one of them may not send, none does.
 * Without Redis, each worker obeys its own.
 */
export function sharePauses(options: SharedPausesOptions): void {
  const { connection, openSubscriber, keys, holder, rest } = options;
  const take = rest.exchangePauses((pause) => {
    const message = JSON.stringify({ from: holder, pause });
    connection.call('PUBLISH', keys.pauses, message).catch(() => {});
  });
  openSubscriber().subscribe(keys.pauses, (text) => {
    const message = readRecord(text);
    if (message && message['from'] !== holder) take(message['pause']);
  });
}
