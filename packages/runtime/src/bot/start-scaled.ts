import type { Gateway } from '@virgule/client/gateway';
import type { Rest } from '@virgule/client/rest';
import { raceAbort } from '@virgule/core/abort';
import { systemClock } from '@virgule/core/clock';
import { errorText } from '@virgule/core/errors';
import { silentLog } from '@virgule/core/log';
import { commandNamed, AUTO_DEFER_MS } from '../command/define/command.js';
import type { Project } from '../load/project.js';
import type { Role, ScaledGateway, ScaledProcess } from '../scale/scale.js';
import type { Bot } from './running-bot.js';
import { observe } from '../command/observer.js';
import { openGateway, startBot, syncOrCompare, type StartBotOptions } from './start-bot.js';

export interface StartScaledOptions extends StartBotOptions {
  readonly scaled: ScaledProcess;
  readonly role: Role;
  readonly project: Project;
  readonly rest: Rest;
}

/** A process of a bot that runs as several processes. */
export type BotProcess = Pick<
  Bot,
  'close' | 'unhandledRejection' | 'uncaughtException' | 'exiting'
>;

/** Starts a worker by `startBot`, or a gateway without handlers and services. */
export async function startScaled(options: StartScaledOptions): Promise<BotProcess> {
  const { scaled, role, rest, log = silentLog, onClosed, signal } = options;
  const orStop = <T>(step: Promise<T>): Promise<T> => (signal ? raceAbort(step, signal) : step);
  let gateway: ScaledGateway | undefined;
  try {
    await (options.me ?? rest.users.me());
    await orStop(scaled.alone(() => syncOrCompare(options, rest, options.project)));
    if (role !== 'worker') gateway = startGateway(options);
    // No timeout: the platform may be unreachable for any time.
    if (gateway) await orStop(gateway.ready);
    if (role === 'gateway') {
      return {
        unhandledRejection: (reason) => log.error({ err: reason }, errorText(reason)),
        uncaughtException: async (error) =>
          log.error({ err: error }, `uncaught exception: ${errorText(error)}`),
        exiting() {},
        async close() {
          await gateway?.close();
          await scaled.close();
          await rest.close();
        },
      };
    }
    const bot = await startBot({
      ...options,
      sync: 'never',
      gateway: scaled.worker({ rest }),
      onClosed(error) {
        void Promise.resolve(gateway?.close()).then(() => onClosed?.(error));
      },
    });
    return {
      ...bot,
      async close() {
        // The gateway is closed first, so that another gateway can take over while the handlers end.
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

function startGateway(options: StartScaledOptions): ScaledGateway {
  const { scaled, role, rest, project, observers = [], log = silentLog, onClosed } = options;
  const { clock = systemClock } = options;
  const observed = observe(observers, log, clock);
  // With role `all`, the worker in this process informs the observers.
  const informed = role === 'gateway' ? observed : undefined;
  const { passing } = observed;
  let connection: Gateway | undefined;
  const gateway = scaled.startGateway({
    rest,
    open: (identifies) => (connection = openGateway(options, rest, project, identifies)),
    defers(name) {
      const command = commandNamed(project.commands, name);
      return {
        afterMs: command ? command.deferAfterMs : AUTO_DEFER_MS,
        isSilent: command?.silent ?? false,
      };
    },
    trace:
      passing &&
      (({ t, d, receivedAtMs: startMs }) => {
        if (t !== 'APPLICATION_COMMAND') return undefined;
        const { name, interactionId } = Object(d) as Readonly<Record<string, unknown>>;
        return passing({ kind: 'command', name: String(name), id: String(interactionId), startMs });
      }),
    onStatus: (status) => informed?.status(status),
    onClosed(error) {
      log.error({ err: error }, error.message);
      onClosed?.(error);
    },
  });
  informed?.connecting({
    rest,
    // A standby has none.
    get gateway() {
      return connection;
    },
    metrics: () => gateway.metrics(),
  });
  return gateway;
}
