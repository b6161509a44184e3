// Examples that were copied by hand from the Bot Interface, against the responses and requests of the simulator.
import { readFileSync } from 'node:fs';
import { isObject } from '@virgule/core/objects';
import { messageSchema, type EndpointName } from '@virgule/core/protocol';
import { describe, expect, it } from 'vitest';
import { openPlatform, type Platform, type Reply } from './open-platform.js';
import { runCommand } from './run-command.js';
import { uploadFile } from './upload-file.js';

function readFixture(name: string): unknown {
  const url = new URL(`../../core/test/fixtures/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8'));
}

/** The keys of an object, or of the first item of a list. */
function keysOf(value: unknown): string[] {
  const item: unknown = Array.isArray(value) ? value[0] : value;
  return isObject(item) ? Object.keys(item).toSorted() : [];
}

const field = (value: unknown, key: string): unknown =>
  isObject(value) ? Reflect.get(value, key) : undefined;

async function botsMessage(platform: Platform, more: object = {}) {
  const channelId = platform.channelId('general');
  const body = { content: 'Hi', ...more };
  const reply = await platform.call('messages.send', { channelId }, { body });
  const messageId = String(field(reply.body, 'id'));
  return { reply, parameters: { channelId, messageId } };
}

const inServer = (name: EndpointName) => (platform: Platform) =>
  platform.call(name, { serverId: platform.serverId('Sandbox') });

const inLounge = (name: EndpointName) => (platform: Platform) =>
  platform.call(name, { channelId: platform.channelId('Lounge') });

const answers: Readonly<Record<string, (platform: Platform) => Promise<Reply>>> = {
  'bot-me': (platform) => platform.call('users.me'),
  'server-list': (platform) => platform.call('servers.list'),
  'channel-list': inServer('servers.channels'),
  'custom-emoji-list': inServer('servers.emojis'),
  'message-page': (platform) =>
    platform.call('messages.list', { channelId: platform.channelId('general') }),
  message: async (platform) => (await botsMessage(platform)).reply,
  'message-context': async (platform) =>
    platform.call('messages.context', (await botsMessage(platform)).parameters),
  'upload-session': (platform) =>
    platform.call(
      'attachments.openUpload',
      { channelId: platform.channelId('general') },
      { body: readFixture('request-create-upload-session') },
    ),
  'attachment-access-url': async (platform) => {
    const attachments = [{ objectKey: await uploadFile(platform) }];
    const { reply, parameters } = await botsMessage(platform, { attachments });
    const [file] = messageSchema.parse(reply.body).attachments;
    return platform.call('attachments.accessUrl', { ...parameters, attachmentId: file?.id ?? '' });
  },
  'message-reaction-update': async (platform) =>
    platform.call('reactions.add', (await botsMessage(platform)).parameters, {
      body: readFixture('request-reaction-unicode'),
    }),
  'message-reaction-details': async (platform) =>
    platform.call('reactions.details', (await botsMessage(platform)).parameters),
  'voice-join': inLounge('voice.join'),
  'voice-ingress': inLounge('voice.openIngress'),
  'assumed-voice-state': inServer('voice.state'),
  'command-list': async (platform) => {
    const body = readFixture('request-sync-commands');
    await platform.call('commands.replace', {}, { body });
    return platform.call('commands.list');
  },
  'error-validation': (platform) =>
    platform.call(
      'messages.send',
      { channelId: platform.channelId('general') },
      { body: { content: '' } },
    ),
};

describe.each(Object.entries(answers))('the answer %s', (name, request) => {
  it('has the keys that the fixture has', async () => {
    const { body } = await request(await openPlatform());
    expect(keysOf(body)).toEqual(keysOf(readFixture(name)));
    expect(keysOf(body).length).toBeGreaterThan(0);
  });
});

const frames: Readonly<Record<string, (platform: Platform) => Promise<unknown>>> = {
  'frame-application-command': (platform) => runCommand(platform),
  'assumed-frame-message-create': (platform) => botsMessage(platform),
  'assumed-frame-message-update': async (platform) =>
    platform.call('messages.edit', (await botsMessage(platform)).parameters, {
      body: readFixture('request-edit-message'),
    }),
  'assumed-frame-message-delete': async (platform) =>
    platform.call('messages.delete', (await botsMessage(platform)).parameters),
  'assumed-frame-message-reaction-add-unicode': async (platform) =>
    platform.call('reactions.add', (await botsMessage(platform)).parameters, {
      body: readFixture('request-reaction-unicode'),
    }),
  'assumed-frame-message-reaction-remove': async (platform) => {
    const { parameters } = await botsMessage(platform);
    const body = readFixture('request-reaction-unicode');
    await platform.call('reactions.add', parameters, { body });
    await platform.call('reactions.remove', parameters, { body });
  },
  'assumed-frame-voice-state-update': inLounge('voice.join'),
  'assumed-frame-voice-state-update-left': async (platform) => {
    await inLounge('voice.join')(platform);
    await inLounge('voice.leave')(platform);
  },
};

describe.each(Object.entries(frames))('the frame %s', (name, act) => {
  it('has the keys that the fixture has, in the frame and in its payload', async () => {
    const fixture = readFixture(name);
    const platform = await openPlatform();
    const bot = await platform.connect();
    await act(platform);
    await bot.eventNames();
    const frame = bot.frames.findLast(({ t }) => t === field(fixture, 't'));
    expect(keysOf(frame)).toEqual(keysOf(fixture));
    expect(keysOf(frame?.d)).toEqual(keysOf(field(fixture, 'd')));
  });
});

describe('the frames of a connection', () => {
  it('have the keys that the fixtures have', async () => {
    const platform = await openPlatform();
    const bot = await platform.connect({ identify: false });
    const identify = readFixture('frame-identify-without-intents');
    bot.send({ ...Object(identify), d: { token: platform.simulator.token } });
    const ready = await bot.frame(({ t }) => t === 'READY');
    bot.send(readFixture('frame-heartbeat'));
    const ack = await bot.frame(({ op }) => op === 'HEARTBEAT_ACK');
    expect(keysOf(bot.frames[0])).toEqual(keysOf(readFixture('frame-hello')));
    expect(keysOf(ready.d)).toEqual(keysOf(field(readFixture('frame-ready'), 'd')));
    expect(ack).toEqual(readFixture('frame-heartbeat-ack'));
  });
});

describe('the requests of the interface', () => {
  it.each(['request-sync-commands', 'request-sync-commands-every-type'])(
    'accepts %s and returns the same commands',
    async (name) => {
      const platform = await openPlatform();
      const body = readFixture(name);
      expect((await platform.call('commands.replace', {}, { body })).status).toBe(200);
      const { body: commands } = await platform.call('commands.list');
      expect({ commands }).toMatchObject(Object(body));
    },
  );

  it.each(['request-create-message', 'request-create-message-with-nulls'])(
    'takes %s',
    async (name) => {
      const platform = await openPlatform();
      const body = readFixture(name);
      const parameters = { channelId: platform.channelId('general') };
      const reply = await platform.call('messages.send', parameters, { body });
      expect(field(reply.body, 'content')).toBe(field(body, 'content'));
    },
  );

  it.each(['request-edit-message', 'request-edit-message-full'])('takes %s', async (name) => {
    const platform = await openPlatform();
    const { parameters } = await botsMessage(platform);
    const body = readFixture(name);
    const reply = await platform.call('messages.edit', parameters, { body });
    expect(field(reply.body, 'content')).toBe(field(body, 'content'));
  });

  it('takes request-interaction-response', async () => {
    const platform = await openPlatform();
    const { id: interactionId } = await runCommand(platform);
    const body = readFixture('request-interaction-response');
    const reply = await platform.call('interactions.respond', { interactionId }, { body });
    expect(field(reply.body, 'content')).toBe(field(body, 'content'));
  });
});
