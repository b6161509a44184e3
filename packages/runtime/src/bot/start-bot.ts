import { createGateway, type Gateway, type IdentifyTimes } from '@virgule/client/gateway';
import type { GatewayPort } from '../command/gateway-port.js';
import { createRest, isShuttingDown, isUnauthorized, type Rest } from '@virgule/client/rest';
import { onAbort } from '@virgule/core/abort';
import { systemClock, systemRandom, type Clock } from '@virgule/core/clock';
import { isVirguleError } from '@virgule/core/errors';
import { silentLog, type Log } from '@virgule/core/log';
import { INTENTS } from '@virgule/core/protocol';
import { wireCommands } from '../command/define/command.js';
import type { Project } from '../load/project.js';
import { applySync } from '../sync/apply-sync.js';
import { planSync, type SyncPlan } from '../sync/plan-sync.js';
import { createBot, type Bot } from './running-bot.js';
import type { BotOptions } from './create-environment.js';

/** Treatment of commands that differ from the registered commands. */
export type SyncMode =
  /** Does not compare. */
  | 'never'
  /** Compares, and logs a difference. A failure of the comparison is logged, and the bot starts. */
  | 'check'
  /** Registers the local commands. Registered commands that are not local stay, and are logged. */
  | 'apply'
  /** Registers the local commands and deletes all others: for a simulator. */
  | 'apply-with-deletions';

/** Options of `startBot`. */
export interface StartBotOptions extends Omit<
  BotOptions,
  'rest' | 'gateway' | 'log' | 'clock' | 'random' | 'project'
