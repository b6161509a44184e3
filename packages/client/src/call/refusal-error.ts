import type { VirguleError } from '@virgule/core/errors';
import { clientErrors } from '../errors/client-errors.js';
import type { Refusal, Ticket } from '../schedule/ticket.js';
import type { CallScope } from './call-scope.js';

/** The error of a call that was not let through. */
export function refusalError(refusal: Refusal, scope: CallScope, ticket: Ticket): VirguleError {
  const facts = scope.facts();
  const { maybeSent, plan } = scope;
  switch (refusal.why) {
    case 'limited':
      return clientErrors.E_RATE_LIMITED({ ...facts, retryAfterMs: refusal.retryAfterMs });
    case 'unreachable':
      // An earlier try may have arrived: "not sent" would not be true.
      return maybeSent
        ? clientErrors.E_TIMEOUT({ ...facts, phase: 'waiting', maybeSent })
        : clientErrors.E_UNREACHABLE({
            ...facts,
            phase: 'connecting',
            address: plan.origin,
            reason: 'many requests in a row failed on the way',
          });
    case 'late':
      return clientErrors.E_TIMEOUT({ ...facts, phase: 'waiting', maybeSent });
    case 'queue full':
    case 'too many refused requests':
      return clientErrors.E_OVERLOADED({
        ...facts,
        reason: refusal.why,
        priority: ticket.priority,
        maybeSent,
      });
  }
}
