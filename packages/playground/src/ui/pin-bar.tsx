import type { RunAnswer } from '../state/run-answer.js';
import { useApp } from './app-context.js';
import { Icon } from './icon.js';

const STATES: Readonly<Record<RunAnswer['state'], string>> = {
  running: 'running…',
  failed: 'failed',
  first: 'runs again after each save',
  same: 'same answer',
  changed: 'the answer changed',
};

/** Shows the pinned command, and whether its answer changed with the last save. */
export function PinBar() {
  const { runs, inspector } = useApp();
  const pin = runs.pin.value;
  if (pin === null) return null;
  const { state, text } = runs.answer.value;
  const { interactionId, before } = pin;
  return (
    <div class={`pin-bar pin-${state}`} role="status">
      <Icon name="pin" />
      <code class="pin-line">{pin.rawInput}</code>
      <span class="pin-state">{STATES[state]}</span>
      {state === 'changed' && (
        <span class="pin-change">
          <del>{before}</del> <ins>{text}</ins>
        </span>
      )}
      <span class="spacer" />
      {state === 'failed' && interactionId !== null && (
        <button type="button" class="text-button" onClick={() => inspector.explain(interactionId)}>
          What happened?
        </button>
      )}
      <button type="button" class="icon-button" aria-label="Unpin" onClick={() => runs.unpin()}>
        <Icon name="close" />
      </button>
    </div>
  );
}
