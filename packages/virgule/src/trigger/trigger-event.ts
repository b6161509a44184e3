import { runtimeErrors } from '@virgule/runtime/project';
import { isVirguleError } from '@virgule/core/errors';
import type { EventName } from '@virgule/core/protocol';
import type { SimChannel, SimSnapshot, SimUser } from '@virgule/core/simulator-api';
import { didYouMean } from '@virgule/core/text';
import { cliErrors } from '../terminal/cli-errors.js';
import { readLine } from '../terminal/read-line.js';
import { findPlace, type FoundPlace } from './find-place.js';
import { reasonOf, type SimControl } from './sim-control.js';

/** What is to happen, in the words of the command line. */
export interface TriggerInput {
  readonly content?: string | undefined;
  /** Name or id of a channel. */
  readonly channel?: string | undefined;
  /** Username or id of a user. */
  readonly as?: string | undefined;
  /** Id of a message; without one the last of the channel. */
  readonly message?: string | undefined;
  readonly emoji?: string | undefined;
  /** A line, such as `/roll 20`. */
  readonly line?: string | undefined;
  readonly leave?: boolean | undefined;
}

interface Trigger {
  /** The flags it takes, in addition to the channel and the user. */
  readonly takes: readonly (keyof TriggerInput)[];
  /** The required one. */
  readonly needs?: keyof TriggerInput;
  /** Where it happens. @defaultValue `'text'` */
  readonly kind?: 'text' | 'voice';
  /** Returns what the simulator responds with, such as the message. */
  act(scene: Scene): Promise<unknown>;
}

/** Where something happens, and by whom. */
interface Scene {
  readonly control: SimControl;
  readonly snapshot: SimSnapshot;
  readonly input: TriggerInput;
  readonly channel: SimChannel;
  readonly user: SimUser;
  /** The message that was named, else the last one, of this user where it has to be. */
  readonly message: (own: boolean) => Promise<string>;
}

const TRIGGERS: Readonly<Record<EventName, Trigger>> = {
  MESSAGE_CREATE: {
    takes: ['content'],
    needs: 'content',
    act: ({ control, channel, user, input }) =>
      control.send('POST', '/_sim/messages', {
        channelId: channel.id,
        userId: user.id,
        content: input.content,
      }),
  },
  MESSAGE_UPDATE: {
    takes: ['content', 'message'],
    needs: 'content',
    async act({ control, user, input, message }) {
      const body = { userId: user.id, content: input.content };
      return control.send('PATCH', `/_sim/messages/${await message(true)}`, body);
    },
  },
  MESSAGE_DELETE: {
    takes: ['message'],
    async act({ control, user, message }) {
      await control.send('DELETE', `/_sim/messages/${await message(true)}`, { userId: user.id });
    },
  },
  MESSAGE_REACTION_ADD: { takes: ['message', 'emoji'], act: (scene) => react(scene, false) },
  MESSAGE_REACTION_REMOVE: { takes: ['message', 'emoji'], act: (scene) => react(scene, true) },
  VOICE_STATE_UPDATE: {
    takes: ['leave'],
    kind: 'voice',
    act: ({ control, channel, user, input }) =>
      control.send('POST', '/_sim/voice', {
        userId: user.id,
        channelId: input.leave ? null : channel.id,
      }),
  },
  APPLICATION_COMMAND: {
    takes: ['line'],
    needs: 'line',
    async act({ control, snapshot, channel, user, input }) {
      const { botUserId } = snapshot.bot;
      // Other bots of the simulator have commands too.
      const own = snapshot.commands.filter((command) => command.botUserId === botUserId);
      const known = own.map((command) => command.name);
      const { rawInput, name } = readLine(input.line ?? '', known);
      const command = own.find((each) => each.name === name);
      const path = `/api/channels/${channel.id}/interactions/commands`;
      return control.send('POST', path, { commandId: command?.id, rawInput }, user.token);
    },
  },
};

const EVENT_NAMES = Object.keys(TRIGGERS) as EventName[];
const SAW_ALWAYS: readonly (keyof TriggerInput)[] = ['channel', 'as'];

/**
 * Returns the event that a word names, in capitals or as the name of its file.
 *
 * @throws VirguleError `E_TRIGGER_UNKNOWN`.
 */
export function eventNamed(word: string): EventName {
  const name = word.toUpperCase().replaceAll('-', '_');
  const known = EVENT_NAMES.find((event) => event === name);
  if (known) return known;
  throw cliErrors.E_TRIGGER_UNKNOWN({
    saw: word,
    known: EVENT_NAMES,
    meant: didYouMean(name, EVENT_NAMES),
  });
}

/**
 * Checks what an event is given, before anything is started for it.
 *
 * @throws VirguleError `E_UNKNOWN_FLAG`, `E_ARGUMENTS`.
 */
export function checkInput(event: EventName, input: TriggerInput): void {
  const { takes, needs } = TRIGGERS[event];
  const known = [...takes, ...SAW_ALWAYS];
  for (const name of Object.keys(input) as (keyof TriggerInput)[]) {
    if (input[name] !== undefined && !known.includes(name))
      throw cliErrors.E_UNKNOWN_FLAG({ flag: `--${name}`, command: `trigger ${event}` });
  }
  if (needs !== undefined && input[needs] === undefined)
    throw runtimeErrors.E_ARGUMENTS({
      command: `trigger ${event}`,
      want: `--${needs} TEXT`,
      saw: [],
    });
}

/**
 * Makes an event happen on a simulator. Returns what the simulator responds with, such as the message.
 *
 * @throws VirguleError `E_TRIGGER_REFUSED`, `E_COMMAND_UNKNOWN`.
 */
export async function triggerEvent(
  event: EventName,
  input: TriggerInput,
  control: SimControl,
): Promise<unknown> {
  const refuse = (reason: string): never => {
    throw cliErrors.E_TRIGGER_REFUSED({ event, reason });
  };
  const trigger = TRIGGERS[event];
  const snapshot = await control.snapshot().catch((cause: unknown) => {
    const details = { event, reason: reasonOf(cause), isReached: false };
    throw cliErrors.E_TRIGGER_REFUSED(details, { cause });
  });
  const { channel, user } = placeIn(snapshot, input, trigger.kind);

  function placeIn(...args: Parameters<typeof findPlace>): FoundPlace {
    try {
      return findPlace(...args);
    } catch (error) {
      return refuse(reasonOf(error));
    }
  }

  async function message(own: boolean): Promise<string> {
    // It becomes part of a path.
    if (input.message !== undefined) return encodeURIComponent(input.message);
    const last = (await control.messages(channel.id)).findLast(
      ({ isDeleted, authorId }) => !isDeleted && (!own || authorId === user.id),
    );
    return last?.id ?? refuse(`${channel.name} has no message of ${user.username}.`);
  }

  try {
    return await trigger.act({ control, snapshot, input, channel, user, message });
  } catch (error) {
    if (isVirguleError(error)) throw error;
    return refuse(reasonOf(error));
  }
}

/** Adds a reaction to a message; with `remove`, removes it again. */
async function react(
  { control, channel, user, input, message }: Scene,
  remove: boolean,
): Promise<unknown> {
  const { emoji = '👍' } = input;
  const body = { channelId: channel.id, userId: user.id, messageId: await message(false) };
  const send = (isRemoved: boolean): Promise<unknown> =>
    control.send('POST', '/_sim/reactions', { ...body, remove: isRemoved, unicodeEmoji: emoji });
  const added = await send(false);
  // Removing a reaction that does not exist is no event.
  return remove ? send(true) : added;
}
