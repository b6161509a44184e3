import { hash } from 'node:crypto';
import type { Clock } from '@virgule/core/clock';
import {
  faultsSchema,
  type SimFaultRule,
  type SimFaults,
  type SimFaultState,
} from '@virgule/core/simulator-api';
import * as z from 'zod';
import { simulatorErrors } from '../simulator/simulator-errors.js';
import { PRESETS } from './presets.js';

/** An effect that is due, with the name of its rule. */
export type Fault = NonNullable<ReturnType<Faults['ofConnection']>>;

export type Faults = ReturnType<typeof createFaults>;

interface ActiveRule {
  readonly rule: SimFaultRule;
  readonly untilMs: number;
  seen: number;
  hits: number;
  draws: number;
}

/** @param onHit - called each time that a rule takes effect. */
export function createFaults(clock: Clock, onHit: (rule: string) => void) {
  let seed = '1';
  let active: ActiveRule[] = [];

  /** Returns the next number of a rule, from 0 to below 1. */
  function draw(of: ActiveRule): number {
    of.draws += 1;
    const hex = hash('sha1', `${seed}\0${of.rule.name}\0${of.draws}`).slice(0, 8);
    return Number.parseInt(hex, 16) / 2 ** 32;
  }

  function isDue(of: ActiveRule): boolean {
    const { skip = 0, times = Number.POSITIVE_INFINITY, probability = 1 } = of.rule;
    if (of.hits >= times || clock.monotonic() >= of.untilMs) return false;
    of.seen += 1;
    return of.seen > skip && (probability === 1 || draw(of) < probability);
  }

  function find(isMeant: (on: SimFaultRule['on']) => boolean, bot?: string) {
    const due = active.find(
      (each) =>
        isMeant(each.rule.on) &&
        (each.rule.bot === undefined || each.rule.bot === bot) &&
        isDue(each),
    );
    if (due === undefined) return undefined;
    const { name, do: effect } = due.rule;
    /** Counts one effect of the rule. */
    const hit = (): void => {
      due.hits += 1;
      onHit(name);
    };
    // A limit takes effect only on requests above the limit.
    if (effect.type !== 'limit') hit();
    /** Returns a number from 0 to below 1, derived from the seed. */
    const random = (): number => draw(due);
    return { rule: name, effect, hit, random };
  }

  return {
    get state(): SimFaultState {
      const rules = active.map(({ rule, hits }) => ({ ...rule, hits }));
      return { seed, rules, presets: PRESETS };
    },
    /** Replaces all rules, and resets their counters. */
    set(faults: SimFaults): void {
      seed = faults.seed ?? '1';
      active = faults.rules.map((rule) => ({
        rule,
        untilMs: clock.monotonic() + (rule.forMs ?? Number.POSITIVE_INFINITY),
        seen: 0,
        hits: 0,
        draws: 0,
      }));
    },
    get hasRules() {
      return active.length > 0;
    },
    /** Returns the fault of a request with one of these names, of the bot with this username. */
    ofRequest: (names: readonly string[], bot: string | undefined) =>
      find((on) => 'request' in on && ['*', ...names].includes(String(on.request)), bot),
    /** Returns the fault of a frame of a bot, by its event or operation. */
    ofFrame(name: string, bot: string | undefined) {
      if (active.length === 0) return undefined;
      return find((on) => 'frame' in on && (on.frame === '*' || on.frame === name), bot);
    },
    ofConnection: () => find((on) => 'connect' in on),
  };
}

/** Validates faults from a file, a request or a test. @throws VirguleError `E_SIM_FAULTS`. */
export function readFaults(value: unknown): SimFaults {
  const { success, data, error } = faultsSchema.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const field = z.core.toDotPath(issue?.path ?? []);
  const reason = issue?.message ?? 'is invalid';
  throw simulatorErrors.E_SIM_FAULTS({ kind: 'rule', field, reason });
}
