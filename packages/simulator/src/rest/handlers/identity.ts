// Endpoints 1 to 4.
import { botSees, installedServer } from '../../world/access.js';
import { botMe } from '../../world/bots.js';
import { channelView, emojiViews, serverView } from '../../world/place-views.js';
import { parameter, type Handlers } from '../call.js';

export const identityHandlers = {
  'users.me': ({ world, caller }) => {
    const bot = world.state.bots.get(caller.id);
    return bot && botMe(bot);
  },
  'servers.list': ({ world, caller }) =>
    [...world.state.servers.values()]
      .filter(({ botIds }) => botIds.includes(caller.id))
      .map(serverView),
  'servers.channels': (call) => {
    const { id } = installedServer(call.world, parameter(call, 'serverId'), call.caller.id);
    return [...call.world.state.channels.values()]
      .filter((channel) => channel.serverId === id && botSees(call.world, channel, call.caller.id))
      .map((channel) => channelView(call.world, channel));
  },
  'servers.emojis': (call) => {
    const { id } = installedServer(call.world, parameter(call, 'serverId'), call.caller.id);
    return emojiViews(call.world, id, call.origin, call.caller.id);
  },
} satisfies Partial<Handlers>;
