import type { Clock } from '@virgule/core/clock';
import { PROFILE_NAMES, PROFILES, type ProfileName } from '@virgule/core/protocol';
import { startSimulator } from '@virgule/simulator';
import { onTestFinished } from 'vitest';
import { startGatewayServer } from './faults/gateway-server.js';
import { refusal } from './faults/platform-routes.js';
import {
  normal,
  refused,
  startPlatform,
  type Act,
  type PlatformRequest,
} from './faults/platform.js';
import { readFixture } from './read-fixture.js';
import { CHANNEL, INTERACTION, TOKEN } from './test-rest.js';

/** The other end of the client, in the few words that both kinds of it understand. */
export interface End {
  /** Host and port of REST, and of the gateway. */
  readonly restAddress: string;
  readonly gatewayAddress: string;
  readonly token: string;
  readonly channelId: string;
  /** Texts of the channel that the bot sent, the oldest first. */
  sent(): readonly string[];
  /** The answer of the bot to a command; `undefined` without an answer. */
  answerTo(interactionId: string): string | undefined;
  /** Contents of the uploaded files that arrived. */
  stored(): Promise<readonly string[]>;
  /** A user runs a command; returns its id. */
  runCommand(): string;
  /** A user writes. */
  write(content: string): void;
}

export interface EndOptions {
  readonly clock: Clock;
}

const MESSAGE = readFixture('message') as object;

/** A command that both ends know. */
const COMMAND = { name: 'roll', description: 'Rolls', options: [] };

async function openSimulator({ clock }: EndOptions, name: ProfileName): Promise<End> {
  const simulator = await startSimulator({ pageDir: null, clock, profile: PROFILES[name] });
  onTestFinished(() => simulator.close());
  const address = `127.0.0.1:${simulator.port}`;
  const general = simulator.snapshot().channels.find(({ name }) => name === 'general');
  const channelId = general?.id ?? '';
  const headers = { authorization: `Bot ${simulator.token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ commands: [COMMAND] });
  await fetch(`${simulator.baseUrl}/api/bot/v1/commands`, { method: 'PUT', headers, body });
  const { botUserId } = simulator.snapshot().bot;

  const all = () => simulator.messages(channelId);
  return {
    restAddress: address,
    gatewayAddress: address,
    token: simulator.token,
    channelId,
    sent: () =>
      all()
        .filter(({ authorId }) => authorId === botUserId)
        .map(({ content }) => content),
    answerTo(interactionId) {
      const answerId = simulator.interaction(interactionId)?.responseMessageId;
      return all().find(({ id }) => id === answerId)?.content;
    },
    async stored() {
      const files = all().flatMap(({ attachments }) => attachments);
      const urls = files.map(({ url }) => new URL(url ?? '', simulator.baseUrl));
      return Promise.all(urls.map(async (url) => (await fetch(url)).text()));
    },
    runCommand: () => simulator.run({ rawInput: '/roll' }).id,
    write: (content) => void simulator.sendMessage({ content }),
  };
}

async function openScripted({ clock }: EndOptions): Promise<End> {
  const stored: string[] = [];
  const written: object[] = [];
  let commands = 0;

  const session = {
    uploadUrl: '/storage',
    objectKey: 'stored',
    publicUrl: 'https://cdn.example.com/stored',
    fields: {},
    expiresAt: new Date(clock.now() + 3_600_000).toISOString(),
    maxBytes: 1_000,
  };
  function act({ method, path, headers, body }: PlatformRequest): Act {
    if (path === '/storage') {
      stored.push(body.toString('utf8'));
      return normal;
    }
    if (headers.authorization !== `Bot ${TOKEN}`) {
      return refused({ status: 401, json: refusal('bot_unauthorized') });
    }
    if (path.endsWith('/upload-session')) return refused({ json: session });
    const isHistory = method === 'GET' && path.split('?')[0] === `/channels/${CHANNEL}/messages`;
    if (!isHistory || written.length === 0) return normal;
    const messages = written.toReversed();
    return refused({ json: { messages, hasMore: false, oldestId: Object(written[0]).id } });
  }
  const platform = await startPlatform(act, () => clock.now());
  const server = await startGatewayServer();
  const contents = (kind: string): readonly (readonly [string, string])[] =>
    platform.requests.flatMap(({ method, path, json }) =>
      `${method} ${path}`.startsWith(kind) ? [[path, String(Object(json).content)] as const] : [],
    );
  return {
    restAddress: platform.address,
    gatewayAddress: server.address,
    token: TOKEN,
    channelId: CHANNEL,
    sent: () =>
      contents(`POST /channels/${CHANNEL}/messages`)
        .filter(([path]) => path.endsWith('/messages'))
        .map(([, content]) => content),
    answerTo: (interactionId) =>
      contents('POST /interactions/').find(([path]) => path.includes(interactionId))?.[1],
    stored: () => Promise.resolve(stored),
    runCommand() {
      commands += 1;
      const id = INTERACTION.slice(0, -2) + String(10 + commands);
      server.last.command(id);
      return id;
    },
    write(content) {
      const fields = {
        channelId: CHANNEL,
        content,
        createdAt: new Date(clock.now()).toISOString(),
      };
      const id = `00000000-0000-7000-8000-${String(written.length + 900_000).padStart(12, '0')}`;
      written.push({ ...MESSAGE, ...fields, id });
      server.last.message(id, fields);
    },
  };
}

/** Both kinds of other end; they share no code but the client's tests. The simulator is there with each profile. */
export const ENDS: readonly (readonly [
  name: string,
  open: (options: EndOptions) => Promise<End>,
])[] = [
  ['a scripted server', openScripted],
  ...PROFILE_NAMES.map(
    (name) =>
      [
        `the simulator, profile ${name}`,
        (options: EndOptions) => openSimulator(options, name),
      ] as const,
  ),
];
