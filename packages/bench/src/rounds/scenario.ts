import type { MetricName } from './metrics.js';

/** What one contender did in one run. */
export interface Sample {
  readonly values: Readonly<Partial<Record<MetricName, number>>>;
  /** Share of one core that the other side used: near 1, it may be what was measured. */
  readonly otherLoad?: number | undefined;
  /** Answers that were wrong or came twice. */
  readonly wrong?: number | undefined;
}

/** What ratios to the first contender should reach: at least where more is better, else at most. */
export type Targets = Readonly<Partial<Record<MetricName, number>>>;

export interface Contender {
  readonly name: string;
  /** Left out where there is nothing to reach. */
  readonly targets?: Targets;
  readonly run: () => Promise<Sample>;
}

/** Contenders that are compared with the first of them. */
export interface Scenario {
  /** One sentence or two for readers of the table. */
  readonly about: string;
  /** The columns. */
  readonly metrics: readonly MetricName[];
  /** Those of the columns that are compared as ratios. */
  readonly ratios: readonly MetricName[];
  /** Whether each contender is the one before it and one thing more. */
  readonly isLadder?: boolean;
  readonly contenders: readonly Contender[];
  /** Removes what was prepared. */
  readonly close?: () => Promise<void>;
}
