import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { probeGateway } from '@virgule/client/gateway';
import type { Command, HttpMethod, MessageAttachmentDraft } from '@virgule/client/rest';
import { factsIn } from '@virgule/core/protocol';
import { UUID } from '@virgule/core/text';
import { invalidFlag } from '../terminal/invalid-arguments.js';
import { EVENT_MS, PACE_MS, SETTLE_MS, type CommandRun, type Fields, type Lab } from './lab.js';

/** Functions that find facts, by name. Those of the profile have the names of its members. */
type Facts = Readonly<Record<string, (lab: Lab) => Promise<unknown>>>;

/** Code of an invalid body (Bot Interface, "Errors"). */
const VALIDATION = 'bot_validation_error';
/** Name of the type of voice channels: another name does not show which type is theirs. */
const VOICE = /voice/i;
const MAX_FILES = 12;
const FILE = { fileName: 'probe.txt', contentType: 'text/plain', size: 1 };
/** Longest windows, in milliseconds. Halves of the first are multiples of the pace. */
const MAX_ANSWER_MS = 256 * PACE_MS;
const MAX_DEFERRED_MS = 20 * 60_000;
/** Time between two checks of a deferred interaction. */
const CHECK_MS = 5_000;
/** Time by which a check follows the measured time: timers of the platform may be late. */
const SLACK_MS = 100;
/** Time in which a person types a command. */
const TYPING_MS = 120_000;

/** Returns the type of the channel of the probe, then the other types of its server. @throws VirguleError `E_ARGUMENTS`. */
export async function channelTypes(lab: Lab): Promise<string[]> {
  const { channelId } = lab.options;
  const seen: string[] = [];
  for (const { id } of await lab.turn(() => lab.rest.servers.list({ signal: lab.signal }))) {
    const channels = await lab.turn(() => lab.rest.servers.channels(id, { signal: lab.signal }));
    const readable = channels.filter(({ type }) => !VOICE.test(type));
    const own = readable.filter(({ id: of }) => of === channelId);
    seen.push(...readable.map((channel) => `#${channel.name} (${channel.id})`));
    if (own.length > 0) return [...new Set([...own, ...channels].map(({ type }) => type))];
  }
  throw invalidFlag('channel', `the id of ${seen.join(', ')}`, channelId);
}

const openUpload = (lab: Lab) =>
  lab.turn(() => lab.rest.attachments.openUpload(lab.options.channelId, FILE));

/** Waits for an event of the probe. Returns a fact that it shows. */
const shownBy = async (lab: Lab, event: string, fact: string) =>
  factsIn(event, await lab.event(event))[fact];

/** Adds and removes a reaction to the message of the probe. */
async function react(lab: Lab): Promise<void> {
  const [id] = lab.own;
  if (id === undefined) throw new Error('no message of the probe is known');
  const body = { unicodeEmoji: '✅', customEmojiId: null };
  for (const method of ['PUT', 'DELETE'] as const)
    await lab.call(method, `${lab.path}/${id}/reactions/me`, { body });
}

/** Has a command run, with a file if a person types it, else without options. Resolves with its event and its time. */
async function runCommand(lab: Lab): Promise<CommandRun> {
  const { has, runCommand: run } = lab.options;
  const isTyped = !has.has('BOT_USER_TOKEN');
  const commands = await lab.turn(() => lab.rest.commands.list());
  const isFit = ({ options }: Command): boolean =>
    isTyped
      ? options.some(({ type }) => type === 'attachment')
      : options.every(({ required }) => !required);
  const command = commands.find(isFit) ?? commands[0];
  if (!command) throw new Error('no command is registered');
  const { name } = command;
  const from = lab.socket?.events.length ?? 0;
  const startMs = await lab.turn(async (atMs) => {
    await run(command);
    return atMs;
  });
  const isRun = (d: Fields): boolean =>
    d['name'] === name && (isTyped || d['rawInput'] === `/${name}`);
  const waitMs = isTyped ? TYPING_MS : EVENT_MS;
  return { startMs, event: await lab.event('APPLICATION_COMMAND', isRun, { waitMs, from }) };
}

/** Answers a command. */
async function answer(lab: Lab, { event }: CommandRun, method: HttpMethod, step: string) {
  const path = `/interactions/${String(event['interactionId'])}/${step}`;
  return step === 'response' ? lab.write('answer', {}, method, path) : lab.call(method, path);
}

