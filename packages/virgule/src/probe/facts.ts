import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { errorText } from '@virgule/core/errors';
import { isApiRefused, type Channel, type Command } from '@virgule/client/rest';
import { syncItemOf, type Profile } from '@virgule/core/protocol';
import { UUID } from '@virgule/core/text';
import { planSync } from '@virgule/runtime/sync';
import { cliErrors } from '../terminal/cli-errors.js';
import { invalidFlag } from '../terminal/invalid-arguments.js';
import { PACE_MS, type Find, type Lab } from './lab.js';

/** Returns whether a type is named after voice channels: another name does not show which type is theirs. */
const isVoice = ({ type }: Channel): boolean => /voice/i.test(type);
const MAX_FILES = 12;
/** Longest windows, in milliseconds. Halves of the first are multiples of the pace. */
const MAX_ANSWER_MS = 256 * PACE_MS;
const MAX_DEFERRED_MS = 20 * 60_000;
/** Time between two checks of a deferred interaction. */
const CHECK_MS = 5_000;
/** Time by which a check precedes the time that it measures: the call takes time, too. */
const SLACK_MS = 100;
const POLL_MS = 50;
/** Time in which the end of a socket or a window has taken effect, in milliseconds. */
const SETTLE_MS = 1_000;

/** Answer to a call in the form of a profile; an accepted call has the status 200. */
type Refusal = Profile['refusals']['interactionGone'];

const isAccepted = ({ status }: Refusal): boolean => status === 200;
const isInvalid = ({ code }: Refusal): boolean => code === 'bot_validation_error';
/** Returns a refusal as a fact, unless a bot would mistake other errors with the same code for it, and hide them. */
const distinct = ({ codes }: Lab, refusal: Refusal): unknown =>
  codes.has(refusal.code) ? `${refusal.code} of other errors` : refusal;

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

/** Finds the types of channels. @throws VirguleError `E_ARGUMENTS` if the channel of the probe is unknown. */
export async function checkChannel(lab: Lab): Promise<void> {
  const { channelId } = lab.options;
  const channels: Channel[] = [];
  for (const { id } of await lab.rest.servers.list())
    channels.push(
      ...(await lab.rest.servers.channels(id).catch((error: unknown) => {
        // The bot may not see the channels of another server.
        if (!isApiRefused(error)) throw error;
        return [];
      })),
    );
  const readable = channels.filter((channel) => !isVoice(channel));
  const own = readable.find(({ id }) => id === channelId);
  const names = readable.map(({ name, id }) => `#${name} (${id})`);
  if (!own) throw invalidFlag('channel', `the id of ${names.join(', ')}`, channelId);
  lab.keep('channelTypes.text', own.type);
  lab.keep('channelTypes.voice', channels.find(isVoice)?.type);
}

/** Finds a fact that earlier responses or events have shown. */
const shown: Find = async () => {};

/** Writes a message that may be too long. */
function writeLong({ rest, see, options: { channelId, marker } }: Lab, text: string) {
  const path = `/channels/${channelId}/messages`;
  const call = rest.request('POST', path, { body: { content: marker + text } });
  return refusalOf(call.then((body) => see('messages.send', body)));
}

/** Registers the registered commands again, and restores them if that changes more than their ids. */
async function registerAgain(lab: Lab): Promise<void> {
  const { commands } = lab.rest;
  const registered = await commands.list();
  const items = registered.map(syncItemOf);
  const whole = registered.map(({ id: _id, createdAt: _createdAt, ...item }) => item);
  // Registering would delete commands that are not in the list, and fields that are not in the interface.
  if (items.length === 0 || !isDeepStrictEqual(whole, items))
    throw new Error('registering could lose commands');
  const isSame = async () => planSync(items, await commands.list()).empty;
  if (!(await isSame())) throw new Error('the list of commands differs each time');
  lab.isChanging = true;
  // A failed call may have changed the commands, too.
  const replaced = commands.replace(items);
  await replaced.catch(() => {});
  if (await isSame().catch(() => false)) {
    lab.isChanging = false;
    return void (await replaced);
  }
  const again = await commands.replace(items).then(
    () => 'they were registered once more',
    (error: unknown) => `they could not be registered again (${errorText(error)})`,
  );
  const reason = `registering the commands changed them; ${again}`;
  throw cliErrors.E_PROBE_FAILED({ reason, hint: 'Run `virgule deploy` to check them.' });
}

