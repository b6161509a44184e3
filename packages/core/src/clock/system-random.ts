/** A number from 0 up to, not including, 1: the default wherever randomness is an argument. */
export const systemRandom = (): number => Math.random();
