/** The result of one check. */
export interface DoctorLine {
  /** What was checked, such as `Node.js`. */
  readonly name: string;
  /** `warn`: it works, or may be meant so. `fail`: something will not work. */
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** The next step, in the imperative. */
  readonly hint?: string | undefined;
}
