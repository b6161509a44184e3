import { useSignal } from '@preact/signals';
import { isFailed } from '../state/interactions.js';
import type { RunAnswer } from '../app/runs.js';
import { inspector, runs, store } from '../app/page.js';
import { Icon, IconButton, TextButton } from './controls.js';

const STATES: Readonly<Record<RunAnswer['state'], string>> = {
  running: 'running…',
  failed: 'failed',
  first: 'runs again after each save',
  same: 'same answer',
  changed: 'the answer changed',
};

/** Shows the pin, and whether the answers changed with the last save. */
export function PinBar() {
  const saved = useSignal('');
  const pin = runs.pin.value;
  if (pin === null) return null;
  const { state, texts } = runs.answer.value;
  const { steps, done, before, interactionIds, channel } = pin;
  const first = steps.find((step) => step.type === 'say');
  const interactions = store.interactions.value;
  const failed = interactionIds.find((id) => isFailed(interactions.get(id)));
  const changedAt = texts.findIndex((text, index) => text !== before?.[index]);
  const at = Math.max(0, changedAt);
  return (
    <div class="pin-bar" role="status">
      <Icon name="pin" />
      <code class="pin-line">{first?.text ?? channel.name}</code>
      <span class={`pin-state ${state}`}>
        {steps.length > 1 && `${done} of ${steps.length} steps, `}
        {STATES[state]}
      </span>
      {state === 'changed' && (
        <span class="pin-change">
          <del>{before?.[at]}</del> <ins>{texts[at]}</ins>
        </span>
      )}
      <span class="spacer" />
      {state === 'failed' && failed !== undefined && (
        <TextButton onClick={() => inspector.explain(failed)}>What happened?</TextButton>
      )}
      <TextButton
        onClick={() =>
          inspector.act(async () => {
            saved.value = `Saved conversations/${await runs.save()}.txt`;
          })
        }
      >
        {saved.value || 'Save'}
      </TextButton>
      <IconButton icon="close" label="Unpin" onClick={() => (runs.pin.value = null)} />
    </div>
  );
}
