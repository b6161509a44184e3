/** Runs tasks one after the other, in call order. A failed task does not stop the next one. */
export type SerialQueue = <Result>(task: () => Promise<Result>) => Promise<Result>;

export function createSerialQueue(): SerialQueue {
  let tail: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = tail.then(task);
    tail = result.catch(() => undefined);
    return result;
  };
}
