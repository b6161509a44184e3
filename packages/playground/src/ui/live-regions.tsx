import { problemsTitle } from '../state/problems.js';
import { useApp } from './app-context.js';

/** Announces to screen readers: news politely, problems assertively. */
export function LiveRegions() {
  const { store } = useApp();
  const { problems } = store.world.value;
  const [first] = problems;
  return (
    <>
      <div class="visually-hidden" role="status" aria-label="News">
        {store.spoken.value}
      </div>
      <div class="visually-hidden" role="alert">
        {first === undefined ? '' : `${problemsTitle(problems)}: ${first.message}`}
      </div>
    </>
  );
}
