import type { ContextClock } from 'virgule';

export interface Storyteller {
  /** Writes a story about `topic` and yields it in pieces, like a language model. */
  write(topic: string): AsyncGenerator<string>;
}

const sentences = (topic: string): readonly string[] => [
  `Once upon a time there was ${topic}.`,
  `No one in the village had seen ${topic} laugh, and so a child went to ask why.`,
  'They talked until the lamps were lit.',
  'No one knows what they said, but the laughter carried as far as the mill.',
];

/** Simulates a language model. To use a real one, call its client in the same function. */
export function createStoryteller(clock: Pick<ContextClock, 'sleep'>): Storyteller {
  return {
    async *write(topic) {
      for (const word of sentences(topic).join(' ').split(' ')) {
        await clock.sleep('80ms');
        yield `${word} `;
      }
    },
  };
}
