import type { ContextClock } from 'virgule';

export interface Storyteller {
  /** A story about `topic`, a few words at a time, as a language model would give it. */
  tell(topic: string): AsyncGenerator<string>;
}

const sentences = (topic: string): readonly string[] => [
  `Once upon a time there was ${topic}.`,
  `Nobody in the village had seen ${topic} laugh, and so a child went to ask why.`,
  'They talked until the lamps were lit.',
  'What was said is not known, but the laughter was heard as far as the mill.',
];

/** Stands in for a language model; put your own client behind the same function. */
export function createStoryteller(clock: Pick<ContextClock, 'sleep'>): Storyteller {
  return {
    async *tell(topic) {
      for (const word of sentences(topic).join(' ').split(' ')) {
        await clock.sleep('80ms');
        yield `${word} `;
      }
    },
  };
}
