import { runtimeErrors } from '@virgule/runtime/project';
import { raceAbort } from '@virgule/core/abort';
import { systemClock } from '@virgule/core/clock';
import { isRecord } from '@virgule/core/objects';
import type { EventName } from '@virgule/core/protocol';
import type { SimInteractionDetail } from '@virgule/core/simulator-api';
import { showControls } from '@virgule/core/text';
import { runningSimulator } from '../state/state-lock.js';
import { createSimControl } from '../trigger/sim-control.js';
import {
  checkInput,
  eventNamed,
  triggerEvent,
  type TriggerInput,
} from '../trigger/trigger-event.js';
import { defineCliCommand } from '../terminal/command.js';
import type { Io } from '../terminal/io.js';
import { openBot } from '../testing/open-bot.js';

export const trigger = defineCliCommand({
  name: 'trigger',
  words: 'EVENT',
  about: 'Trigger an event in the running `virgule dev`, or in a new bot',
  flags: {
    content: { type: 'string', value: 'TEXT', about: 'The content of the message' },
    line: {
      type: 'string',
      value: '"/line"',
      about: 'The line that the user types, for APPLICATION_COMMAND',
    },
    channel: { type: 'string', value: 'NAME', about: 'The channel (default: general)' },
    as: { type: 'string', value: 'USERNAME', about: 'The user (default: the owner)' },
    message: { type: 'string', value: 'ID', about: 'The message (default: the last one)' },
    emoji: { type: 'string', value: 'EMOJI', about: 'The reaction (default: 👍)' },
    leave: { type: 'boolean', about: 'Leave the voice channel instead of joining it' },
    json: { type: 'boolean', about: 'Print one JSON object' },
  },
  examples: [
    'virgule trigger MESSAGE_CREATE --content hi',
    'virgule trigger MESSAGE_REACTION_ADD --emoji 🎉 --as grace',
    'virgule trigger VOICE_STATE_UPDATE',
    'virgule trigger APPLICATION_COMMAND --line "/roll 20"',
  ],
  exits: { 0: 'it happened', 1: 'refused, or no such event' },
  async run({ flags: { json, ...input }, words }, io) {
    const [word, ...others] = words;
    if (word === undefined || others.length > 0)
      throw runtimeErrors.E_ARGUMENTS({
        command: 'trigger',
        want: 'the name of one event',
        saw: words,
      });
    const event = eventNamed(word);
    checkInput(event, input);
    const running = runningSimulator(io.cwd);
    const replies =
      running === undefined
        ? await triggerAlone(event, input, io)
        : await triggerThere(event, input, { baseUrl: running, io });
    if (json) {
      const on = running === undefined ? {} : { page: `${running}/` };
      io.stdout.write(`${JSON.stringify({ v: 1, event, ...on, replies })}\n`);
    } else {
      if (running !== undefined) io.stdout.write(`${event} happened on ${running}/\n`);
      for (const reply of replies) io.stdout.write(`${showControls(reply, '')}\n`);
    }
    return 0;
  },
});

const POLL_MS = 40;

/** Triggers the event in the running `virgule dev`, and returns the messages of a command once it is answered. */
async function triggerThere(
  event: EventName,
  input: TriggerInput,
  { baseUrl, io }: { readonly baseUrl: string; readonly io: Io },
): Promise<readonly string[]> {
  const control = createSimControl(baseUrl);
  const response = await triggerEvent(event, input, control);
  const id = isRecord(response) ? response['interactionId'] : undefined;
  if (typeof id !== 'string') return [];
  for (;;) {
    const path = `/_sim/interactions/${id}`;
    const { interaction, messages } = await control.get<SimInteractionDetail>(path);
    const isOpen = ['waiting', 'deferred'].includes(interaction.state);
    if (!isOpen) return messages.map(({ content }) => content);
    await systemClock.sleep(POLL_MS, { signal: io.interrupt });
  }
}

/** Starts a bot on a private simulator, and returns its replies. */
async function triggerAlone(
  event: EventName,
  input: TriggerInput,
  io: Io,
): Promise<readonly string[]> {
  await using bot = await openBot(io);
  const { platform } = bot;
  const { botUserId } = platform.snapshot().bot;
  const replies: string[] = [];
  const stop = platform.on((happened) => {
    if (happened.type === 'message' && happened.message.authorId === botUserId)
      replies.push(happened.message.content);
  });
  const control = createSimControl(platform.baseUrl);
  await raceAbort(
    bot.handled(event, () => triggerEvent(event, input, control)),
    io.interrupt,
  );
  stop();
  return replies;
}
