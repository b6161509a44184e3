import type { CheckedEnv } from '../config/check-env.js';
import type { ResolvedConfig } from '../config/read-config.js';
import type { LoadResult } from '../load/load-project.js';
import type { Manifest } from '../scan/scan.js';
import { createServices, type CreateServicesOptions } from '../services/create-services.js';

/** A project whose files, settings and environment were read. */
export interface ReadBot extends Pick<LoadResult, 'project' | 'createServices'> {
  readonly manifest: Pick<Manifest, 'services'>;
  readonly config: ResolvedConfig;
  readonly env: Pick<CheckedEnv, 'values'>;
}

/** The parts that differ between a built bot, development and tests. */
export type BotTools = Omit<CreateServicesOptions, 'create' | 'file' | 'env'>;

/**
 * Returns the options of a bot as its project sets them, and begins to create its services. They belong to
 * the bot that is created or started with these options.
 */
export function composeBot(read: ReadBot, tools: BotTools) {
  const { project, config, manifest, env } = read;
  const { rest, log, clock, random, redact } = tools;
  const { profile, texts, cooldowns, concurrency, drainMs, observers } = config;
  const services = read.createServices
    ? createServices({
        ...tools,
        create: read.createServices,
        file: manifest.services ?? 'services',
        env: env.values,
      })
    : undefined;
  const settings = { profile, texts, cooldowns, concurrency, drainMs, observers };
  return { ...settings, project, services, env: env.values, rest, log, clock, random, redact };
}
