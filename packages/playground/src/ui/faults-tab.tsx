import { countOf } from '@virgule/core/text';
import type { SimFaultPreset, SimFaultState } from '@virgule/core/simulator-api';
import { useApp } from './app-context.js';

function Preset({ preset }: { readonly preset: SimFaultPreset }) {
  const { inspector } = useApp();
  const isOn = inspector.faults.isOn(preset);
  return (
    <li class="fault">
      <label class="fault-name">
        <input
          type="checkbox"
          checked={isOn}
          onChange={() => inspector.act(() => inspector.faults.toggle(preset))}
        />
        {preset.name}
      </label>
      <p class="fault-note">{preset.does}</p>
      <p class="fault-note">Expected: {preset.expected}</p>
    </li>
  );
}

function ActiveRules({ rules }: Pick<SimFaultState, 'rules'>) {
  return (
    <ul class="fault-rules" aria-label="Faults that are on">
      {rules.map(({ name, do: effect, hits }) => (
        <li key={name}>
          <span>
            <bdi>{name}</bdi> <code>{effect.type}</code>
          </span>
          <span class="fault-hits">{countOf(hits, 'time')}</span>
        </li>
      ))}
    </ul>
  );
}

function Editor({ draft }: { readonly draft: string }) {
  const { inspector } = useApp();
  const { faults } = inspector;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        inspector.act(() => faults.apply());
      }}
    >
      <label class="fault-draft">
        Rules as JSON
        <textarea
          rows={14}
          value={draft}
          spellcheck={false}
          onInput={(event) => {
            faults.draft.value = event.currentTarget.value;
          }}
        />
      </label>
      <div class="fault-buttons">
        <button type="submit" class="button">
          Apply
        </button>
        <button
          type="button"
          class="text-button"
          onClick={() => {
            faults.draft.value = null;
          }}
        >
          Cancel
        </button>
      </div>
    </form>
  );
}

/** Switches faults of the platform on and off. */
export function FaultsTab() {
  const { inspector } = useApp();
  const { faults } = inspector;
  const state = faults.state.value;
  const draft = faults.draft.value;
  if (state === null) return null;
  return (
    <>
      <div class="fault-buttons">
        <button type="button" class="button" onClick={() => inspector.send('drop')}>
          Drop connection
        </button>
        {state.rules.length > 0 && (
          <button
            type="button"
            class="text-button"
            onClick={() => inspector.act(() => faults.clear())}
          >
            Turn all off
          </button>
        )}
        {draft === null && (
          <button type="button" class="text-button" onClick={() => faults.edit()}>
            Edit rules
          </button>
        )}
      </div>
      {draft !== null && <Editor draft={draft} />}
      {state.rules.length > 0 && <ActiveRules rules={state.rules} />}
      <ul class="faults">
        {state.presets.map((preset) => (
          <Preset key={preset.name} preset={preset} />
        ))}
      </ul>
    </>
  );
}
