// Source: Bot Interface, "States and transitions" (rules 1 to 4) and endpoints 27 to 31. The names of the states are
// specific to the simulator; unspecified behavior comes from the profile.
import {
  CONTENT_MAX_LENGTH,
  type InteractionResponseRequest as AnswerBody,
} from '@virgule/core/protocol';
import type { SimFailure } from '@virgule/core/simulator-api';
import { botSees, channelOfUser, requireKind, requireRecord } from './access.js';
import { editMessage, sendMessage } from './messages.js';
import { notFound, Refusal, requireLength } from './refusal.js';
import type { InteractionRecord, MessageRecord } from './state.js';
import type { World } from './world.js';

/** Number of interactions to keep; the oldest completed interactions are deleted in batches of a thousand. */
const MAX_INTERACTIONS = 10_000;
const INTERACTIONS_SLACK = 1_000;

type CommandRun = Pick<InteractionRecord, 'channelId' | 'userId' | 'rawInput'> & {
  readonly commandId: string;
};

/** Creates an interaction. The gateway sends its event on the change. */
export function runCommand(world: World, run: CommandRun): InteractionRecord {
  const channel = channelOfUser(world, run.channelId, run.userId);
  const isMeant = ({ id }: { readonly id: string }): boolean => id === run.commandId;
  const bot = [...world.state.bots.values()].find(({ commands }) => commands.some(isMeant));
  const command = bot?.commands.find(isMeant);
  // A bot has no commands in channels that it does not see.
  if (!bot || !command || !botSees(world, channel, bot.botUserId))
    throw notFound('command', run.commandId);
  requireKind(channel, 'text');
  const now = world.clock.now();
  const interaction: InteractionRecord = {
    id: world.nextId('interaction'),
    serverId: channel.serverId,
    channelId: channel.id,
    userId: run.userId,
    botUserId: bot.botUserId,
    commandName: command.name,
    rawInput: requireLength('rawInput', run.rawInput, CONTENT_MAX_LENGTH),
    state: 'waiting',
    wasDeferred: false,
    hasCall: false,
    createdAt: new Date(now).toISOString(),
    deadlineMs: now + world.profile.answerWindowMs,
    isClosed: false,
    responseMessageId: null,
  };
  world.emit({ type: 'interaction.created', interaction });
  forgetOldest(world);
  return interaction;
}

/** Checks that an interaction belongs to a bot; interactions of other bots do not exist for the bot. */
export function requireOwn(world: World, interactionId: string, botUserId: string): void {
  const owner = world.state.interactions.get(interactionId)?.botUserId;
  if (owner !== undefined && owner !== botUserId)
    throw refusal(world, 'interactionGone', interactionId);
}

const REFUSALS = {
  interactionGone: 'The interaction has expired or does not exist.',
  alreadyAnswered: 'The interaction has already been answered.',
  nothingToEdit: 'There is no answer to edit.',
};

/** Returns a refusal with the status and the code of the profile. */
function refusal({ profile }: World, kind: keyof typeof REFUSALS, interactionId: string): Refusal {
  const { status, code } = profile.refusals[kind];
  return new Refusal(status, code, REFUSALS[kind], { interactionId });
}

/** Returns an interaction that can be answered. */
function openInteraction(world: World, interactionId: string): InteractionRecord {
  const interaction = world.state.interactions.get(interactionId);
  if (interaction === undefined || interaction.state === 'expired' || interaction.isClosed)
    throw refusal(world, 'interactionGone', interactionId);
  return interaction;
}

function update(world: World, interaction: InteractionRecord, values: Partial<InteractionRecord>) {
  world.emit({ type: 'interaction.changed', interaction: { ...interaction, ...values } });
}

/** Marks an interaction or a message for which the bot logged an error. */
export function markFailed(world: World, id: string, failure: SimFailure): void {
  const interaction = world.state.interactions.get(id);
  if (interaction && !interaction.failure) update(world, interaction, { failure });
  const message = world.state.messages.get(id);
  if (message && !message.failure)
    world.emit({ type: 'message.failed', message: { ...message, failure } });
}

