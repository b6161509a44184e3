// Endpoints 12 to 17.
import { knownUser } from '../../world/access.js';
import { reactionDetailsView, reactionUpdateView } from '../../world/message-view.js';
import {
  addReaction,
  clearReactions,
  removeReaction,
  selectReactions,
} from '../../world/reactions.js';
import { messageOf, parameter, type Handlers } from '../call.js';

export const reactionHandlers = {
  'reactions.clear': (call) =>
    reactionUpdateView(
      call.world,
      clearReactions(call.world, messageOf(call).message),
      call.caller.id,
    ),
  'reactions.list': (call) => {
    const { message } = messageOf(call);
    return reactionUpdateView(
      call.world,
      message,
      call.caller.id,
      selectReactions(message, call.query),
    );
  },
  'reactions.details': (call) => {
    const { message } = messageOf(call);
    return reactionDetailsView(call.world, message, selectReactions(message, call.query));
  },
  'reactions.remove': (call) => {
    const { message } = messageOf(call);
    const changed = removeReaction(call.world, message, call.caller.id, call.body);
    return reactionUpdateView(call.world, changed, call.caller.id);
  },
  'reactions.add': (call) => {
    const { message } = messageOf(call);
    const changed = addReaction(call.world, message, call.caller.id, call.body);
    return reactionUpdateView(call.world, changed, call.caller.id);
  },
  'reactions.removeUser': (call) => {
    const { message } = messageOf(call);
    const { id } = knownUser(call.world, parameter(call, 'userId'));
    const changed = removeReaction(call.world, message, id, call.body);
    return reactionUpdateView(call.world, changed, call.caller.id);
  },
} satisfies Partial<Handlers>;
