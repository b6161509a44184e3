import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isVirguleError, toError } from '@virgule/core/errors';
import type { Channel, Command, SentAnswer } from '@virgule/client/rest';
import { orUndefined } from '@virgule/core/objects';
import { syncItemOf } from '@virgule/core/protocol';
import { UUID } from '@virgule/core/text';
import { planSync } from '@virgule/runtime/sync';
import { invalidFlag } from '../terminal/invalid-arguments.js';
import { saveJournal, SOON } from './journal.js';
import { PACE_MS, type Fields, type Find, type Lab } from './lab.js';
import { isAccepted, isInvalid, refusalOf, twice, write, type Call } from './refusals.js';

/** Returns whether a type is named after voice channels: another name does not show which type is theirs. */
const isVoice = ({ type }: Channel): boolean => /voice/i.test(type);
const MAX_FILES = 12;
const MAX_EDITS = 12;
const CHECK = { unicodeEmoji: '✅' };
const LONG = 'x'.repeat(2_001);
/** Longest windows, in milliseconds. Halves of the first are multiples of the step. */
const MAX_ANSWER_MS = 256 * PACE_MS;
const MAX_DEFERRED_MS = 20 * 60_000;
/** Step in which the first window is measured. A window that is a multiple of the pace is one of the step, too. */
const STEP_MS = PACE_MS / 8;
/** Time between two checks of a deferred interaction. */
const CHECK_MS = 5_000;
/** Time by which these checks are early: the calls take time, too. */
const SLACK_MS = 100;
const POLL_MS = 50;
/** Maximum age of a list of commands that a cache shows, in milliseconds. */
const LIST_AGE_MS = 60_000;
/** Time in which the end of a socket or a window has taken effect, in milliseconds. */
export const SETTLE_MS = 1_000;

/**
 * Finds the types of channels.
 *
 * @throws VirguleError `E_ARGUMENTS` if the channel is unknown, and `E_API_REFUSED` if its messages cannot be read.
 */
export async function checkChannel(lab: Lab): Promise<void> {
  const { rest, options } = lab;
  const { channelId } = options;
  const channels: Channel[] = [];
  // The bot may not see the channels of another server.
  for (const server of await rest.servers.list())
    await refusalOf(rest.servers.channels(server.id).then((more) => channels.push(...more)));
  const readable = channels.filter((channel) => !isVoice(channel));
  const own = readable.find(({ id }) => id === channelId);
  const names = readable.map(({ name, id }) => `#${name} (${id})`);
  if (!own) throw invalidFlag('channel', `the id of ${names.join(', ')}`, channelId);
  lab.keep('channelTypes.text', own.type);
  lab.keep('channelTypes.voice', channels.find(isVoice)?.type, ['the names of types']);
  // Only who can read messages finds those of a run that was killed.
  await rest.messages.list(channelId, { limit: 1 });
}

/** Writes a message that may be too long. */
function writeLong(lab: Lab, more: string) {
  const { rest, see, text, options } = lab;
  const path = `/channels/${options.channelId}/messages`;
  const written = write(lab, text(more), (body) => rest.request('POST', path, { body }));
  return refusalOf(written.then((body) => see('messages.send', body)));
}

/** Returns whether only files can follow the name of a command: other options can contain an address or an id, too. */
const hasOnlyFiles = ({ options }: Command): boolean =>
  options.length > 0 && options.every(({ type }) => type === 'attachment');

/** Reads the body of an answer, which is kept then. */
const readBody = (sent: SentAnswer): unknown => orUndefined(() => sent.message());

/** Has a command run, with a file if a person types it, else without options. */
async function runCommand(lab: Lab) {
  const isTyped = !lab.options.has.has('BOT_USER_TOKEN');
  const commands = await lab.rest.commands.list();
  const isBare = ({ options }: Command): boolean => !options.some(({ required }) => required);
  const command = commands.find(isTyped ? hasOnlyFiles : isBare) ?? commands[0];
  if (!command) throw new Error('no command is registered');
  const earlier = lab.commands.size;
  let refused: Error | undefined;
  // The event may arrive before the answer.
  await lab.turn(
    async () =>
      void lab.options.runCommand(command).catch((error: unknown) => (refused = toError(error))),
  );
  const isRun = ({ event }: { readonly event: Fields }): boolean =>
    event['name'] === command.name && (isTyped || event['rawInput'] === `/${command.name}`);
  // A person needs more time to type a command than its event to arrive.
  for (let ms = isTyped ? 120_000 : 5_000; ms >= 0; ms -= POLL_MS) {
    const run = [...lab.commands.values()].slice(earlier).find(isRun);
    if (run) {
      const { event, atMs: startMs } = run;
      lab.learn('APPLICATION_COMMAND', event);
      if (isTyped) lab.notes.push('anyone in the channel may have typed it');
      const { interactionId: id, rawInput } = event;
      return { startMs, id: String(id), rawInput: String(rawInput), isFile: hasOnlyFiles(command) };
    }
    if (refused) throw refused;
    await lab.wait(POLL_MS);
  }
  throw new Error(`no event of /${command.name} was received`);
}

