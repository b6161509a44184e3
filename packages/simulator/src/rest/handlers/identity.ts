// Endpoints 1 to 4.
import { botSees, installedServer } from '../../world/access.js';
import { channelView, emojiViews, serverView } from '../../world/place-views.js';
import { parameter, type Handlers } from '../call.js';

export const identityHandlers = {
  'users.me': ({ world }) => world.state.bot,
  'servers.list': ({ world }) =>
    [...world.state.servers.values()].filter(({ botInstalled }) => botInstalled).map(serverView),
  'servers.channels': (call) => {
    const { id } = installedServer(call.world, parameter(call, 'serverId'));
    return [...call.world.state.channels.values()]
      .filter((channel) => channel.serverId === id && botSees(call.world, channel))
      .map((channel) => channelView(call.world, channel));
  },
  'servers.emojis': (call) => {
    const { id } = installedServer(call.world, parameter(call, 'serverId'));
    return emojiViews(call.world, id, call.origin);
  },
} satisfies Partial<Handlers>;
