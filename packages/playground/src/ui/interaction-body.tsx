import type { SimInteraction } from '@virgule/core/simulator-api';
import { describeInteraction } from '../state/interaction-text.js';
import { inspector, store } from '../app/page.js';
import { Dots, Icon } from './controls.js';
import { useTabIndex } from './tab-stop.js';

/** Shows a button that opens the trace of a failed interaction or message. */
export function ExplainButton({ group }: { readonly group: string }) {
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

/** Shows the state of an interaction without an answer. */
export function InteractionBody({ interaction }: { readonly interaction: SimInteraction }) {
  const { tone, text, detail } = describeInteraction(
    interaction,
    store.world.value,
    store.nowMs.value,
  );
  return (
    <p class={`interaction interaction-${tone}`}>
      <span class="interaction-text">
        {tone === 'error' && <Icon name="alert" />}
        {text}
        {tone === 'thinking' && <Dots />}
      </span>
      {detail !== '' && <span class="interaction-detail">{detail}</span>}
      {tone === 'error' && <ExplainButton group={interaction.id} />}
    </p>
  );
}
