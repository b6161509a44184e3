/** The value below which this share of sorted values lies. */
export function percentile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** The middle of some values; with an even number of them, halfway between the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  const lower = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * How fast `y` grows with `x`: the median of the slopes between all pairs of points, which a few
 * outliers do not move (Theil and Sen). 0 for fewer than two points.
 */
export function slopeOf(points: readonly Point[]): number {
  const slopes: number[] = [];
  for (const [index, from] of points.entries()) {
    for (const to of points.slice(index + 1)) {
      if (to.x !== from.x) slopes.push((to.y - from.y) / (to.x - from.x));
    }
  }
  return slopes.length === 0 ? 0 : median(slopes);
}