/** Adds and removes a reaction to the message of the probe. */
async function react({ rest, own: [id = ''], options: { channelId } }: Lab): Promise<void> {
  const emoji = { unicodeEmoji: '✅' };
  await rest.reactions.add(channelId, id, emoji);
  await rest.reactions.remove(channelId, id, emoji);
}

/** Returns whether only files can follow the name of a command: other options can contain an address or an id, too. */
const hasOnlyFiles = ({ options }: Command): boolean =>
  options.length > 0 && options.every(({ type }) => type === 'attachment');

/** Has a command run, with a file if a person types it, else without options. */
async function runCommand(lab: Lab) {
  const isTyped = !lab.options.has.has('BOT_USER_TOKEN');
  const commands = await lab.rest.commands.list();
  const isBare = ({ options }: Command): boolean => !options.some(({ required }) => required);
  const command = commands.find(isTyped ? hasOnlyFiles : isBare) ?? commands[0];
  if (!command) throw new Error('no command is registered');
  lab.commands.length = 0;
  await lab.turn(async () => void lab.options.runCommand(command));
  const isRun = ({ event: { name, rawInput } }: Lab['commands'][number]): boolean =>
    name === command.name && (isTyped || rawInput === `/${command.name}`);
  // A person needs more time to type a command than its event to arrive.
  for (let ms = isTyped ? 120_000 : 5_000; ms >= 0; ms -= POLL_MS) {
    const run = lab.commands.find(isRun);
    if (run) {
      const { event, atMs: startMs } = run;
      lab.learn('APPLICATION_COMMAND', event);
      if (isTyped) lab.notes.push('anyone in the channel may have typed it');
      const { interactionId: id, rawInput } = event;
      return { startMs, id: String(id), rawInput: String(rawInput), isFile: hasOnlyFiles(command) };
    }
    await lab.wait(POLL_MS);
  }
  const isOther = lab.commands.length > 0;
  throw new Error(isOther ? 'another command was run' : 'no APPLICATION_COMMAND was received');
}

/** Makes a call at a time of the platform. Resolves with whether its interaction was open; `undefined` if that is not known. */
async function isOpen(lab: Lab, atMs: number, call: () => Promise<unknown>) {
  const { clock } = lab.options;
  if (lab.gone === undefined) return undefined;
  await lab.wait(atMs - SLACK_MS - clock.monotonic());
  const refusal = await refusalOf(call());
  if (isAccepted(refusal)) return true;
  // A rate limit may have held the call back until the interaction ended.
  const isLate = clock.monotonic() > atMs + SETTLE_MS;
  return isDeepStrictEqual(refusal, lab.gone) && !isLate ? false : undefined;
}

/** Effects of a second socket, by the events of the first and the second one, or the reason of its end. */
const SHARING: Readonly<Record<string, string>> = {
  '4, 4': 'broadcast',
  '2, 2': 'split',
  'replaced, 4': 'replace',
  '4, refused': 'refuse',
};

async function sameTokenSockets(lab: Lab) {
  const first = lab.socket;
  if (!first?.health().isReady) throw new Error('the socket was lost before');
  await using second = await lab.connect();
  const pair = [first, second];
  await lab.wait(SETTLE_MS);
  for (const _ of pair) await react(lab);
  await lab.wait(SETTLE_MS);
  const states = pair.map((socket) => {
    if (socket.health().isReady) return socket.reactions();
    const code = socket.code() ?? 0;
    // Other codes, such as 1001, may have any cause, and 4008 is a rate limit.
    if ((code !== 1_008 && code < 4_000) || code === 4_008) return 'lost';
    return socket.ready ? 'replaced' : 'refused';
  });
  lab.notes.push(`sockets: ${states.join(', ')}`);
  return SHARING[states.join(', ')];
}

/**
 * Functions that find facts, in order, by the right that they need and by name. Facts of the profile have the names of its
 * members. The last ones may end the socket.
 */
