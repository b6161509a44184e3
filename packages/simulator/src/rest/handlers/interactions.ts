// Endpoints 27 to 31.
import {
  acknowledge,
  defer,
  editResponse,
  followUp,
  requireOwn,
  respond,
} from '../../world/interactions.js';
import { parameter, type AnyCall, type Handlers } from '../call.js';
import { writtenMessage } from '../not-shown.js';

/** Returns the id of an interaction of the bot. */
function idOf(call: AnyCall): string {
  const id = parameter(call, 'interactionId');
  requireOwn(call.world, id, call.caller.id);
  return id;
}

export const interactionHandlers = {
  'interactions.ack': (call) => acknowledge(call.world, idOf(call)),
  'interactions.defer': (call) => defer(call.world, idOf(call)),
  'interactions.followUp': (call) =>
    writtenMessage(call, followUp(call.world, idOf(call), call.body)),
  'interactions.editResponse': (call) =>
    writtenMessage(call, editResponse(call.world, idOf(call), call.body.content)),
  'interactions.respond': (call) =>
    writtenMessage(call, respond(call.world, idOf(call), call.body)),
} satisfies Partial<Handlers>;
