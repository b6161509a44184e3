interface Metric {
  readonly heading: string;
  readonly digits: number;
  /** The better direction of the figure. */
  readonly better: 'more' | 'less';
}

/** All metrics, in the order of the columns. */
export const METRICS = {
  /** Commands or events per second of wall-clock time. */
  perSecond: { heading: 'per second', digits: 0, better: 'more' },
  /** CPU time of each, with all threads of the process, in microseconds. */
  cpuMicros: { heading: 'CPU us each', digits: 1, better: 'less' },
  /** From a command to its handler, the median. */
  toHandlerMs: { heading: 'to handler ms', digits: 2, better: 'less' },
  p50Ms: { heading: 'p50 ms', digits: 2, better: 'less' },
  p99Ms: { heading: 'p99 ms', digits: 2, better: 'less' },
  /** Time for all messages, on a simulated clock. */
  totalSeconds: { heading: 'total s', digits: 1, better: 'less' },
  /** Requests that were answered 429. */
  refused: { heading: '429s', digits: 0, better: 'less' },
  /** Time from the start of the process to its IDENTIFY. */
  startMs: { heading: 'to IDENTIFY ms', digits: 0, better: 'less' },
  /** Time until the first read of a file has ended. */
  openMs: { heading: 'open ms', digits: 1, better: 'less' },
  /** Time of each, in milliseconds. */
  eachMs: { heading: 'ms each', digits: 1, better: 'less' },
  /** CPU time until the process is idle, in milliseconds. */
  startCpuMs: { heading: 'CPU ms', digits: 0, better: 'less' },
  /** Maximum memory of the process, in MiB. */
  peakMiB: { heading: 'peak MiB', digits: 0, better: 'less' },
  /** Memory of the process, in MiB. */
  rssMiB: { heading: 'RSS MiB', digits: 1, better: 'less' },
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof METRICS;
