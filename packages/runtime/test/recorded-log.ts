import type { Log } from '@virgule/core/log';

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** A log that keeps its lines. */
export interface RecordedLog extends Log {
  readonly lines: readonly LogLine[];
  /** The messages of one level, oldest first. */
  at(level: LogLine['level']): string[];
}

export function createRecordedLog(keepsInfo = true): RecordedLog {
  const lines: LogLine[] = [];
  const record =
    (level: LogLine['level']) =>
    (details: object, message: string): void =>
      void lines.push({ level, message, details: { ...details } });
  return {
    lines,
    at: (level) => lines.filter((line) => line.level === level).map(({ message }) => message),
    debug: record('debug'),
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
    isLevelEnabled: (level) => keepsInfo || level === 'warn' || level === 'error',
  };
}
