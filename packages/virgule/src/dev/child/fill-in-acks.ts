import type { Rest, SentAnswer } from '@virgule/client/rest';
import { RecentIds } from '@virgule/core/collections';

type Interactions = Rest['interactions'];

export interface FilledInAcks {
  readonly interactions: Interactions;
  /** Notes that the thinking state of an interaction is shown, without the bot's knowing. */
  deferred(interactionId: string): void;
}

/** How many interactions are remembered. */
const MAX_IDS = 1_000;

/**
 * Returns the calls of interactions of which some show the thinking state already, without the bot's
 * knowing. Nothing but a text ends that state: where the bot acknowledges, or has done so a moment before, a
 * text is filled in, and an answer that comes after all takes its place.
 */
export function fillInAcks(calls: Interactions, silentText: string): FilledInAcks {
  const deferred = new RecentIds(MAX_IDS);
  const acknowledged = new RecentIds(MAX_IDS);
  /** The maximum number in flight; each is removed with its answer. */
  const filled = new Set<string>();

  async function fill(...[id, options]: Parameters<Interactions['ack']>): Promise<void> {
    if (filled.has(id)) return;
    filled.add(id);
    await calls.respond(id, { content: silentText }, options);
  }

  async function respond(
    ...[id, body, options]: Parameters<Interactions['respond']>
  ): Promise<SentAnswer> {
    if (!filled.delete(id)) return calls.respond(id, body, options);
    const hasFiles = 'files' in body || (body.attachments?.length ?? 0) > 0;
    // An edit carries no files.
    if (hasFiles || typeof body.content !== 'string') return calls.followUp(id, body, options);
    return calls.editResponse(id, { content: body.content }, options);
  }

  return {
    interactions: {
      ...calls,
      async ack(id, options) {
        if (deferred.has(id)) return fill(id, options);
        acknowledged.add(id);
        await calls.ack(id, options);
      },
      respond,
    },
    deferred(id) {
      deferred.add(id);
      // Where it was answered meanwhile after all, it is refused.
      if (acknowledged.has(id)) fill(id).catch(() => {});
    },
  };
}
