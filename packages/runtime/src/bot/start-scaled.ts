import type { GatewayEvent, GatewayStatus } from '@virgule/client/gateway';
import type { Rest } from '@virgule/client/rest';
import { errorText, readableError } from '@virgule/core/errors';
import { silentLog } from '@virgule/core/log';
import { DEFAULT_PROFILE } from '@virgule/core/protocol';
import { commandNamed } from '../load/aliases.js';
import type { Project } from '../load/project.js';
import type { Role, ScaledGateway, ScaledProcess } from '../scale/scale.js';
import type { BotObserver, Trace } from './bot-observer.js';
import type { Bot } from './create-bot.js';
import { openGateway, startBot, syncOrCompare, type StartBotOptions } from './start-bot.js';

export interface StartScaledOptions extends StartBotOptions {
  readonly scaled: ScaledProcess;
  readonly role: Role;
  readonly project: Project;
  readonly rest: Rest;
}

/** A process of a bot that runs as several ones. */
export type BotProcess = Pick<Bot, 'close' | 'unhandledRejection'>;

/** Time until the auto-defer of a command that this version does not have, in milliseconds. */
const DEFER_AFTER_MS = 1_500;

/**
 * Starts a process of a bot that runs as several ones. As `startBot`, which it calls for a worker; a gateway has no
 * handlers and no services.
 */
export async function startScaled(options: StartScaledOptions): Promise<BotProcess> {
  const { scaled, role, rest, log = silentLog, onClosed } = options;
  let gateway: ScaledGateway | undefined;
  try {
    await (options.me ?? rest.users.me());
    await scaled.alone(() => syncOrCompare(options, rest, options.project));
    if (role !== 'worker') gateway = startGateway(options);
    await gateway?.ready;
    if (role === 'gateway') {
      return {
        unhandledRejection: (reason) => log.error({ err: reason }, errorText(reason)),
        async close() {
          await gateway?.close();
          await scaled.close();
          await rest.close();
        },
      };
    }
    const { deferredWindowMs } = { ...DEFAULT_PROFILE, ...options.profile };
    const bot = await startBot({
      ...options,
      // It is done.
      sync: 'never',
      gateway: scaled.worker({ maxAgeMs: deferredWindowMs, rest }),
      onClosed() {
        void Promise.resolve(gateway?.close()).then(onClosed);
      },
    });
    return {
      unhandledRejection: (reason) => bot.unhandledRejection(reason),
      async close() {
        // First: another gateway can take over while the handlers end.
        await gateway?.close();
        await bot.close();
        await scaled.close();
      },
    };
  } catch (error) {
    await gateway?.close();
    await scaled.close();
    throw error;
  }
}

/** Returns a function that begins the trace of a command; `undefined` if no observer does. */
function traceWith(observers: readonly BotObserver[], log = silentLog) {
  const observer = observers.find(({ passing }) => passing);
  return (
    observer?.passing &&
    (({ t, d, receivedAtMs }: GatewayEvent): Trace | undefined => {
      const { name, interactionId } = Object(d) as Readonly<Record<string, unknown>>;
      if (t !== 'APPLICATION_COMMAND') return undefined;
      const start = { command: String(name), interactionId: String(interactionId), receivedAtMs };
      try {
        return observer.passing?.(start);
      } catch (error) {
        log.error({ err: readableError(error) }, 'an observer threw in "passing"');
        return undefined;
      }
    })
  );
}

function startGateway(options: StartScaledOptions): ScaledGateway {
  const { scaled, role, rest, project, observers = [], log, onClosed } = options;
  // A worker in this process reports to them itself.
  const informed = role === 'gateway' ? observers : [];
  const gateway = scaled.startGateway({
    rest,
    open(identifies) {
      const connection = openGateway({ ...options, identifies }, rest, project);
      for (const { connecting } of informed) {
        connecting?.({ rest, gateway: connection, metrics: () => gateway.metrics() });
      }
      return connection;
    },
    defers(name) {
      const command = commandNamed(project.commands, name);
      return {
        afterMs: command ? command.deferAfterMs : DEFER_AFTER_MS,
        isSilent: command?.silent ?? false,
      };
    },
    trace: traceWith(observers, log),
    onStatus(status: GatewayStatus) {
      for (const observer of informed) observer.status?.(status);
    },
    onClosed(error) {
      log?.error({ err: error }, error.message);
      onClosed?.();
    },
  });
  return gateway;
}
