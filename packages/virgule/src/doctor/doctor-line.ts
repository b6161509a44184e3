export interface DoctorLine {
  /** Subject of the check, such as `Node.js`. */
  readonly name: string;
  /** Severity. `warn`: works, or may be intended. `fail`: some part will not work. */
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** Next step, in the imperative. */
  readonly hint?: string | undefined;
}

export function resultsOf(name: string) {
  return {
    ok: (message: string): DoctorLine => ({ name, status: 'ok', message }),
    warn: (message: string, hint?: string): DoctorLine => ({ name, status: 'warn', message, hint }),
    fail: (message: string, hint?: string): DoctorLine => ({ name, status: 'fail', message, hint }),
  };
}
