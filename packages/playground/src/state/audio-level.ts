/** What is shown as silence, in decibels below the loudest. */
const FLOOR_DB = 60;

/** Returns the loudness of samples from 0 to 100, as ears perceive it: 60 dB below the maximum is 0. */
export function levelOf(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  const decibels = 10 * Math.log10(sum / Math.max(1, samples.length));
  return Math.round(Math.min(100, Math.max(0, 100 * (1 + decibels / FLOOR_DB))));
}
