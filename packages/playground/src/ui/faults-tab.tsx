import { countOf } from '@virgule/core/text';
import type { SimFaultPreset, SimFaultState } from '@virgule/core/simulator-api';
import { inspector } from '../app/page.js';
import { Button, JsonField, TextButton } from './controls.js';

function Preset({ preset }: { readonly preset: SimFaultPreset }) {
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

function Editor() {
  const { faults } = inspector;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        inspector.act(() => faults.apply());
      }}
    >
      <JsonField label="Rules as JSON" rows={14} text={faults.draft} />
      <div class="fault-buttons">
        <button type="submit" class="button">
          Apply
        </button>
        <TextButton onClick={() => (faults.draft.value = null)}>Cancel</TextButton>
      </div>
    </form>
  );
}

/** Switches faults of the platform on and off. */
export function FaultsTab() {
  const { faults } = inspector;
  const state = faults.state.value;
  const draft = faults.draft.value;
  if (state === null) return null;
  return (
    <>
      <div class="fault-buttons">
        <Button onClick={() => inspector.send('drop')}>Drop connection</Button>
        {state.rules.length > 0 && (
          <TextButton onClick={() => inspector.act(() => faults.clear())}>Turn all off</TextButton>
        )}
        {draft === null && <TextButton onClick={() => faults.edit()}>Edit rules</TextButton>}
      </div>
      {draft !== null && <Editor />}
      {state.rules.length > 0 && <ActiveRules rules={state.rules} />}
      <ul class="faults">
        {state.presets.map((preset) => (
          <Preset key={preset.name} preset={preset} />
        ))}
      </ul>
    </>
  );
}
