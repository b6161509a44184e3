import type { Timer } from '@virgule/core/clock';
import { expireUpload } from './attachments.js';
import { closeWindow } from './interactions.js';
import type { World } from './world.js';

/** Expires interactions and unused upload sessions. Returns a function that cancels all timers. */
export function watchDeadlines(world: World): () => void {
  const timers = new Map<string, Timer>();

  function cancel(id: string): void {
    timers.get(id)?.cancel();
    timers.delete(id);
  }

  function set(id: string, deadlineMs: number, onPassed: () => void): void {
    // A profile may have unlimited windows.
    if (deadlineMs === Number.POSITIVE_INFINITY) return;
    const onTimer = (): void => {
      timers.delete(id);
      onPassed();
    };
    timers.set(id, world.clock.setTimeout(onTimer, deadlineMs - world.clock.now()));
  }

  const unsubscribe = world.subscribe((change) => {
    switch (change.type) {
      case 'interaction.created':
      case 'interaction.changed': {
        const { id, deadlineMs } = change.interaction;
        cancel(id);
        if (deadlineMs !== null) set(id, deadlineMs, () => closeWindow(world, id));
        return;
      }
      case 'upload.opened': {
        const { objectKey, expiresAtMs } = change.upload;
        return set(objectKey, expiresAtMs, () => expireUpload(world, objectKey));
      }
      case 'message.created':
        for (const { objectKey } of change.message.attachments) cancel(objectKey);
        return;
      case 'world.replaced':
        for (const id of timers.keys()) cancel(id);
        return;
      default:
    }
  });
  return () => {
    unsubscribe();
    for (const id of timers.keys()) cancel(id);
  };
}
