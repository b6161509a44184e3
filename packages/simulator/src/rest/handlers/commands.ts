// Endpoints 25 and 26, and the user endpoint that runs a command.
import { replaceCommands } from '../../world/commands.js';
import { runCommand } from '../../world/interactions.js';
import { parameter, type Handlers } from '../call.js';
import { syncedCommands } from '../not-shown.js';

export const commandHandlers = {
  'commands.list': ({ world, caller }) => world.state.bots.get(caller.id)?.commands,
  'commands.replace': ({ world, body, caller }) =>
    syncedCommands(world, replaceCommands(world, caller.id, body.commands)),
  'user.runCommand': (call) => {
    const { commandId, rawInput } = call.body;
    const interaction = runCommand(call.world, {
      channelId: parameter(call, 'channelId'),
      userId: call.caller.id,
      commandId,
      rawInput,
    });
    return { interactionId: interaction.id };
  },
} satisfies Partial<Handlers>;