/** Returns whether a call was refused because its interaction has ended. */
const isGone = (lab: Lab, { refusal }: { readonly refusal: object }): boolean =>
  isDeepStrictEqual(refusal, lab.facts['refusals.interactionGone']?.value);

/** Waits until a time of the platform. */
const waitUntil = (lab: Lab, atMs: number): Promise<void> =>
  lab.wait(atMs + SLACK_MS - lab.options.clock.monotonic());

const BOT_FACTS: Facts = {
  'channelTypes.text': async ({ types }) => types[0],
  'channelTypes.voice': async ({ types }) => types.find((type) => VOICE.test(type)),
  'heartbeat.intervalMs': async ({ options }) =>
    Object(await probeGateway(options)).heartbeatIntervalMs,
  async messageResponse(lab) {
    const { isAccepted, body } = await lab.write('measures the platform, and is deleted.');
    return isAccepted ? factsIn('messages.send', body)['messageResponse'] : undefined;
  },
  messageEvent: (lab) => shownBy(lab, 'MESSAGE_CREATE', 'messageEvent'),
  async 'refusals.validationStatus'(lab) {
    const { refusal } = await lab.write('x'.repeat(2_001));
    return refusal.code === VALIDATION ? refusal.status : undefined;
  },
  async contentUnit(lab) {
    const { isAccepted, refusal } = await lab.write('😀'.repeat(1_001));
    if (isAccepted) return 'code-point';
    const isInvalid = refusal.status === lab.facts['refusals.validationStatus']?.value;
    return isInvalid && refusal.code === VALIDATION ? 'utf-16-code-unit' : undefined;
  },
  async 'refusals.interactionGone'(lab) {
    const { refusal } = await lab.call('POST', `/interactions/${randomUUID()}/ack`);
    return refusal.status >= 400 && refusal.status < 500 ? refusal : undefined;
  },
  async unicodeEmojiKind(lab) {
    await react(lab);
    return shownBy(lab, 'MESSAGE_REACTION_ADD', 'unicodeEmojiKind');
  },
  async pageMax(lab) {
    const { body } = await lab.call('GET', lab.path, { query: { limit: 1_000 } });
    return Object(body).hasMore ? Object(body).messages.length : undefined;
  },
  uploadMethod: async (lab) =>
    factsIn('attachments.openUpload', await openUpload(lab))['uploadMethod'],
  uploadMaxBytes: async (lab) => (await openUpload(lab)).maxBytes,
  async attachmentsMax(lab) {
    const attachments: MessageAttachmentDraft[] = [];
    while (attachments.length < MAX_FILES) {
      const session = await openUpload(lab);
      const file = { ...FILE, bytes: new Uint8Array(FILE.size) };
      await lab.turn(() => lab.rest.attachments.upload(session, file));
      attachments.push({ ...FILE, objectKey: session.objectKey });
    }
    // A refused message leaves its files for the next.
    while (attachments.length > 0 && !(await lab.write('files', { attachments })).isAccepted)
      attachments.pop();
    return attachments.length % MAX_FILES || undefined;
  },
  'closes.badToken': async (lab) => (await lab.connect({ token: 'no-token' })).code(),
};

async function syncResponse(lab: Lab) {
  const list = await lab.turn(() => lab.rest.commands.list());
  const commands = list.map(({ name, description, options }) => ({ name, description, options }));
  const { isAccepted, body } = await lab.call('PUT', '/commands', { body: { commands } });
  return isAccepted ? factsIn('commands.replace', body)['syncResponse'] : undefined;
}

