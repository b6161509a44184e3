import type { Rest } from '@virgule/client/rest';

export interface CallAnnouncements {
  /** A request of this interaction is about to be sent. */
  readonly called: (interactionId: string) => void;
  /** It has its answer, or was acknowledged: nothing is owed any more. */
  readonly settled: (interactionId: string) => void;
}

/**
 * Returns a REST client that announces each call for an interaction before it is made: if the process dies, it is
 * known what it may have done.
 */
export function announceCalls(rest: Rest, { called, settled }: CallAnnouncements): Rest {
  // oxlint-disable-next-line typescript/unbound-method -- they are closures, which need no `this`.
  const { ack, defer, respond, editResponse, followUp } = rest.interactions;
  const announced = <Call extends (id: string, ...others: never[]) => Promise<unknown>>(
    call: Call,
    settles: boolean,
  ): Call => {
    const announcing = async (id: string, ...others: never[]): Promise<unknown> => {
      called(id);
      const result = await call(id, ...others);
      if (settles) settled(id);
      return result;
    };
    // It takes and returns what the call does.
    return announcing as Call;
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
