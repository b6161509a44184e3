/** Returns a number of at least 0 and below 1: the default wherever randomness is an argument. */
export const systemRandom = (): number => Math.random();