/** Facts of one command. */
const USER_FACTS: Facts = {
  async commandUser(lab) {
    lab.command = runCommand(lab);
    return factsIn('APPLICATION_COMMAND', (await lab.command).event)['commandUser'];
  },
  async attachmentInput(lab) {
    const { rawInput } = (await lab.command).event;
    // Mentions and files of the line, without content, such as `<@uuid>`.
    const line = String(rawInput).replaceAll(new RegExp(UUID, 'gi'), 'uuid');
    const parts = line.match(/<?[@#&]+(uuid)?>?|uuid|https?:/g)?.join(' ') ?? '';
    lab.notes.push(`rawInput with ${parts || 'no mention or file'}`);
    if (lab.options.has.has('BOT_USER_TOKEN')) return undefined;
    return /http/.test(parts) ? 'url' : /(^| )uuid/.test(parts) ? 'id' : undefined;
  },
  async 'refusals.nothingToEdit'(lab) {
    const edit = await answer(lab, await lab.command, 'PATCH', 'response');
    // An accepted answer shows that the interaction existed.
    const { isAccepted } = await answer(lab, await lab.command, 'POST', 'response');
    return edit.isAccepted || isAccepted ? edit.refusal : undefined;
  },
  async 'refusals.alreadyAnswered'(lab) {
    const { refusal } = await answer(lab, await lab.command, 'POST', 'response');
    return lab.facts['refusals.nothingToEdit']?.value && refusal;
  },
};

/** Facts of several commands. */
const TOKEN_FACTS: Facts = {
  async answerWindowMs(lab) {
    let [low, high] = [0, MAX_ANSWER_MS];
    while (high - low > PACE_MS) {
      const middle = (low + high) / 2;
      const command = await runCommand(lab);
      const endMs = command.startMs + middle;
      await waitUntil(lab, endMs);
      const ack = await answer(lab, command, 'POST', 'ack');
      const isLate = lab.options.clock.monotonic() > endMs + SETTLE_MS;
      if (ack.isAccepted) low = middle;
      // A rate limit may have held the call back until the interaction ended.
      else if (isLate || !isGone(lab, ack)) return undefined;
      else high = middle;
    }
    return low > 0 && high < MAX_ANSWER_MS ? high : undefined;
  },
  async ackStopsExpiry(lab) {
    const windowMs = lab.facts['answerWindowMs']?.value;
    if (typeof windowMs !== 'number') return undefined;
    const command = await runCommand(lab);
    const { isAccepted } = await answer(lab, command, 'POST', 'ack');
    await waitUntil(lab, command.startMs + windowMs + SETTLE_MS);
    const late = await answer(lab, command, 'POST', 'response');
    return isAccepted && (late.isAccepted || isGone(lab, late)) ? late.isAccepted : undefined;
  },
  async deferredWindowMs(lab) {
    const command = await runCommand(lab);
    if (!(await answer(lab, command, 'POST', 'defer')).isAccepted) return undefined;
    const startMs = lab.options.clock.monotonic();
    // An ack after a defer changes nothing; its answer changes when the interaction ends.
    for (let ms = 0; ms <= MAX_DEFERRED_MS; ms += CHECK_MS) {
      if (ms > 0) await waitUntil(lab, startMs + ms);
      if (isGone(lab, await answer(lab, command, 'POST', 'ack'))) return ms || undefined;
    }
    return undefined;
  },
};

async function sameTokenSockets(lab: Lab) {
  const first = lab.socket;
  if (!first?.isOpen()) throw new Error('the socket was lost before');
  await using second = await lab.connect();
  const pair = [first, second];
  await lab.wait(SETTLE_MS);
  for (const { events } of pair) events.length = 0;
  if (pair.every(({ isOpen }) => isOpen())) for (const _ of pair) await react(lab);
  await lab.wait(SETTLE_MS);
  const [one, two] = pair.map(
    ({ events }) => events.filter(({ d }) => lab.own.has(String(d['messageId']))).length,
  );
  const [replaced, refused] = pair.map(({ code }) => code());
  lab.notes.push(`${one} and ${two} of 4 events; close codes: ${replaced}, ${refused}`);
  if (replaced ?? refused) {
    // Other codes, such as 1001, may have any cause.
    if (![replaced, refused].every((code = 4_000) => code === 1_008 || code >= 4_000)) return;
    if (replaced === undefined) return second.ready ? undefined : 'refuse';
    return second.isOpen() ? 'replace' : undefined;
  }
  return { '4,4': 'broadcast', '2,2': 'split' }[String([one, two])];
}

/** All facts that the probe can find, in order, with the right that they need. The last one may end the socket. */
export const EXPERIMENTS: readonly { readonly facts: Facts; readonly needs?: string }[] = [
  { facts: BOT_FACTS },
  { facts: { syncResponse }, needs: '--write-commands' },
  { facts: USER_FACTS, needs: 'a user' },
  { facts: TOKEN_FACTS, needs: 'BOT_USER_TOKEN' },
  { facts: { sameTokenSockets } },
];
