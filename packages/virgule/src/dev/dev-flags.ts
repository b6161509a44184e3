/** The flags of `virgule dev`. */
export interface DevFlags {
  readonly port?: number;
  readonly host?: string;
  readonly mode?: string;
  readonly open?: boolean;
  readonly fresh?: boolean;
  /** A file of faults. */
  readonly faults?: string;
  /** The name of a profile. */
  readonly profile?: string;
  readonly once?: boolean;
  /** The port for a debugger. */
  readonly inspect?: number;
  readonly json?: boolean;
}