> {
  /** The bot's token. */
  readonly token: string;
  /** `http://` or `https://` address that the REST paths are appended to. */
  readonly baseUrl: string;
  /** `ws://` or `wss://` address that `/gateway/bot` is appended to. */
  readonly gatewayUrl: string;
  /** Commands and events of the bot, or a promise of them. The token is checked while the promise is pending. */
  readonly project: Project | Promise<Project>;
  /** @defaultValue `'check'` */
  readonly sync?: SyncMode | undefined;
  /** Names of commands that may be deleted with `sync: 'apply'`. @defaultValue none */
  readonly allowDelete?: readonly string[] | undefined;
  /** @defaultValue nothing is logged */
  readonly log?: Log | undefined;
  /** @defaultValue the clock of this machine */
  readonly clock?: Clock | undefined;
  /** @defaultValue random numbers */
  readonly random?: (() => number) | undefined;
  /**
   * File that stores the times at which the bot identified, so that a bot that is restarted repeatedly does not identify too
   * often. Not used if the gateway is on this machine.
   *
   * @defaultValue the times are only in memory
   */
  readonly gatewayStateFile?: string | undefined;
  /** `true` to read the messages of a gap afterwards, from the channels in which messages arrived before. @defaultValue false */
  readonly backfill?: boolean | undefined;
  /** Source of events. @defaultValue a socket of this process */
  readonly gateway?: GatewayPort | undefined;
  /** Existing REST client to use. @defaultValue a new client */
  readonly rest?: Rest | undefined;
  /** Result of a token check that has begun already. @defaultValue the token is checked */
  readonly me?: Promise<unknown> | undefined;
  /** Folder of relative file paths. @defaultValue the working directory */
  readonly filesRoot?: string | undefined;
  /** Signal that cancels the start, which rejects with the reason of the signal. Use `close` to end a started bot. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Starts a bot: checks the token, syncs the commands according to `sync`, and connects. Resolves when the bot is ready; after a
 * rejection nothing is left running.
 *
 * @throws VirguleError `E_UNAUTHORIZED` when the token is refused, `E_UNREACHABLE` when the platform does not answer,
 * `E_SERVICES_FAILED` when the services cannot be created; any error of loading the project or, with `sync: 'apply'`, of the
 * registration; the reason of the signal.
 */
export async function startBot(options: StartBotOptions): Promise<Bot> {
  const { token, baseUrl, profile, filesRoot, signal } = options;
  const { log = silentLog, clock = systemClock, random = systemRandom } = options;
  const rest =
    options.rest ?? createRest({ token, baseUrl, clock, random, log, profile, filesRoot });
  let bot: Bot | undefined;
  let detach = (): void => {};
  try {
    signal?.throwIfAborted();
    if (signal) detach = onAbort(signal, () => void (bot ?? rest).close());
    // The platform expects this as the first call; a wrong token ends the start before anything else.
    const [, project] = await Promise.all([options.me ?? rest.users.me(), options.project]);
    await syncOrCompare(options, rest, project);
    signal?.throwIfAborted();
    const gateway = options.gateway ?? openGateway(options, rest, project);
    bot = createBot({ ...options, rest, gateway, log, clock, random, project });
    await Promise.all([bot.connect(), options.services?.created]);
    return bot;
  } catch (error) {
    await (bot ?? rest).close();
    await options.voice?.close();
    await options.services?.close();
    await options.storage?.close();
    // A bot with a refused token closes itself and rejects with a follow-up error; the refusal is the cause.
    const cause = rest.tokenRefused.aborted ? rest.tokenRefused.reason : error;
    throw signal?.aborted ? signal.reason : cause;
  } finally {
    detach();
  }
}

/** Syncs the commands according to `sync`. A comparison only warns: the bot does not wait for its result. */
export async function syncOrCompare(
  { sync = 'check', log = silentLog, allowDelete }: StartBotOptions,
  rest: Rest,
  project: Project,
): Promise<void> {
  const syncing = syncCommands(rest, project, sync, log, allowDelete);
  if (sync !== 'check') return void (await syncing);
  syncing.catch((error: unknown) => {
    if (!isShuttingDown(error))
      log.warn({ err: error }, 'could not compare the registered commands with the local ones');
  });
}

/** Creates the connection to the platform for a project. `identifies` stores the times at which the bot identified. */
export function openGateway(
  options: StartBotOptions,
  rest: Rest,
  project: Project,
  identifies?: IdentifyTimes,
): Gateway {
  return createGateway({
    token: options.token,
    gatewayUrl: options.gatewayUrl,
    intents: INTENTS.filter((intent) => project.intents.includes(intent)),
    clock: options.clock,
    random: options.random,
    profile: options.profile,
    log: options.log ?? silentLog,
    // Used when a close code of the gateway is ambiguous.
    checkToken: () =>
      rest.users.me().then(
        () => 'valid',
        (error: unknown) => (isUnauthorized(error) ? 'refused' : 'unknown'),
      ),
    stateFile: options.gatewayStateFile,
    identifies,
    backfill: options.backfill ? { rest } : undefined,
    silenceCheck: rest,
  });
}

/** Syncs the commands according to `mode`. Returns the plan; `null` with `'never'`. */
export async function syncCommands(
  rest: Rest,
  project: Project,
  mode: SyncMode,
  log: Log,
  allowDelete: readonly string[] = [],
): Promise<SyncPlan | null> {
  if (mode === 'never') return null;
  const local = wireCommands(project);
  // A supervisor may repeat the start: it must neither delete commands, nor fail each time because it may not delete.
  const keep =
    mode === 'apply' ? (name: string): boolean => !allowDelete.includes(name) : undefined;
  const plan = planSync(local, await rest.commands.list(), keep);
  if (plan.kept.length > 0) {
    const kept = plan.kept.map(({ name }) => name);
    log.warn(
      { kept },
      'commands that this bot does not have stay registered; run `virgule deploy` to delete them',
    );
  }
  if (plan.empty) return plan;
  const counts = { add: plan.add.length, change: plan.change.length, remove: plan.remove.length };
  if (mode === 'check') {
    log.warn(
      counts,
      'the registered commands differ from the local ones; run `virgule deploy` to see and apply the plan',
    );
    return plan;
  }
  const allowed = mode === 'apply-with-deletions' || allowDelete;
  const sent = { commands: rest.commands, local, plan, allowDelete: allowed };
  const { applied } = await applySync(sent).catch((err: unknown) => {
    // Without a cause, the platform accepted the commands, and lists others: with changed texts, or late.
    if (!isVirguleError(err, 'E_SYNC_NOT_APPLIED') || err.cause) throw err;
    log.error({ err }, 'the platform lists other commands than it accepted');
    return { applied: false };
  });
  if (applied) log.info(counts, 'registered the commands');
  return plan;
}
