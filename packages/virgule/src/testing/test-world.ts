import { memory, type StorageDriver, type StorageSetting } from '@virgule/runtime';
import type { BotOptions } from '@virgule/runtime/bot';
import type { Clock } from '@virgule/core/clock';
import { startSimulator, type Simulator, type SimulatorOptions } from '@virgule/simulator';
import type { StartTestBotOptions } from './create-test-bot.js';
import { createTranscript, type Transcript } from './transcript.js';

type Journal = NonNullable<BotOptions['interactionJournal']>;

export type TestWorld = ReturnType<typeof createTestWorld>;

/** Creates the parts of a test that outlive a process of its bot: the platform, the storage and the clock. */
export function createTestWorld(
  clock: Clock,
  { platform: given, storage }: Pick<StartTestBotOptions, 'platform' | 'storage'>,
) {
  let driver: Promise<StorageDriver> | undefined;
  let seen: { readonly platform: Simulator; readonly transcript: Transcript } | undefined;
  const left = new Map<string, ReturnType<Journal['left']>[number]>();
  return {
    clock,
    /** Returns the platform, which the first process starts with the profile of its configuration. */
    async open(options: SimulatorOptions) {
      const platform = seen?.platform ?? given ?? (await startSimulator({ ...options, clock }));
      return (seen ??= { platform, transcript: createTranscript(platform) });
    },
    storage: (wrap: (driver: StorageDriver) => StorageDriver): StorageSetting => ({
      ...memory(),
      open: async (options) =>
        wrap(await (storage?.open(options) ?? (driver ??= memory().open(options)))),
    }),
    /** Journal of the open interactions, in memory. */
    journal: {
      open(key, facts) {
        const entry = { facts, forget: () => void (left.get(key) === entry && left.delete(key)) };
        left.set(key, entry);
        return entry.forget;
      },
      left: () => [...left.values()],
      written: async () => {},
    } satisfies Journal,
    async close(): Promise<void> {
      if (!given) await seen?.platform.close();
    },
  };
}
