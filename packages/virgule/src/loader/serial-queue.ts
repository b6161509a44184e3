/** Runs tasks one after the other, in the order they were given. A failed task does not stop the next. */
export type SerialQueue = <Result>(task: () => Promise<Result>) => Promise<Result>;

export function createSerialQueue(): SerialQueue {
  let tail: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = tail.then(task);
    tail = result.catch(() => undefined);
    return result;
  };
}
