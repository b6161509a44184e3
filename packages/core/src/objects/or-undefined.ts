/** Returns the result of a function; `undefined` if it throws. */
export function orUndefined<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
