import type { Rest } from '@virgule/client/rest';

export interface CallAnnouncements {
  /** A request of this interaction is about to be sent. */
  readonly called: (interactionId: string) => void;
  /** It has its answer, or was acknowledged: nothing is owed any more. */
  readonly settled: (interactionId: string) => void;
}

/**
 * A REST client that tells what it does about interactions, before it does it. Whoever hears it knows
 * what a process that died may have done.
 */
export function announceCalls(rest: Rest, { called, settled }: CallAnnouncements): Rest {
  // oxlint-disable-next-line typescript/unbound-method -- they are closures, which need no `this`.
  const { ack, defer, respond, editResponse, followUp } = rest.interactions;
  const announced =
    <Rest extends unknown[], Result>(
      call: (id: string, ...rest: Rest) => Promise<Result>,
      settles: boolean,
    ) =>
    async (id: string, ...rest: Rest): Promise<Result> => {
      called(id);
      const result = await call(id, ...rest);
      if (settles) settled(id);
      return result;
    };
  return {
    ...rest,
    interactions: {
      ack: announced(ack, true),
      defer: announced(defer, false),
      respond: announced(respond, true),
      editResponse: announced(editResponse, true),
      followUp: announced(followUp, false),
    },
  };
}
