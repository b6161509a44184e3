// A model for development and tests: it needs no key and no network, and answers word by word as a real one does.
import { MockLanguageModelV4 } from 'ai/test';
import type { ContextClock } from 'virgule';

type Prompt = Parameters<MockLanguageModelV4['doStream']>[0]['prompt'];
type Answer = Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'];
type Part = Answer extends ReadableStream<infer Type> ? Type : never;

/** A piece of an answer: text, or a call of a tool. */
type Piece = string | { readonly tool: string; readonly input: object };
/** Answers the last line that a user wrote. `result` is the result of the tools that the answer has called before. */
export type Think = (said: string, result?: string) => Iterable<Piece> | AsyncIterable<Piece>;

/** Understands "remember …", "forget …" and "what do you know", and repeats everything else. */
function* think(said: string, result?: string): Iterable<Piece> {
  const [, tool = '', fact] = /\b(remember|forget) (?:that )?(.+)/i.exec(said) ?? [];
  if (result !== undefined) yield* result.split(/(?<= )/);
  else if (fact !== undefined) yield { tool: tool.toLowerCase(), input: { fact } };
  else if (/what do you know/i.test(said)) yield { tool: 'facts', input: {} };
  else yield* `You said: ${said}`.split(/(?<= )/);
}

export function createMockModel(clock: Pick<ContextClock, 'sleep'>, answer: Think = think) {
  return new MockLanguageModelV4({
    doStream: async ({ prompt }) => {
      const said = lastText(prompt, 'user')
        ?.split('\n')
        .at(-1)
        ?.replace(/^.*<@\S+> */, '');
      const pieces = answer(said ?? '', lastText(prompt.slice(-1), 'tool'));
      return { stream: ReadableStream.from(partsOf(pieces, clock)) };
    },
  });
}

/** Returns the text of the last message of a user, or of the results of tools. */
function lastText(prompt: Prompt, role: 'user' | 'tool'): string | undefined {
  const content = prompt.findLast((message) => message.role === role)?.content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.map((part) => {
    if (part.type === 'text') return part.text;
    if (part.type !== 'tool-result') return '';
    // The result of a command: its answer, or the reason of a refusal. A tool that does not exist has an error.
    if (part.output.type === 'json') return Object.values(part.output.value ?? {}).join(' ');
    return part.output.type === 'error-text' ? part.output.value : '';
  });
  return texts.join('\n');
}

async function* partsOf(
  pieces: ReturnType<Think>,
  clock: Pick<ContextClock, 'sleep'>,
): AsyncGenerator<Part> {
  let calls = 0;
  yield { type: 'stream-start', warnings: [] };
  yield { type: 'text-start', id: 'text' };
  for await (const piece of pieces) {
    await clock.sleep('50ms');
    if (typeof piece === 'string') yield { type: 'text-delta', id: 'text', delta: piece };
    else {
      const input = JSON.stringify(piece.input);
      calls += 1;
      yield { type: 'tool-call', toolCallId: String(calls), toolName: piece.tool, input };
    }
  }
  yield { type: 'text-end', id: 'text' };
  yield {
    type: 'finish',
    finishReason: { unified: calls > 0 ? 'tool-calls' : 'stop', raw: undefined },
    usage: {
      inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 0, text: 0, reasoning: 0 },
    },
  };
}
