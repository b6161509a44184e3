import type { CheckedEnv } from '../config/check-env.js';
import { createStoredCooldowns } from '../command/throttle/stored-cooldowns.js';
import type { ResolvedConfig } from '../config/read-config.js';
import type { LoadResult } from '../load/load-project.js';
import type { ScaledProcess } from '../scale/scale.js';
import type { Manifest } from '../scan/scan.js';
import { createServices, type CreateServicesOptions } from '../services/create-services.js';
import { sqlite } from '../storage/sqlite-storage.js';
import type { StorageSetting } from '../storage/storage-driver.js';
import { createStorage } from '../storage/storage.js';
import { StorageConnection } from '../storage/storage-connection.js';
import { tasksOf } from '../command/run/approval.js';
import { TaskQueue } from '../tasks/task-queue.js';
import { MISSING_VOICE, type OpenedVoice, type OpenVoice } from '../voice/voice-setting.js';

export interface ReadBot extends Pick<LoadResult, 'project' | 'createServices'> {
  readonly manifest: Pick<Manifest, 'services'>;
  readonly config: ResolvedConfig;
  readonly env: Pick<CheckedEnv, 'values'>;
}

/** The parts that differ between a built bot, development and tests. */
export interface BotTools extends Omit<
  CreateServicesOptions,
  'create' | 'file' | 'env' | 'storage' | 'leaders' | 'tasks' | 'voice' | 'profile'
> {
  /** Folder of the storage's file. @defaultValue the working directory */
  readonly root?: string | undefined;
  /** The platform, for audio. @defaultValue no media server is reached, as in tests */
  readonly platform?: OpenVoice['platform'];
  /** Storage to use instead of the configured one. @defaultValue the configured storage, else `sqlite()` */
  readonly storage?: StorageSetting | undefined;
  /** Stores that the processes of the bot share. @defaultValue the bot runs as one process */
  readonly shared?: ScaledProcess['stores'] | undefined;
}

/** Returns the options of a bot, which owns the returned services, and begins to create these services. */
export function composeBot(read: ReadBot, tools: BotTools) {
  const { project, config, manifest, env } = read;
  const { rest, log, clock, random, platform, shared, root = process.cwd() } = tools;
  const { profile, texts, attachments, messages, loopGuard, drainMs, observers, failed } = config;
  const { storage: setting = config.storage ?? shared?.storage ?? sqlite() } = tools;
  const open = (each: StorageSetting) => new StorageConnection(each, { clock, log, root });
  const storage = open(setting);
  // Cooldowns of several processes are always in the shared storage, even if handlers use another one.
  const connection = shared && setting !== shared.storage ? open(shared.storage) : storage;
  const cooldowns =
    shared || config.cooldowns ? createStoredCooldowns(connection, clock, log) : undefined;
  const tasks = new TaskQueue(storage, tasksOf(project));
  const voice: OpenedVoice =
    config.voice?.open({ rest, log, clock, random, platform, root }) ?? MISSING_VOICE;
  const services = read.createServices
    ? createServices({
        ...tools,
        storage: createStorage(storage),
        leaders: shared && connection,
        tasks: tasks.handles,
        voice: voice.voice,
        profile,
        create: read.createServices,
        file: manifest.services ?? 'services',
        env: env.values,
      })
    : undefined;
  return {
    ...tools,
    profile,
    texts,
    attachments,
    messageCommands: messages,
    loopGuard,
    cooldowns,
    concurrency: shared?.concurrency,
    drainMs,
    observers,
    failed,
    project,
    services,
    storage,
    tasks,
    voice,
    env: env.values,
  };
}
