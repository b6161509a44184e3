/** A request to a measured process. */
interface Request {
  readonly id: number;
  readonly name: string;
  readonly input: unknown;
}

export type Reply =
  | { readonly id: number; readonly output: unknown }
  | { readonly id: number; readonly error: string };

export type Answerers = Readonly<Record<string, (input: never) => unknown>>;

/** Handles the requests of the parent process, and exits with it. */
export function answerParent(answerers: Answerers): void {
  const send = (reply: Reply): void => void process.send?.(reply);
  process.on('message', ({ id, name, input }: Request) => {
    // The two files that use a name agree on its input.
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