const inRange = (ms: number, min: number, max: number): unknown =>
  ms >= min && ms < max ? ms : `outside ${min} to ${max}`;

/** Makes a call at a time of the platform. Resolves with whether its interaction was open; `undefined` if that is not known. */
async function isOpen(lab: Lab, atMs: number, call: Call) {
  const { clock } = lab.options;
  const [gone, again] = lab.refusals['interactionGone'] ?? [];
  if (!gone || isAccepted(gone) || !isDeepStrictEqual(gone, again)) return undefined;
  await lab.wait(atMs - clock.monotonic());
  const refusal = await refusalOf(call());
  if (isAccepted(refusal)) return true;
  // A rate limit may have held the call back until the interaction ended.
  const isLate = clock.monotonic() > atMs + SETTLE_MS;
  return isDeepStrictEqual(refusal, gone) && !isLate ? false : undefined;
}

/**
 * Functions that find facts, in order, by the right that they need and by the names of the facts; the value is that of the
 * first name. Facts of the profile have the names of its members.
 */
export const EXPERIMENTS: Readonly<Record<string, Readonly<Record<string, Find>>>> = {
  'a bot': {
    async 'messageResponse messageEvent unicodeEmojiKind'(lab) {
      const { rest, journal, options } = lab;
      await write(lab, lab.text(), (body) => rest.messages.send(options.channelId, body));
      await lab.wait(SETTLE_MS);
      // A response or an event has shown the id.
      for (const id of Object.values(journal.messages).flat()) {
        await rest.reactions.add(options.channelId, id, CHECK);
        await rest.reactions.remove(options.channelId, id, CHECK);
      }
      await lab.wait(SETTLE_MS);
    },
    'refusals.validationStatus': async (lab) => void (await writeLong(lab, LONG)),
    async contentUnit(lab) {
      // Without a limit of 2,000, the length of a message shows nothing.
      if (lab.facts['refusals.validationStatus']?.['value'] === undefined) return undefined;
      const refusal = await writeLong(lab, '😀'.repeat(1_001));
      if (isAccepted(refusal)) return 'code-point';
      return isInvalid(refusal) ? 'utf-16-code-unit' : undefined;
    },
    async 'refusals.interactionGone'({ rest, refusals, options: { channelId } }) {
      const unknown = randomUUID();
      const others = [
        rest.messages.list(unknown),
        rest.servers.channels(unknown),
        rest.reactions.add(channelId, unknown, CHECK),
      ];
      await Promise.all(others.map(refusalOf));
      refusals['interactionGone'] = await twice(() => rest.interactions.ack(randomUUID()));
    },
    async pageMax({ rest, earlier, options: { channelId } }) {
      const { messages, hasMore } = await rest.messages.list(channelId, { limit: 1_000 });
      if (hasMore) return messages.length || undefined;
      return messages.length > Number(earlier['pageMax']) ? 'longer than before' : undefined;
    },
    async 'attachmentsMax uploadMethod uploadMaxBytes'(lab) {
      const { rest, text, options } = lab;
      const { channelId } = options;
      const files = Array.from({ length: MAX_FILES }, () => ({ name: 'probe.txt', data: 'x' }));
      const attachments = [...(await rest.attachments.uploadAll(channelId, files))];
      // A refused message leaves its files for the next.
      for (; attachments.length > 0; attachments.pop()) {
        const message = { ...text(), attachments };
        const send = (body: typeof message) => rest.messages.send(channelId, body);
        const refusal = await refusalOf(write(lab, message, send));
        if (isAccepted(refusal)) return attachments.length % MAX_FILES || `${MAX_FILES} or more`;
        if (!isInvalid(refusal)) break;
      }
      return undefined;
    },
    /** Number of edits of one message, at the pace of the probe, that a rate limit follows. */
    async 'edits rateLimitReset'(lab) {
      const { rest, journal, text, options } = lab;
      const [id] = Object.values(journal.messages).flat();
      if (!id) return undefined;
      for (let edits = 0; edits < MAX_EDITS; edits += 1) {
        const editing = rest.messages.edit(options.channelId, id, text());
        const isLimited = await editing.then(
          () => rest.limits().buckets.some(({ route }) => route === 'messages.edit'),
          (error: unknown) => isVirguleError(error, 'E_RATE_LIMITED') || Promise.reject(error),
        );
        lab.notes = ['counted once, after other calls'];
        if (isLimited) return edits || 'none';
      }
      return `${MAX_EDITS} or more`;
    },
    'closes.badToken': async (lab) => (await lab.connect({ token: 'no-token' })).code(),
  },
  // Facts of one command.
  'a user': {
    async 'commandUser attachmentInput refusals.nothingToEdit refusals.alreadyAnswered'(lab) {
      const { rest, refusals } = lab;
      const { id, isFile, rawInput } = await runCommand(lab);
      // Mentions and files of the line, without content, such as `<@uuid>`.
      const line = rawInput.replaceAll(new RegExp(UUID, 'gi'), 'uuid');
      const parts =
        line.match(/<?[@#&]+(uuid)?>?|uuid|https?:/g)?.join(' ') ?? 'no mention or file';
      const form = /http/.test(parts) ? 'url' : /(^| )uuid/.test(parts) ? 'id' : undefined;
      const note = `rawInput with ${parts}; only a command with only files shows it`;
      lab.keep('attachmentInput', isFile ? form : undefined, [note]);
      const first = lab.answer();
      const respond = (body = lab.answer()) =>
        write(lab, body, () => rest.interactions.respond(id, body).then(readBody), body === first);
      const edit = lab.answer();
      const edits = await twice(() =>
        write(lab, edit, () => rest.interactions.editResponse(id, edit), false),
      );
      // An accepted answer shows that the interaction existed, and that no one else has answered.
      if (!isAccepted(await refusalOf(respond(first)))) return;
      refusals['nothingToEdit'] = edits;
      refusals['alreadyAnswered'] = await twice(respond);
      const path = `/interactions/${id}/response`;
      await refusalOf(
        rest.request('PATCH', path, { body: { content: `${first.content} ${LONG}` } }),
      );
    },
  },
  // Facts of several commands.
  BOT_USER_TOKEN: {
    async answerWindowMs(lab) {
      let [low, high] = [0, MAX_ANSWER_MS];
      while (high - low > STEP_MS) {
        const middle = (low + high) / 2;
        const { id, startMs } = await runCommand(lab);
        // The last millisecond of a window is inside.
        const open = await isOpen(lab, startMs + middle - 1, () => lab.rest.interactions.ack(id));
        if (open === undefined) return undefined;
        [low, high] = open ? [middle, high] : [low, middle];
      }
      return inRange(Math.floor(low), PACE_MS, MAX_ANSWER_MS - 2 * STEP_MS);
    },
    async ackStopsExpiry(lab) {
      const windowMs = lab.facts['answerWindowMs']?.value;
      if (typeof windowMs !== 'number') return undefined;
      const { id, startMs } = await runCommand(lab);
      await lab.rest.interactions.ack(id);
      const respond = () =>
        write(lab, lab.answer(), (body) => lab.rest.interactions.respond(id, body));
      return isOpen(lab, startMs + windowMs + SETTLE_MS, respond);
    },
    async deferredWindowMs(lab) {
      const { id } = await runCommand(lab);
      await lab.rest.interactions.defer(id);
      const startMs = lab.options.clock.monotonic();
      let open: boolean | undefined = true;
      let ms = 0;
      // An ack after a defer changes nothing; its answer changes when the interaction ends.
      for (; open && ms <= MAX_DEFERRED_MS; ms += CHECK_MS)
        open = await isOpen(lab, startMs + ms - SLACK_MS, () => lab.rest.interactions.ack(id));
      if (open === undefined) return undefined;
      return inRange(ms - 2 * CHECK_MS, CHECK_MS, MAX_DEFERRED_MS - CHECK_MS);
    },
  },
  // Last: the registered commands are compared at the end of the run.
  '--write-commands': {
    async syncResponse(lab) {
      const { commands } = lab.rest;
      const registered = await commands.list();
      const items = registered.map(syncItemOf);
      const whole = registered.map(({ id: _id, createdAt: _createdAt, ...item }) => item);
      // A cache may answer, which does not know a deploy of this minute.
      await lab.wait(LIST_AGE_MS);
      const isListed = planSync(items, await commands.list()).empty;
      // Registering would delete commands that are not in the list, and fields that are not in the interface.
      if (items.length === 0 || !isListed || !isDeepStrictEqual(whole, items))
        throw new Error('registering could lose commands');
      lab.journal.commands = items;
      saveJournal(lab);
      await commands.replace(items, SOON);
    },
  },
};
