import { countOf } from '@virgule/core/text';
import type { SimFaultPreset, SimFaultState } from '@virgule/core/simulator-api';
import { inspector } from '../app/page.js';
import { Button, TextButton } from './controls.js';
import { Form } from './form.js';

function Preset({ preset }: { readonly preset: SimFaultPreset }) {
  const isOn = inspector.faults.isOn(preset);
  return (
    <li class="fault">
      <label class="check">
        <input
          type="checkbox"
          checked={isOn}
          onChange={() => inspector.act(() => inspector.faults.toggle(preset))}
        />
        {preset.name}
      </label>
      <p class="note">{preset.does}</p>
      <p class="note">Expected: {preset.expected}</p>
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
          <span class="note">{countOf(hits, 'time')}</span>
        </li>
      ))}
    </ul>
  );
}

export function FaultsTab() {
  const { faults } = inspector;
  const state = faults.state.value;
  const isEdited = faults.isEdited.value;
  if (state === null) return null;
  return (
    <>
      <div class="buttons">
        <Button onClick={() => inspector.send('drop')}>Drop connection</Button>
        {state.rules.length > 0 && (
          <TextButton onClick={() => inspector.act(() => faults.clear())}>Turn all off</TextButton>
        )}
        {!isEdited && (
          <TextButton onClick={() => (faults.isEdited.value = true)}>Edit rules</TextButton>
        )}
      </div>
      {isEdited && (
        <Form
          fields={[
            {
              name: 'rules',
              label: 'Rules as JSON',
              rows: 14,
              initial: JSON.stringify(faults.current(), null, 2),
            },
          ]}
          submit="Apply"
          onSubmit={({ rules = '' }) => inspector.act(() => faults.apply(rules))}
        >
          <TextButton onClick={() => (faults.isEdited.value = false)}>Cancel</TextButton>
        </Form>
      )}
      {state.rules.length > 0 && <ActiveRules rules={state.rules} />}
      <ul class="faults">
        {state.presets.map((preset) => (
          <Preset key={preset.name} preset={preset} />
        ))}
      </ul>
    </>
  );
}
