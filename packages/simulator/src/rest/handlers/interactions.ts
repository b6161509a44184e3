// Endpoints 27 to 31.
import { acknowledge, defer, editResponse, followUp, respond } from '../../world/interactions.js';
import { parameter, type AnyCall, type Handlers } from '../call.js';
import { writtenMessage } from '../not-shown.js';

const idOf = (call: AnyCall): string => parameter(call, 'interactionId');

export const interactionHandlers = {
  'interactions.ack': (call) => acknowledge(call.world, idOf(call)),
  'interactions.defer': (call) => defer(call.world, idOf(call)),
  'interactions.followUp': (call) =>
    writtenMessage(call.world, followUp(call.world, idOf(call), call.body)),
  'interactions.editResponse': (call) =>
    writtenMessage(call.world, editResponse(call.world, idOf(call), call.body.content)),
  'interactions.respond': (call) =>
    writtenMessage(call.world, respond(call.world, idOf(call), call.body)),
} satisfies Partial<Handlers>;
