import type { Log } from '@virgule/core/log';
import type { CommandContext } from '../context/command-context.js';
import type { LimitScope } from './limit-settings.js';

/** The commands whose key function gave nothing, by the log of their bot: each is told once. */
const told = new WeakMap<Log, Set<string>>();

/** What the runs of one command are counted by. */
export function limitKey(
  commandName: string,
  per: LimitScope,
  context: CommandContext,
  log: Log,
): string {
  const name = `/${commandName}`;
  switch (per) {
    case 'global':
      return name;
    case 'server':
      return `${name} server ${context.serverId}`;
    case 'channel':
      return `${name} channel ${context.channelId}`;
    default: {
      const key = per(context) ?? '';
      if (key !== '') return `${name} key ${key}`;
      tellOnce(commandName, log);
      return `${name} channel ${context.channelId}`;
    }
  }
}

function tellOnce(commandName: string, log: Log): void {
  const names = told.get(log) ?? new Set();
  if (names.has(commandName)) return;
  told.set(log, names.add(commandName));
  log.warn(
    { command: commandName },
    `The key function of a limit of /${commandName} gave nothing: the limit holds for the whole channel. The platform does not say who ran a command.`,
  );
}
