import type { MetricName } from './metrics.js';

/** The result of one run of a contender. */
export interface Sample {
  readonly values: Readonly<Partial<Record<MetricName, number>>>;
  /** Share of one core that the other side used. Near 1, the other side may have been the limit. */
  readonly otherLoad?: number | undefined;
  /** Number of wrong or duplicate answers. */
  readonly wrong?: number | undefined;
}

/** Ratios to the first contender: minimums where more is better, else maximums. */
type Targets = Readonly<Partial<Record<MetricName, number>>>;

export interface Contender {
  readonly name: string;
  /** Conditions: the bench fails if one is missed. */
  readonly targets?: Targets;
  /** Stricter targets that may be missed. */
  readonly aims?: Targets;
  /** Conditions for the differences from the first contender. */
  readonly addedTargets?: Targets;
  readonly run: () => Promise<Sample>;
  /** Called after the last slice of a round. */
  readonly close?: () => Promise<void>;
}

/** Contenders to compare with the first one. */
export interface Scenario {
  /** Description above the table. */
  readonly about: string;
  /** Metrics in the columns. */
  readonly metrics: readonly MetricName[];
  /** Metrics to compare as ratios. */
  readonly ratios: readonly MetricName[];
  /** Metrics to compare as differences. */
  readonly added?: readonly MetricName[];
  readonly contenders: readonly Contender[];
  /** Number of times that each contender runs in a round, by turns. @defaultValue 1 */
  readonly slices?: number;
  /** Removes prepared files. */
  readonly close?: () => Promise<void>;
}

/** The amount of work to measure. */
export interface Settings {
  readonly rounds: number;
  /** Number of slices of a round. */
  readonly slices: number;
  /**
   * Number of commands before the measured ones, until V8 has compiled the code: up to 40,000, the CPU time of each
   * still falls for all bots, most for those with the most code.
   */
  readonly warmUpCommands: number;
  /** Commands of a slice. */
  readonly commands: number;
  readonly delayedCommands: number;
  readonly warmUpEvents: number;
  /** Events of a slice. */
  readonly events: number;
  /** Number of commands of a bot of several processes. */
  readonly scaledCommands: number;
  /** Another checkout with a build, whose bots run as well. */
  readonly base?: string | undefined;
}

/** A scenario that is prepared only if it is selected. */
export interface ScenarioPlan {
  /** Name for `--only`. */
  readonly id: string;
  readonly title: string;
  readonly prepare: (settings: Settings) => Promise<Scenario> | Scenario;
}
