interface Metric {
  readonly heading: string;
  readonly digits: number;
  /** Whether more of it is better, or less. */
  readonly better: 'more' | 'less';
}

/** What is measured, in the order of the columns. */
export const METRICS = {
  /** Commands or events per second, by the clock on the wall. */
  perSecond: { heading: 'per second', digits: 0, better: 'more' },
  /** CPU time for each of them, all threads of the process, in microseconds. */
  cpuMicros: { heading: 'CPU us each', digits: 1, better: 'less' },
  p50Ms: { heading: 'p50 ms', digits: 2, better: 'less' },
  p99Ms: { heading: 'p99 ms', digits: 2, better: 'less' },
  /** From the start of the process to its IDENTIFY. */
  startMs: { heading: 'to IDENTIFY ms', digits: 0, better: 'less' },
  /** CPU time until the process is idle, in milliseconds. */
  startCpuMs: { heading: 'CPU ms', digits: 0, better: 'less' },
  /** The most memory that the process held, in MiB. */
  peakMiB: { heading: 'peak MiB', digits: 0, better: 'less' },
  /** Memory that the process holds, in MiB. */
  rssMiB: { heading: 'RSS MiB', digits: 1, better: 'less' },
  /** More memory of the process for each open interaction, in bytes. */
  rssBytesEach: { heading: 'RSS bytes each', digits: 0, better: 'less' },
  /** More heap in use for each open interaction, after a collection, in bytes. */
  heapBytesEach: { heading: 'heap bytes each', digits: 0, better: 'less' },
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof METRICS;
