import { describe, expect, it } from 'vitest';
import { READY } from '../../test/fake-gateway.js';
import { CHANNEL, OTHER_USER, SERVER } from '../../test/ids.js';
import { startTestBot } from '../../test/test-bot.js';
import { readConfig } from '../config/read-config.js';
import type { CommandContext } from '../command/context/command-context.js';
import type { EventContext } from '../events/event-context.js';
import { loadProject } from '../load/load-project.js';
import { MISSING_VOICE, type OpenedVoice } from './voice-setting.js';

const change = { serverId: SERVER, channelId: CHANNEL, userId: OTHER_USER };

describe('the voice of a bot', () => {
  it('reaches commands and events, follows the events, and ends before handlers do', async () => {
    const seen: unknown[] = [];
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    const given = { ...MISSING_VOICE.voice };
    const voice: OpenedVoice = {
      voice: given,
      connected: (serverIds) => void seen.push(serverIds),
      follow: (data) => ({ ...(data as object), previousChannelId: null }),
      async close() {
        seen.push('closed');
        end();
      },
    };
    const { bot, rest, type, emit } = await startTestBot(
      {
        'commands/play.ts': {
          description: 'Plays',
          async default(context: CommandContext) {
            seen.push(context.voice === given);
            // As a handler that waits for the end of a stream.
            await ended;
            return 'done';
          },
        },
        'events/voice-state-update.ts': {
          default: (context: EventContext<unknown>) => void seen.push(context.voice, context.data),
        },
      },
      { voice },
    );
    emit('VoiceStateChanged', change);
    type('/play');
    await bot.close();
    expect(seen).toEqual([
      READY.serverIds,
      given,
      { ...change, previousChannelId: null },
      true,
      'closed',
    ]);
    expect(rest.lines.join()).toContain('done');
  });

  it('fails with a code where it is used without the setting', async () => {
    const seen: unknown[] = [];
    const { run } = await startTestBot({
      'commands/play.ts': {
        description: 'Plays',
        default({ voice }: CommandContext) {
          try {
            (voice as typeof MISSING_VOICE.voice).stream();
          } catch (error) {
            seen.push(error);
          }
          return JSON.stringify(voice);
        },
      },
    });
    await run('/play');
    expect(seen).toMatchObject([{ code: 'E_VOICE_MISSING' }]);
  });

  it('needs an object with open(), and requests its intent', async () => {
    const { config, problems } = readConfig({ voice: { open: () => undefined } }, { file: 'x' });
    expect(problems).toEqual([]);
    const manifest = { commands: [], events: [], tasks: [], services: null, config: null };
    const { project } = await loadProject(manifest, {
      config,
      importModule: async () => ({}),
    });
    expect(project.intents).toContain('SERVER_VOICE');
    expect(readConfig({ voice: true }, { file: 'x' }).problems).toMatchObject([
      { message: expect.stringContaining('voice in x must be an object with open()') },
    ]);
  });
});
