import type { Clock } from '@virgule/core/clock';
import { PROFILE_NAMES, PROFILES, type ProfileName } from '@virgule/core/protocol';
import { startSimulator } from '@virgule/simulator';
import { onTestFinished } from 'vitest';

/** The platform of a test. */
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

/** The registered command. */
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

/** The simulator with each profile. */
export const ENDS = PROFILE_NAMES.map(
  (name) => [`profile ${name}`, (options: EndOptions) => openSimulator(options, name)] as const,
);
