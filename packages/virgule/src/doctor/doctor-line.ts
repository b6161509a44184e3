/** Result of a check. */
export interface DoctorResult {
  /** Severity. `warn`: works, or may be intended. `fail`: some part will not work. */
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** Next step, in the imperative. */
  readonly hint?: string | undefined;
}

export interface DoctorLine extends DoctorResult {
  /** Subject of the check, such as `Node.js`. */
  readonly name: string;
}

const result = (status: DoctorResult['status']) => (message: string, hint?: string) =>
  ({ status, message, hint }) satisfies DoctorResult;

export const [ok, warn, fail] = [result('ok'), result('warn'), result('fail')];
