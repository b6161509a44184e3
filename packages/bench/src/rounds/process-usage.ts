import { readdirSync, readFileSync } from 'node:fs';

/** Returns the CPU time of this process with all its threads, in microseconds. */
export function cpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

const read = (pid: number, name: string): string => readFileSync(`/proc/${pid}/${name}`, 'utf8');

/** Returns the CPU time that Linux counts for processes with all their threads, in microseconds. */
export function cpuMicrosOf(pids: readonly number[]): number {
  const threads = pids.flatMap((pid) =>
    readdirSync(`/proc/${pid}/task`).map((id) => read(pid, `task/${id}/schedstat`)),
  );
  // The first field is the time on a processor, in nanoseconds.
  return sum(threads.map((stat) => Number(stat.split(' ', 1)[0]))) / 1_000;
}

/** Memory of processes, in MiB. Shared pages count in the resident set of each process, and once in `pssMiB`. */
export function memoryOf(pids: readonly number[]) {
  const sumOf = (file: string, field: string): number => {
    const pattern = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm');
    return sum(pids.map((pid) => Number(pattern.exec(read(pid, file))?.[1]))) / 1_024;
  };
  return {
    rssMiB: sumOf('status', 'VmRSS'),
    peakMiB: sumOf('status', 'VmHWM'),
    pssMiB: sumOf('smaps_rollup', 'Pss'),
  };
}

/** Returns a process and all that it started. */
export function treeOf(pid: number): number[] {
  const children = read(pid, `task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  return [pid, ...children.flatMap(treeOf)];
}

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);
