import { findPlace, react, runLine, say, storeFile, validContent } from '../control/act-as-user.js';
import { closeWindow, defer, respond } from '../world/interactions.js';
import { simMessage } from '../world/message-view.js';
import { Refusal } from '../world/refusal.js';
import { simInteraction, simUpload } from '../world/sim-views.js';
import type { World } from '../world/world.js';
import { findChannel, findUser } from './names.js';
import { simulatorErrors } from './simulator-errors.js';
import type { Simulator } from './simulator.js';

/** Creates the methods by which a program acts in the simulator. */
export function createActions(world: World, origin: string) {
  return {
    run: ({ rawInput, ...place }) =>
      orThrow(() => simInteraction(world, runLine(world, rawInput, place))),
    sendMessage({ content = '', attachments: files = [], ...place }) {
      const message = orThrow(() => {
        const { channel } = findPlace(world, place);
        const attachments = files.map((file) => storeFile(world, channel, file).objectKey);
        return say(world, { ...place, content, attachments });
      });
      return simMessage(world, message);
    },
    upload({ channel, ...file }) {
      const upload = orThrow(() => storeFile(world, findChannel(world, channel), file));
      return simUpload(world, origin, upload, Buffer.byteLength(file.data));
    },
    react: ({ messageId: message, emoji, as, remove }) =>
      orThrow(() => simMessage(world, react(world, emoji, { message, as, remove }))),
    messages(channel) {
      const { id } = findChannel(world, channel);
      return (world.state.histories.get(id) ?? []).map((message) => simMessage(world, message));
    },
    message(id) {
      const message = world.state.messages.get(id);
      return message && simMessage(world, message);
    },
    channel(name) {
      const { id, name: found } = findChannel(world, name);
      return { id, name: found };
    },
    user(name) {
      const { id, username, displayName } = findUser(world, name, '');
      return { id, username, displayName };
    },
    interaction(id) {
      const interaction = world.state.interactions.get(id);
      return interaction && simInteraction(world, interaction);
    },
    expire: (interactionId) => closeWindow(world, interactionId),
    hasCall: (interactionId) => world.state.interactions.get(interactionId)?.hasCall ?? false,
    defer: (interactionId) => orThrow(() => defer(world, interactionId, false)),
    respond: (interactionId, content) =>
      orThrow(() =>
        simMessage(world, respond(world, interactionId, { content: validContent(world, content) })),
      ),
    report: (problems) => world.emit({ type: 'problems.reported', problems }),
  } satisfies Partial<Simulator>;
}

/** Calls a function; a refusal of the platform is thrown as an error of this package. */
export function orThrow<T>(act: () => T): T {
  try {
    return act();
  } catch (cause) {
    return throwRefusal(cause);
  }
}

/** Throws an error; a refusal is thrown as an error of this package. */
export function throwRefusal(cause: unknown): never {
  if (!(cause instanceof Refusal)) throw cause;
  throw simulatorErrors.E_SIM_REFUSED({ reason: cause.message, code: cause.code }, { cause });
}
