import { problemsTitle } from '../state/problems.js';
import { useApp } from './app-context.js';

/** What screen readers are told: news politely and one at a time, problems at once. */
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
