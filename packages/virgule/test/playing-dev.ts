import { mkdir, realpath, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { startDevHere, type RunningDev } from './running-dev.js';
import { answering, createTestProject } from './test-project.js';

const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
const SONG = JSON.stringify(join(REPOSITORY, 'templates/music/songs/morning.ogg'));
/** For a busy machine. */
export const SOON = { timeout: 60_000, interval: 10 };

/** The command that plays a song again and again. */
export const playing = (answer: string): string => `
  import { defineCommand, option } from 'virgule';
  import * as z from 'zod';
  export default defineCommand({
    description: 'Play',
    options: z.object({ channel: option.channel() }),
    async run({ options, voice }) {
      const stream = await voice.stream(options.channel.id, ${SONG});
      for (let count = 0; count < 20; count += 1) stream.queue.add(${SONG});
      return ${JSON.stringify(answer)};
    },
  });`;

/** A service and a task that play the song, and the commands that start them. */
const OTHER_PLAYERS = {
  'services.ts': `
    export default ({ voice }) => ({
      radio: { play: (channelId) => voice.stream(channelId, ${SONG}) },
    });`,
  'tasks/jingle.ts': `
    import * as z from 'zod';
    export default {
      payload: z.object({ channelId: z.string() }),
      run: ({ voice, payload }) => voice.stream(payload.channelId, ${SONG}),
    };`,
  'commands/radio.ts': starting('services.radio.play(options.channel.id)'),
  'commands/jingle.ts': starting('tasks.jingle.in(0, { channelId: options.channel.id })'),
};

function starting(call: string): string {
  return `
    import { defineCommand, option } from 'virgule';
    import * as z from 'zod';
    export default defineCommand({
      description: 'Play',
      options: z.object({ channel: option.channel() }),
      async run({ options, services, tasks }) {
        await ${call};
        return 'Started';
      },
    });`;
}

/** A running `virgule dev` whose bot can play in a voice channel. */
export interface PlayingDev extends RunningDev {
  play(): Promise<void>;
  /** Audio that the simulator has received in #Lounge, or another channel, since packet `after`; `null` if nothing plays. */
  received(
    after: number,
    channel?: string,
  ): Promise<{
    readonly packets: number;
    readonly lost: number;
    readonly first: number;
    readonly payloads: readonly string[];
  } | null>;
  /** Number of calls of an endpoint of the platform. */
  requests(name: string): Promise<number>;
  /** Members in the voice channel. */
  members(): Promise<readonly unknown[]>;
}

export async function startPlayingDev(): Promise<PlayingDev> {
  const project = await createTestProject({
    'virgule.config.ts': `
      import { voice } from '@virgule/voice';
      export default { voice: voice() };`,
    'commands/play.ts': playing('Playing'),
    'commands/said.ts': answering('before'),
    ...OTHER_PLAYERS,
  });
  await mkdir(join(project.root, 'node_modules/@virgule'));
  const voice = await realpath(join(REPOSITORY, 'packages/voice'));
  await symlink(voice, join(project.root, 'node_modules/@virgule/voice'));
  const dev = await startDevHere({}, { project });
  const { channels } = await dev.get('/_sim/world');
  const idOf = (channel: string): string =>
    channels.find(({ name }: { name: string }) => name === channel).id;
  const channelId = idOf('Lounge');
  return {
    ...dev,
    async play() {
      expect(await dev.say('/play #Lounge')).toContain('Playing');
    },
    received: (after, channel = 'Lounge') =>
      dev.get(`/_sim/audio?channel=${idOf(channel)}&after=${after}`).then(({ audio }) => audio),
    requests: async (name) => (await dev.get('/_sim/state')).requests[name],
    async members() {
      const { voice: channelsOfVoice } = await dev.get('/_sim/world');
      return channelsOfVoice.find((each: { channelId: string }) => each.channelId === channelId)
        ?.participants;
    },
    async [Symbol.asyncDispose]() {
      await dev[Symbol.asyncDispose]();
      await project[Symbol.asyncDispose]();
    },
  };
}
