import type { CallOptions } from '../rest/rest-options.js';

/** How far a file is. */
export interface UploadProgress {
  /** Which file, counted from 0. */
  readonly index: number;
  readonly fileName: string;
  /** Bytes that were handed to the connection. It falls back to 0 when the file is sent again. */
  readonly sentBytes: number;
  readonly totalBytes: number;
}

/** Taken by calls that can carry files. */
export interface FileCallOptions extends CallOptions {
  /**
   * Time for the whole call, in milliseconds. @defaultValue `RestOptions.deadlineMs`, and ten times
   * that when it carries files
   */
  readonly deadlineMs?: number | undefined;
  /** Called with the progress of each file. What it throws is logged and has no effect. */
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
}
