import type { CommandLoadOptions } from '../platform/command-load.js';
import { measureCommands } from './measure-commands.js';
import { measureEvents } from './measure-events.js';
import { withPair, type PairOptions } from './measured-pair.js';
import type { Contender, Size, Targets } from './scenario.js';

/** Number of commands in flight at a time. */
export const OUTSTANDING = 64;

export const RATE_AND_CPU = ['perSecond', 'cpuMicros'] as const;

type Change = Partial<CommandLoadOptions>;

/** Returns a contender that answers commands. */
export function commandContender(
  name: string,
  pair: PairOptions,
  size: Size,
  { targets, ...change }: Change & { readonly targets?: Targets } = {},
): Contender {
  const load = {
    name: 'roll',
    count: size.commands,
    outstanding: OUTSTANDING,
    delayMs: 0,
    ...change,
  } as const;
  return {
    name,
    ...(targets && { targets }),
    run: () => withPair(pair, (measured) => measureCommands(measured, load, size.warmUpCommands)),
  };
}

/** Returns a contender that handles events. */
export function eventContender(
  name: string,
  pair: PairOptions,
  size: Size,
  targets: Targets = {},
): Contender {
  const run = () => withPair(pair, (measured) => measureEvents(measured, size.events));
  return { name, targets, run };
}
