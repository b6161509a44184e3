import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { toError } from '@virgule/core/errors';
import { isApiRefused, type Channel, type Command } from '@virgule/client/rest';
import { syncItemOf } from '@virgule/core/protocol';
import { UUID } from '@virgule/core/text';
import { planSync } from '@virgule/runtime/sync';
import { saveSet } from '../deploy/saved-sets.js';
import { invalidFlag } from '../terminal/invalid-arguments.js';
import { PACE_MS, type Fields, type Find, type Lab, type Refusal } from './lab.js';

/** Returns whether a type is named after voice channels: another name does not show which type is theirs. */
const isVoice = ({ type }: Channel): boolean => /voice/i.test(type);
const MAX_FILES = 12;
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
/** Limit of a registration, in milliseconds: a longer wait could undo a deploy that comes in between. */
const SOON = { deadlineMs: 5_000 };
/** Time in which the end of a socket or a window has taken effect, in milliseconds. */
const SETTLE_MS = 1_000;

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

type Call = () => Promise<unknown>;
const isAccepted = ({ status }: Refusal): boolean => status === 200;
const isInvalid = ({ code }: Refusal): boolean => code === 'bot_validation_error';

/** Resolves with the refusal of a call. Rejects if the platform failed, which shows nothing about the call. */
const refusalOf = (call: Promise<unknown>): Promise<Refusal> =>
  call.then(
    () => ({ status: 200, code: '' }),
    (error: unknown) => {
      if (!isApiRefused(error)) throw error;
      const { status, apiCode: code } = error.details;
      if (status >= 500 || status === 408) throw error;
      return { status, code };
    },
  );

const twice = async (call: Call) => [await refusalOf(call()), await refusalOf(call())];

/** Keeps the refusals of equal calls as a fact. */
function keepRefusals(lab: Lab, name: string, refusals: readonly Refusal[]): void {
  for (const refusal of refusals) lab.keep(name, refusal, [`${refusal.status} ${refusal.code}`]);
}

/** Writes a message that may be too long. */
function writeLong(lab: Lab, more: string) {
  const { rest, see, text, options } = lab;
  const path = `/channels/${options.channelId}/messages`;
  const written = lab.write(rest.request('POST', path, { body: text(more) }));
  return refusalOf(written.then((body) => see('messages.send', body)));
}

/** Returns whether only files can follow the name of a command: other options can contain an address or an id, too. */
const hasOnlyFiles = ({ options }: Command): boolean =>
  options.length > 0 && options.every(({ type }) => type === 'attachment');

/** Has a command run, with a file if a person types it, else without options. */
async function runCommand(lab: Lab) {
  const { rest, options, commands } = lab;
  const isTyped = !options.has.has('BOT_USER_TOKEN');
  const registered = await rest.commands.list();
  const isBare = (one: Command): boolean => !one.options.some(({ required }) => required);
  const command = registered.find(isTyped ? hasOnlyFiles : isBare) ?? registered[0];
  if (!command) throw new Error('no command is registered');
  const earlier = commands.size;
  const isRun = (one: { readonly event: Fields }) => one.event['name'] === command.name;
  let refused: Error | undefined;
  const fail = (error: unknown): void => void (refused = toError(error));
  // The event may arrive before the answer.
  await lab.turn(async () => void options.runCommand(command).catch(fail));
  // A person needs more time to type a command than its event to arrive.
  for (let ms = isTyped ? 120_000 : 5_000; ms >= 0; ms -= POLL_MS) {
    const run = [...commands.values()].slice(earlier).find(isRun);
    if (run) {
      const { interactionId: id, rawInput } = run.event;
      lab.learn('APPLICATION_COMMAND', run.event);
      return { ...run, id: String(id), rawInput: String(rawInput), isFile: hasOnlyFiles(command) };
    }
    if (refused) throw refused;
    await lab.wait(POLL_MS);
  }
  throw new Error(`no event of /${command.name} was received`);
}

/** Answers a command. The response may show the id of the message. */
const respond = (lab: Lab, id: string) =>
  lab.rest.interactions.respond(id, lab.text()).then((sent) => sent.message());

const inRange = (ms: number, min: number, max: number): unknown =>
  ms >= min && ms < max ? ms : `outside ${min} to ${max}`;

