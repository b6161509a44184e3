import type { SimInteraction } from '@virgule/core/simulator-api';
import { describeInteraction } from '../state/interaction-text.js';
import { useApp } from './app-context.js';
import { Dots } from './dots.js';
import { ExplainButton } from './explain-button.js';
import { Icon } from './icon.js';

/** Shows the state of an interaction without an answer. */
export function InteractionBody({ interaction }: { readonly interaction: SimInteraction }) {
  const { store } = useApp();
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
