import { createGateway, type Gateway, type IdentifyTimes } from '@virgule/client/gateway';
import type { GatewayPort } from '../command/gateway-port.js';
import { createRest, isShuttingDown, isUnauthorized, type Rest } from '@virgule/client/rest';
import { onAbort } from '@virgule/core/abort';
import { systemClock, systemRandom, type Clock } from '@virgule/core/clock';
import { silentLog, type Log } from '@virgule/core/log';
import { INTENTS } from '@virgule/core/protocol';
import { wireCommands } from '../command/define/aliases.js';
import type { Project } from '../load/project.js';
import { applySync } from '../sync/apply-sync.js';
import { planSync, type SyncPlan } from '../sync/plan-sync.js';
import { createBot, type Bot, type BotOptions } from './create-bot.js';

/** What to do about commands that differ from the registered ones. */
export type SyncMode =
  /** Does not compare. */
  | 'never'
  /** Compares, and logs a difference. If they cannot be compared, that is logged, and the bot starts. */
  | 'check'
  /** Registers the local commands; those that are registered and not local stay, and are logged. */
  | 'apply'
  /** Registers the local commands and deletes the others: for a simulator. */
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
  /** What the bot answers to, or a promise of it: the token is checked meanwhile. */
  readonly project: Project | Promise<Project>;
  /** @defaultValue `'check'` */
  readonly sync?: SyncMode | undefined;
  /** With `sync: 'apply'`, the names of commands that may be deleted. @defaultValue none */
  readonly allowDelete?: readonly string[] | undefined;
  /** @defaultValue nothing is logged */
  readonly log?: Log | undefined;
  /** @defaultValue the clock of this machine */
  readonly clock?: Clock | undefined;
  /** @defaultValue random numbers */
  readonly random?: (() => number) | undefined;
  /**
   * A file that stores when the bot identified, so that one that is restarted repeatedly does not
   * identify too often. Not used if the gateway is on this machine.
   *
   * @defaultValue remembered in memory only
   */
  readonly gatewayStateFile?: string | undefined;
  /** Whether messages of a gap are read afterwards, from the channels in which messages came before. @defaultValue false */
  readonly backfill?: boolean | undefined;
  /** Receives events from another source than a socket of this process. */
  readonly gateway?: GatewayPort | undefined;
  /** An existing REST client. @defaultValue one is created */
  readonly rest?: Rest | undefined;
  /** The check of the token, if it has begun already. @defaultValue one is made */
  readonly me?: Promise<unknown> | undefined;
  /** Folder of relative file paths. @defaultValue the working directory */
  readonly filesRoot?: string | undefined;
  /** Cancels the start, which rejects with its reason. A bot that has started is ended by `close`. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Starts a bot: checks the token, syncs the commands as `sync` says, and connects. Resolves when the
 * bot is ready; after a rejection nothing is left running.
 *
 * @throws VirguleError `E_UNAUTHORIZED` when the token is refused, `E_UNREACHABLE` when the platform does not
 *   answer, `E_SERVICES_FAILED` when the services cannot be created, what loading the project throws, with
 *   `sync: 'apply'` what the registration throws, and the reason of the signal.
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
    // A bot that closes itself because of its token rejects with a consequence of that.
    const cause = rest.tokenRefused.aborted ? rest.tokenRefused.reason : error;
    throw signal?.aborted ? signal.reason : cause;
  } finally {
    detach();
  }
}

/** Syncs as `sync` says. Comparing only warns: the bot neither waits for it nor depends on it. */
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

/** Creates the connection to the platform that a project needs. `identifies` remembers when the bot identified. */
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
    // Where a close code of the gateway is ambiguous.
    checkToken: () =>
      rest.users.me().then(
        () => 'valid',
        (error: unknown) => (isUnauthorized(error) ? 'refused' : 'unknown'),
      ),
    stateFile: options.gatewayStateFile,
    identifies,
    backfill: options.backfill ? { rest } : undefined,
  });
}

/** Syncs as `mode` says, and returns the plan; `null` if it did not compare. */
export async function syncCommands(
  rest: Rest,
  project: Project,
  mode: SyncMode,
  log: Log,
  allowDelete: readonly string[] = [],
): Promise<SyncPlan | null> {
  if (mode === 'never') return null;
  const local = wireCommands(project);
  // A start that a supervisor repeats must neither delete, nor fail each time because it may not delete.
  const keep =
    mode === 'apply' ? (name: string): boolean => !allowDelete.includes(name) : undefined;
  const plan = planSync(local, await rest.commands.list(), { keep });
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
  const { applied } = await applySync({
    commands: rest.commands,
    local,
    plan,
    allowDelete: mode === 'apply-with-deletions' || allowDelete,
  });
  if (applied) log.info(counts, 'registered the commands');
  return plan;
}
