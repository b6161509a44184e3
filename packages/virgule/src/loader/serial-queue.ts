/** Creates a function that runs tasks one after the other, in call order. A failed task does not stop the next one. */
export function createSerialQueue() {
  let tail: Promise<unknown> = Promise.resolve();
  return <Result>(task: () => Promise<Result>): Promise<Result> => {
    const result = tail.then(task);
    tail = result.catch(() => undefined);
    return result;
  };
}
