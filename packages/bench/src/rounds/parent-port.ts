/** What a measured process and the one that measures it say to each other. */
interface Question {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}

export type Reply =
  | { readonly id: number; readonly output: unknown }
  | { readonly id: number; readonly error: string };

export type Answerers = Readonly<Record<string, (input: never) => unknown>>;

/** Answers the questions of the parent process, and ends with it. */
export function answerParent(answerers: Answerers): void {
  const send = (reply: Reply): void => void process.send?.(reply);
  process.on('message', ({ id, name, input }: Question) => {
    // What each name takes is agreed between the two files that use it.
    const answerer = answerers[name] as ((input: unknown) => unknown) | undefined;
    Promise.resolve()
      .then(() => answerer?.(input))
      .then(
        (output) => send({ id, output }),
        (error: unknown) => send({ id, error: String(error) }),
      );
  });
  process.on('disconnect', () => process.exit());
}
