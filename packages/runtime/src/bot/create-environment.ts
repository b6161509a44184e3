import { createDeadlines } from '@virgule/core/clock';
import { resolveProfile } from '@virgule/core/protocol';
import { Activity } from '../command/activity.js';
import type { BotEnvironment } from '../command/environment.js';
import { LoopGuard } from '../command/loop-guard.js';
import { observe } from '../command/observer.js';
import { resolveTexts } from '../command/texts.js';
import { createMemoryConcurrency } from '../command/throttle/concurrency-store.js';
import { createMemoryCooldowns } from '../command/throttle/cooldown-store.js';
import { Waits } from '../command/waits/waits.js';
import { isId } from '../options/references.js';
import { MISSING_VOICE } from '../voice/voice-setting.js';
import type { BotOptions } from './create-bot.js';

/** Creates the environment of a bot from its options, without its services. */
export function createEnvironment(
  options: BotOptions,
  own: Pick<BotEnvironment, 'storage' | 'tasks' | 'commands' | 'stopping' | 'ending' | 'onError'>,
): BotEnvironment {
  const { rest, gateway, clock, random, log, observers, attachmentHosts = [] } = options;
  const profile = resolveProfile(options.profile);
  const deadlines = createDeadlines(clock);
  return {
    ...own,
    rest,
    clock,
    random,
    log,
    services: {},
    envValues: options.env ?? {},
    voice: options.voice ?? MISSING_VOICE,
    profile,
    deadlines,
    attachmentHosts,
    isAttachment: (typed) =>
      profile.attachmentInput === 'id'
        ? isId(typed)
        : rest.attachments.isFileUrl(typed, attachmentHosts),
    waits: new Waits({
      clock,
      deadlines,
      log,
      watch: (channelId, sinceMs) => gateway.watch?.(channelId, sinceMs),
      onOpen: options.onWait,
    }),
    throttle: {
      cooldowns: options.cooldowns ?? createMemoryCooldowns(clock),
      concurrency: options.concurrency ?? createMemoryConcurrency(),
    },
    texts: resolveTexts(options.texts, log),
    development: options.development ?? false,
    redact: options.redact ?? ((text) => text),
    activity: new Activity(),
    runs: new Set(),
    journal: options.interactionJournal,
    handlerRuns: new Set(),
    loops: options.loopGuard === false ? undefined : new LoopGuard(clock, log),
    observed: observers?.length ? observe(observers, log) : undefined,
  };
}
