import type { SimInteraction } from '@virgule/core/simulator-api';
import { botName } from '../state/bots.js';
import { describeInteraction } from '../state/interaction-text.js';
import { useApp } from './app-context.js';
import { Dots } from './dots.js';
import { ExplainButton } from './explain-button.js';
import { Icon } from './icon.js';

/** Shows the state of an interaction without an answer. */
export function InteractionBody({ interaction }: { readonly interaction: SimInteraction }) {
  const { store } = useApp();
  const { bots, profile } = store.world.value;
  const { botUserId } = interaction;
  const { tone, text, detail } = describeInteraction({
    interaction,
    botName: botName(store.world.value, botUserId),
    isBotConnected: bots.some((bot) => bot.botUserId === botUserId && bot.connected),
    profile,
    nowMs: store.nowMs.value,
  });
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
