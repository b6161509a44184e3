// A bot that assumes the default profile ends each command visibly where the opposite of an assumption is true.
import { createFakeClock } from '@virgule/core/clock';
import { isRecord } from '@virgule/core/objects';
import { DEFAULT_PROFILE, type ProfileSettings } from '@virgule/core/protocol';
import { startSimulator } from '@virgule/simulator';
import { expect, it, onTestFinished } from 'vitest';
import { startTestBot } from '../src/testing/create-test-bot.js';
import { createTestProject } from './test-project.js';

const SUCCESS = { status: 200, code: '' };

/** The opposite of each member, or of each part of a group. */
const OPPOSITES: Readonly<Record<string, ProfileSettings>> = {
  answerWindowMs: { answerWindowMs: 1_000 },
  deferredWindowMs: { deferredWindowMs: 5_000 },
  ackStopsExpiry: { ackStopsExpiry: false },
  'refusals.alreadyAnswered': { refusals: { alreadyAnswered: SUCCESS } },
  'refusals.nothingToEdit': { refusals: { nothingToEdit: SUCCESS } },
  'refusals.interactionGone': { refusals: { interactionGone: SUCCESS } },
  'refusals.validationStatus': { refusals: { validationStatus: 422 } },
  unicodeEmojiKind: { unicodeEmojiKind: 'custom' },
  'channelTypes.text': { channelTypes: { text: 'voice' } },
  'channelTypes.voice': { channelTypes: { voice: 'text' } },
  'heartbeat.intervalMs': { heartbeat: { intervalMs: 1_000 } },
  'heartbeat.fallbackMs': { heartbeat: { intervalMs: 0, fallbackMs: 60_000 } },
  'heartbeat.boundsMs': { heartbeat: { boundsMs: { min: 30_000, max: 60_000 } } },
  'identifies.perMinute': { identifies: { perMinute: 1 } },
  'identifies.perDay': { identifies: { perDay: 1 } },
  editIntervalMs: { editIntervalMs: 5_000 },
  pageMax: { pageMax: 1 },
  attachmentsMax: { attachmentsMax: 1 },
  uploadMaxBytes: { uploadMaxBytes: 1 },
  messageResponse: { messageResponse: 'empty' },
  syncResponse: { syncResponse: 'empty' },
  messageEvent: { messageEvent: 'without-server-id' },
  uploadMethod: { uploadMethod: 'PUT' },
  attachmentInput: { attachmentInput: 'id' },
  sameTokenSockets: { sameTokenSockets: 'broadcast' },
  commandUser: { commandUser: 'user.id' },
  contentUnit: { contentUnit: 'code-point' },
};

const command = (body: string): string =>
  `import { UserError } from 'virgule'; export default { description: 'Test', run: ${body} };`;

const FILES = {
  'commands/hello.ts': command(`() => 'Hello!'`),
  'commands/slow.ts': command(`async ({ clock }) => { await clock.sleep('10s'); return 'late'; }`),
  'commands/fail.ts': command(`() => { throw new UserError('not today'); }`),
  'commands/steps.ts': command(
    `async function* ({ clock }) { yield 'one'; await clock.sleep('1s'); return 'two'; }`,
  ),
  'commands/more.ts': command(
    `async ({ reply }) => { await (await reply('first')).edit('edited'); await reply('second'); }`,
  ),
  'commands/files.ts': command(
    `() => ({ content: 'look', files: ['a', 'b'].map((name) => ({ name, data: Buffer.from('hello') })) })`,
  ),
};

/** State of the interaction, and the messages that the user sees. */
const OUTCOMES = {
  hello: ['answered', 'Hello!'],
  slow: ['answered', 'late'],
  fail: ['answered', 'not today'],
  steps: ['answered', 'two'],
  more: ['answered', 'edited', 'second'],
  files: ['answered', 'look'],
};

/** Outcomes on a platform that accepts less than assumed: it shows an expiry itself, and the bot shows a refusal. */
const OTHERS: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> = {
  answerWindowMs: { slow: ['expired'] },
  deferredWindowMs: { slow: ['expired'] },
  attachmentsMax: { files: ['answered', expect.stringContaining('at most 1 files')] },
  uploadMaxBytes: { files: ['answered', expect.stringContaining('at most 1 bytes')] },
};

it('has the opposite of each member of the profile', () => {
  const names = Object.entries(DEFAULT_PROFILE).flatMap(([name, value]) =>
    isRecord(value) ? Object.keys(value).map((part) => `${name}.${part}`) : [name],
  );
  expect(Object.keys(OPPOSITES)).toEqual(names);
});

it.each(Object.entries(OPPOSITES))(
  'ends every command in one visible outcome without %s',
  async (member, profile) => {
    const project = await createTestProject(FILES);
    onTestFinished(() => project[Symbol.asyncDispose]());
    const clock = createFakeClock();
    const platform = await startSimulator({ clock, profile, port: null });
    onTestFinished(() => platform.close());
    const bot = await startTestBot({ root: project.root, clock, platform, strict: false });
    onTestFinished(() => bot.close());
    const outcomes: Record<string, unknown> = {};
    for (const name of Object.keys(OUTCOMES)) {
      const known = platform.messages().length;
      const ran = bot.run(`/${name}`);
      await bot.clock.advance('1m');
      const { state, content } = await ran;
      const shown = platform.messages().slice(known);
      outcomes[name] = [state, ...shown.map((message) => message.content)];
      // The first message is the answer that the user sees.
      expect(shown[0]?.content).toBe(content);
    }
    expect(outcomes).toEqual({ ...OUTCOMES, ...OTHERS[member] });
  },
);
