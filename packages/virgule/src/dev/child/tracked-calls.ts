import type { Rest, SentAnswer } from '@virgule/client/rest';
import { RecentIds } from '@virgule/core/collections';
import type { CallProgress } from '../ipc.js';

type Interactions = Rest['interactions'];

export interface TrackedCallsOptions {
  /** Ends a thinking state that the bot does not know of when it chooses silence. */
  readonly silentText: string;
  /** If the process dies, it is known what it may have done, and whether an answer is owed. */
  readonly progressed: (interactionId: string, progress: CallProgress) => void;
}

/** How many interactions are remembered. */
const MAX_IDS = 1_000;

/**
 * Returns the calls of interactions, which announce each request. The thinking state of some is shown without the bot's
 * knowing. Nothing but a text ends that state: where the bot acknowledges, or has done so a moment before, a text is filled
 * in, and an answer that comes after all takes its place.
 */
export function trackCalls(plain: Interactions, options: TrackedCallsOptions) {
  const { silentText, progressed } = options;
  const deferred = new RecentIds(MAX_IDS);
  const acknowledged = new RecentIds(MAX_IDS);
  /** The maximum number in flight; each is removed with its answer. */
  const filled = new Set<string>();

  const announced = <Call extends (id: string, ...others: never[]) => Promise<unknown>>(
    call: Call,
    settles: boolean,
  ): Call => {
    const announcing = async (id: string, ...others: never[]): Promise<unknown> => {
      progressed(id, 'open');
      const result = await call(id, ...others);
      if (settles) progressed(id, 'done');
      return result;
    };
    // It takes and returns what the call does.
    return announcing as Call;
  };
  // oxlint-disable-next-line typescript/unbound-method -- they are closures, which need no `this`.
  const { ack, defer, respond: answer, editResponse, followUp } = plain;
  const calls: Interactions = {
    ack: announced(ack, true),
    defer: announced(defer, false),
    respond: announced(answer, true),
    editResponse: announced(editResponse, true),
    followUp: announced(followUp, false),
  };

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

  const interactions: Interactions = {
    ...calls,
    async ack(id, options) {
      if (deferred.has(id)) return fill(id, options);
      acknowledged.add(id);
      await calls.ack(id, options);
    },
    respond,
  };

  return {
    interactions,
    /** Notes that the thinking state of an interaction is shown, without the bot's knowing. */
    deferred(id: string): void {
      deferred.add(id);
      // Where it was answered meanwhile after all, it is refused.
      if (acknowledged.has(id)) fill(id).catch(() => {});
    },
  };
}