export const EXPERIMENTS: Readonly<Record<string, Readonly<Record<string, Find>>>> = {
  'a bot': {
    'heartbeat.intervalMs': shown,
    'channelTypes.text': shown,
    'channelTypes.voice': shown,
    messageResponse: async ({ rest, options: { channelId }, text }) =>
      void (await rest.messages.send(channelId, text)),
    messageEvent: (lab) => lab.wait(SETTLE_MS),
    'refusals.validationStatus': async (lab) => void (await writeLong(lab, 'x'.repeat(2_001))),
    async contentUnit(lab) {
      // Without a limit of 2,000, the length of a message shows nothing.
      if (lab.facts['refusals.validationStatus']?.['value'] === undefined) return undefined;
      const refusal = await writeLong(lab, '😀'.repeat(1_001));
      if (isAccepted(refusal)) return 'code-point';
      return isInvalid(refusal) ? 'utf-16-code-unit' : undefined;
    },
    async 'refusals.interactionGone'(lab) {
      const { code } = await refusalOf(lab.rest.messages.list(randomUUID()));
      const refusal = await refusalOf(lab.rest.interactions.ack(randomUUID()));
      if (isAccepted(refusal)) return 'accepted';
      lab.gone = refusal;
      if (code) lab.codes.add(code);
      return distinct(lab, refusal);
    },
    async pageMax({ rest, earlier, options: { channelId } }) {
      const { messages, hasMore } = await rest.messages.list(channelId, { limit: 1_000 });
      if (hasMore) return messages.length || undefined;
      return messages.length > Number(earlier['pageMax']) ? 'longer than before' : undefined;
    },
    async attachmentsMax({ rest, options: { channelId }, text }) {
      const files = Array.from({ length: MAX_FILES }, () => ({ name: 'probe.txt', data: 'x' }));
      const attachments = [...(await rest.attachments.uploadAll(channelId, files))];
      // A refused message leaves its files for the next.
      for (; attachments.length > 0; attachments.pop()) {
        const refusal = await refusalOf(rest.messages.send(channelId, { ...text, attachments }));
        if (isAccepted(refusal)) return attachments.length % MAX_FILES || `${MAX_FILES} or more`;
        if (!isInvalid(refusal)) break;
      }
      return undefined;
    },
    uploadMethod: shown,
    uploadMaxBytes: shown,
    'closes.badToken': async (lab) => (await lab.connect({ token: 'no-token' })).code(),
  },
  '--write-commands': {
    syncResponse: registerAgain,
  },
  // Facts of one command.
  'a user': {
    commandUser: async (lab) => void (await (lab.command = runCommand(lab))),
    async attachmentInput(lab) {
      const { isFile, rawInput } = await lab.command;
      // Mentions and files of the line, without content, such as `<@uuid>`.
      const line = rawInput.replaceAll(new RegExp(UUID, 'gi'), 'uuid');
      const parts =
        line.match(/<?[@#&]+(uuid)?>?|uuid|https?:/g)?.join(' ') ?? 'no mention or file';
      lab.notes.push(`rawInput with ${parts}`);
      if (isFile && /http/.test(parts)) return 'url';
      if (isFile && /(^| )uuid/.test(parts)) return 'id';
      throw new Error(`rawInput with ${parts}; needs a file, of a command with only files`);
    },
    async 'refusals.nothingToEdit'(lab) {
      const { id } = await lab.command;
      const { interactions } = lab.rest;
      const edit = await refusalOf(interactions.editResponse(id, lab.text));
      const respond = await refusalOf(interactions.respond(id, lab.text));
      const again = await refusalOf(interactions.respond(id, lab.text));
      // An accepted answer shows that the interaction existed, and that no one else has answered.
      if (!isAccepted(respond)) return undefined;
      lab.keep('refusals.alreadyAnswered', distinct(lab, again));
      return distinct(lab, edit);
    },
    'refusals.alreadyAnswered': shown,
  },
  // Facts of several commands.
  BOT_USER_TOKEN: {
    async answerWindowMs(lab) {
      let [low, high] = [0, MAX_ANSWER_MS];
      while (high - low > PACE_MS) {
        const middle = (low + high) / 2;
        const { id, startMs } = await runCommand(lab);
        const open = await isOpen(lab, startMs + middle, () => lab.rest.interactions.ack(id));
        if (open === undefined) return undefined;
        [low, high] = open ? [middle, high] : [low, middle];
      }
      return low > 0 && high < MAX_ANSWER_MS ? low : `outside ${PACE_MS} to ${MAX_ANSWER_MS}`;
    },
    async ackStopsExpiry(lab) {
      const windowMs = lab.facts['answerWindowMs']?.value;
      if (typeof windowMs !== 'number') return undefined;
      const { id, startMs } = await runCommand(lab);
      await lab.rest.interactions.ack(id);
      const respond = () => lab.rest.interactions.respond(id, lab.text);
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
        open = await isOpen(lab, startMs + ms, () => lab.rest.interactions.ack(id));
      if (open === undefined) return undefined;
      const isInRange = !open && ms > 2 * CHECK_MS;
      return isInRange ? ms - 2 * CHECK_MS : `outside ${CHECK_MS} to ${MAX_DEFERRED_MS}`;
    },
  },
  'a socket': { sameTokenSockets, unicodeEmojiKind: shown },
};
