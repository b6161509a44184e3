import type { Rest } from '@virgule/client/rest';

type Interactions = Rest['interactions'];

/**
 * The calls of interactions of which some show the thinking state already, without the bot's knowing.
 * Nothing but a text ends that state: where the bot acknowledges, a text is filled in, and an answer that comes
 * after all takes its place.
 */
export function fillInAcks(
  calls: Interactions,
  isDeferred: (interactionId: string) => boolean,
  silentText: string,
): Interactions {
  /** As many as may be under way; each is forgotten with its answer. */
  const filled = new Set<string>();

  async function respond(
    ...[id, body, options]: Parameters<Interactions['respond']>
  ): Promise<unknown> {
    if (!filled.delete(id)) return calls.respond(id, body, options);
    const hasFiles = 'files' in body || (body.attachments?.length ?? 0) > 0;
    // An edit carries no files.
    if (hasFiles || typeof body.content !== 'string') return calls.followUp(id, body, options);
    return calls.editResponse(id, { content: body.content }, options);
  }

  return {
    ...calls,
    async ack(id, options) {
      if (!isDeferred(id)) return calls.ack(id, options);
      if (filled.has(id)) return;
      filled.add(id);
      await calls.respond(id, { content: silentText }, options);
    },
    // Both forms in one: whoever did not ask for the message does not look at it.
    respond: respond as Interactions['respond'],
  };
}