/** Makes a call at a time of the platform. Resolves with whether its interaction was open; `undefined` if that is not known. */
async function isOpen(lab: Lab, atMs: number, call: Call) {
  const { clock } = lab.options;
  const gone = lab.fact('refusals.interactionGone')['value'];
  // Without a refusal, nothing shows the end.
  if (!gone || isAccepted(gone as Refusal)) return undefined;
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
    async 'heartbeat.intervalMs channelTypes.text channelTypes.voice messageResponse messageEvent unicodeEmojiKind'(
      lab,
    ) {
      const { rest, options } = lab;
      await lab.write(rest.messages.send(options.channelId, lab.text()));
      await lab.wait(SETTLE_MS);
      // A response or an event has shown the id. The reaction is deleted with the message.
      for (const id of lab.ids) await rest.reactions.add(options.channelId, String(id), CHECK);
      await lab.wait(SETTLE_MS);
    },
    'refusals.validationStatus': async (lab) => void (await writeLong(lab, LONG)),
    async contentUnit(lab) {
      // Without a limit of 2,000, the length of a message shows nothing.
      if (lab.fact('refusals.validationStatus')['value'] === undefined) return undefined;
      const refusal = await writeLong(lab, '😀'.repeat(1_001));
      if (isAccepted(refusal)) return 'code-point';
      return isInvalid(refusal) ? 'utf-16-code-unit' : undefined;
    },
    async 'refusals.interactionGone'(lab) {
      const acks = await twice(() => lab.rest.interactions.ack(randomUUID()));
      keepRefusals(lab, 'refusals.interactionGone', acks);
    },
    async pageMax({ rest, options: { channelId } }) {
      const { messages, hasMore } = await rest.messages.list(channelId, { limit: 1_000 });
      return hasMore ? messages.length || undefined : undefined;
    },
    async 'attachmentsMax uploadMethod uploadMaxBytes'(lab) {
      const { rest, text, options } = lab;
      const { channelId } = options;
      const files = Array.from({ length: MAX_FILES }, () => ({ name: 'probe.txt', data: 'x' }));
      const attachments = [...(await rest.attachments.uploadAll(channelId, files))];
      // A refused message leaves its files for the next.
      for (; attachments.length > 0; attachments.pop()) {
        const sent = rest.messages.send(channelId, { ...text(), attachments });
        const refusal = await refusalOf(lab.write(sent));
        if (isAccepted(refusal)) return attachments.length % MAX_FILES || `${MAX_FILES} or more`;
        if (!isInvalid(refusal)) break;
      }
      return undefined;
    },
    'closes.badToken': async (lab) => (await lab.connect({ token: 'no-token' })).code(),
  },
  // Facts of one command.
  'a user': {
    async 'commandUser attachmentInput refusals.nothingToEdit refusals.alreadyAnswered'(lab) {
      const { rest } = lab;
      const { id, isFile, rawInput } = await runCommand(lab);
      // Mentions and files of the line, without content, such as `<@uuid>`.
      const line = rawInput.replaceAll(new RegExp(UUID, 'gi'), 'uuid');
      const parts =
        line.match(/<?[@#&]+(uuid)?>?|uuid|https?:/g)?.join(' ') ?? 'no mention or file';
      const form = /http/.test(parts) ? 'url' : /(^| )uuid/.test(parts) ? 'id' : undefined;
      const note = `rawInput with ${parts}; only a command with only files shows it`;
      lab.keep('attachmentInput', isFile ? form : undefined, [note]);
      const edits = await twice(() => rest.interactions.editResponse(id, lab.text()));
      // An accepted answer shows that the interaction existed, and that no one else has answered.
      if (!isAccepted(await refusalOf(lab.write(respond(lab, id))))) return;
      keepRefusals(lab, 'refusals.nothingToEdit', edits);
      keepRefusals(lab, 'refusals.alreadyAnswered', await twice(() => respond(lab, id)));
      const path = `/interactions/${id}/response`;
      await refusalOf(rest.request('PATCH', path, { body: lab.text(LONG) }));
    },
  },
  // Facts of several commands.
  BOT_USER_TOKEN: {
    async answerWindowMs(lab) {
      let [low, high] = [0, MAX_ANSWER_MS];
      while (high - low > STEP_MS) {
        const middle = (low + high) / 2;
        const { id, atMs } = await runCommand(lab);
        // The last millisecond of a window is inside.
        const open = await isOpen(lab, atMs + middle - 1, () => lab.rest.interactions.ack(id));
        if (open === undefined) return undefined;
        [low, high] = open ? [middle, high] : [low, middle];
      }
      return inRange(Math.floor(low), PACE_MS, MAX_ANSWER_MS - 2 * STEP_MS);
    },
    async ackStopsExpiry(lab) {
      const windowMs = lab.fact('answerWindowMs')['value'];
      if (typeof windowMs !== 'number') return undefined;
      const { id, atMs } = await runCommand(lab);
      await lab.rest.interactions.ack(id);
      return isOpen(lab, atMs + windowMs + SETTLE_MS, () => lab.write(respond(lab, id)));
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
      const { root, clock } = lab.options;
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
      const set = { applicationId: String(lab.bot?.applicationId), commands: items, own: null };
      lab.registered = { items, saved: saveSet(root, set, clock.now()) };
      await commands.replace(items, SOON);
    },
  },
};
