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
    reactionUpdateView(call.world, clearReactions(call.world, messageOf(call).message)),
  'reactions.list': (call) => {
    const { message } = messageOf(call);
    return reactionUpdateView(call.world, message, selectReactions(message, call.query));
  },
  'reactions.details': (call) => {
    const { message } = messageOf(call);
    return reactionDetailsView(call.world, message, selectReactions(message, call.query));
  },
  'reactions.remove': (call) => {
    const { message } = messageOf(call);
    const changed = removeReaction(call.world, message, call.caller.id, call.body);
    return reactionUpdateView(call.world, changed);
  },
  'reactions.add': (call) => {
    const { message } = messageOf(call);
    const changed = addReaction(call.world, message, call.caller.id, call.body);
    return reactionUpdateView(call.world, changed);
  },
  'reactions.removeUser': (call) => {
    const { message } = messageOf(call);
    const { id } = knownUser(call.world, parameter(call, 'userId'));
    return reactionUpdateView(call.world, removeReaction(call.world, message, id, call.body));
  },
} satisfies Partial<Handlers>;
