import type { Rest } from '@virgule/client/rest';
import { readRecord } from '../bus/entry.js';
import type { Keys } from '../bus/keys.js';
import type { Connection } from '../connection/connection.js';

export interface SharedPausesOptions {
  readonly connection: Connection;
  /** Opens a connection that only receives messages. */
  readonly openSubscriber: () => Connection;
  readonly keys: Keys;
  /** Name of this process. */
  readonly holder: string;
  readonly rest: Pick<Rest, 'exchangePauses'>;
}

/**
 * Shares the pauses that the platform asks for with all other workers, which then obey them too. Without Redis, each
 * worker obeys only its own pauses.
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
