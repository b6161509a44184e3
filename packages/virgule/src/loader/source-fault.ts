import type { TransformFailure } from 'esbuild';

/** Fault in a text that esbuild rejected. */
export interface SourceFault {
  readonly reason: string;
  /** Line of the fault, counted from 1, as is `column`. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** Returns the first fault in an error of esbuild; `undefined` for any other error. */
export function faultOf(error: unknown): SourceFault | undefined {
  const [first] = (error as Partial<TransformFailure> | null)?.errors ?? [];
  if (!first?.location) return first && { reason: first.text };
  const { line, column, lineText } = first.location;
  // esbuild counts columns in bytes from 0.
  const before = Buffer.from(lineText).subarray(0, column).toString();
  return { reason: first.text, line, column: before.length + 1 };
}

/** Returns the fault that a call of esbuild throws. */
export function faultIn(call: () => unknown): SourceFault | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    return faultOf(error);
  }
}
