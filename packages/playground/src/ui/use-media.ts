import { useLayoutEffect, useState } from 'preact/hooks';

/** Matches a window with one column. */
export const NARROW = '(max-width: 719px)';

/** Returns whether the window matches a media query. */
export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => window.matchMedia(query).matches);
  useLayoutEffect(() => {
    const list = window.matchMedia(query);
    const onChange = () => setMatches(list.matches);
    list.addEventListener('change', onChange);
    return () => list.removeEventListener('change', onChange);
  }, [query]);
  return matches;
}