/** Acknowledges an interaction. A second call, or a call after a defer or an answer of the bot, changes nothing. */
export function acknowledge(world: World, interactionId: string): void {
  const interaction = openInteraction(world, interactionId);
  if (interaction.hasCall) return;
  const { ackStopsExpiry, deferredWindowMs } = world.profile;
  update(world, interaction, {
    state: 'acknowledged',
    hasCall: true,
    deadlineMs: ackStopsExpiry ? world.clock.now() + deferredWindowMs : interaction.deadlineMs,
  });
}

/**
 * Defers an interaction. A second call, or a call after an answer, changes nothing. For an absent bot, `isByBot` is
 * `false`: the next call of the bot then counts as its first call.
 */
export function defer(world: World, interactionId: string, isByBot = true): void {
  const interaction = openInteraction(world, interactionId);
  const { state, hasCall } = interaction;
  if (state === 'answered' || (state === 'deferred' && (hasCall || !isByBot))) return;
  update(world, interaction, {
    state: 'deferred',
    wasDeferred: true,
    hasCall: hasCall || isByBot,
    deadlineMs: world.clock.now() + world.profile.deferredWindowMs,
  });
}

/** Writes the first answer. `ephemeral` has no effect. */
export function respond(world: World, interactionId: string, body: AnswerBody): MessageRecord {
  const interaction = openInteraction(world, interactionId);
  if (interaction.state !== 'answered') return answer(world, interaction, body);
  // The user sees both answers in a profile that accepts a second answer.
  if (world.profile.refusals.alreadyAnswered.status >= 400)
    throw refusal(world, 'alreadyAnswered', interactionId);
  return writeMessage(world, interaction, body);
}

/** Edits the answer or, after a defer, writes the answer (rule 19). */
export function editResponse(world: World, interactionId: string, content: string): MessageRecord {
  const interaction = openInteraction(world, interactionId);
  if (interaction.state === 'deferred') return answer(world, interaction, { content });
  const response = world.state.messages.get(interaction.responseMessageId ?? '');
  if (response !== undefined && !response.isDeleted) return editMessage(world, response, content);
  throw refusal(world, 'nothingToEdit', interactionId);
}

/** Sends another message. Requires an answer or a defer (assumed). */
export function followUp(world: World, interactionId: string, body: AnswerBody): MessageRecord {
  const interaction = openInteraction(world, interactionId);
  if (interaction.state !== 'answered' && interaction.state !== 'deferred') {
    const message = 'A follow-up requires an answer or a defer.';
    throw new Refusal(409, 'bot_interaction_not_answered', message, { interactionId });
  }
  if (!interaction.hasCall) update(world, interaction, { hasCall: true });
  return writeMessage(world, interaction, body);
}

/** Ends the current window of an interaction. */
export function closeWindow(world: World, interactionId: string): void {
  const interaction = world.state.interactions.get(interactionId);
  if (interaction === undefined || interaction.deadlineMs === null) return;
  const staysAcknowledged = interaction.state === 'acknowledged' && world.profile.ackStopsExpiry;
  update(world, interaction, {
    state: staysAcknowledged ? 'acknowledged' : 'expired',
    isClosed: true,
    deadlineMs: null,
  });
}

function answer(world: World, interaction: InteractionRecord, body: AnswerBody): MessageRecord {
  const message = writeMessage(world, interaction, body);
  update(world, interaction, {
    state: 'answered',
    hasCall: true,
    deadlineMs: null,
    responseMessageId: message.id,
  });
  return message;
}

function writeMessage(world: World, interaction: InteractionRecord, body: AnswerBody) {
  return sendMessage(world, {
    channel: requireRecord(world.state.channels, 'channel', interaction.channelId),
    authorId: interaction.botUserId,
    content: body.content ?? '',
    replyToMessageId: body.replyToMessageId,
    attachments: body.attachments,
    interactionId: interaction.id,
  });
}

function forgetOldest(world: World): void {
  const { interactions } = world.state;
  if (interactions.size < MAX_INTERACTIONS + INTERACTIONS_SLACK) return;
  const completed: string[] = [];
  for (const { id, deadlineMs } of interactions.values()) {
    if (completed.length === INTERACTIONS_SLACK) break;
    if (deadlineMs === null) completed.push(id);
  }
  world.emit({ type: 'interactions.forgotten', interactionIds: completed });
}
