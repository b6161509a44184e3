/** Error of a loader, as plain data. */
export async function failureOf(promise: Promise<unknown>): Promise<Record<string, unknown>> {
  const error: unknown = await promise.then(
    () => Promise.reject(new Error('nothing was thrown')),
    (reason: unknown) => reason,
  );
  const { code, message, hint, location, details, cause } = error as Record<string, unknown>;
  return { code, message, hint, location, frame: (details as { frame: string }).frame, cause };
}
