import { useApp } from './app-context.js';
import { useTabIndex } from './tab-stop.js';

/** Opens the trace of an interaction or message that did not go well. */
export function ExplainButton({ group }: { readonly group: string }) {
  const { inspector } = useApp();
  const tabIndex = useTabIndex();
  return (
    <button
      type="button"
      class="explain"
      tabIndex={tabIndex}
      onClick={() => inspector.explain(group)}
    >
      What happened?
    </button>
  );
}
