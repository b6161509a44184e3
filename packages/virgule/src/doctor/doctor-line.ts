/** What a look at one thing came to. */
export interface DoctorLine {
  /** What was looked at, such as `Node.js`. */
  readonly name: string;
  /** `warn`: it works, or may be meant so. `fail`: something will not work. */
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string | undefined;
}
