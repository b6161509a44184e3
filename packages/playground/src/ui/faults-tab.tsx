import { useSignal } from '@preact/signals';
import { countOf } from '@virgule/core/text';
import type { SimFaultPreset } from '@virgule/core/simulator-api';
import { inspector } from '../app/page.js';
import { Button, Item, TextButton } from './controls.js';
import { Form } from './form.js';

function Preset({ preset }: { readonly preset: SimFaultPreset }) {
  const { name, does, expected, rules } = preset;
  const active = inspector.faults.state.value?.rules ?? [];
  const hits = active
    .filter((rule) => rules.some((own) => own.name === rule.name))
    .reduce((sum, rule) => sum + rule.hits, 0);
  return (
    <Item
      name={name}
      tag={hits > 0 ? `hit ${countOf(hits, 'time')}` : undefined}
      note={
        <>
          {does}
          <br />
          Expected: {expected}
        </>
      }
    >
      <input
        type="checkbox"
        role="switch"
        aria-label={name}
        checked={inspector.faults.isOn(preset)}
        onChange={() => inspector.act(() => inspector.faults.toggle(preset))}
      />
    </Item>
  );
}

export const faultsNote = (): string => {
  const count = inspector.faults.count.value;
  return count === 0 ? '' : `${count} on`;
};

export function FaultsTab() {
  const { faults } = inspector;
  const isEdited = useSignal(false);
  const state = faults.state.value;
  if (state === null) return null;
  const { rules, presets } = state;
  const initial = JSON.stringify(faults.current(), null, 2);
  const own = rules.filter(
    ({ name }) => !presets.some((preset) => preset.rules.some((rule) => rule.name === name)),
  );
  return (
    <>
      <ul class="section items">
        {presets.map((preset) => (
          <Preset key={preset.name} preset={preset} />
        ))}
        {own.map(({ name, do: effect, hits }) => (
          <Item key={name} name={name} tag={`hit ${countOf(hits, 'time')}`} note={effect.type} />
        ))}
      </ul>
      <div class="flow">
        <Button onClick={() => inspector.send('drop')}>Drop the connection</Button>
        {rules.length > 0 && (
          <TextButton onClick={() => inspector.act(() => faults.clear())}>Turn all off</TextButton>
        )}
        <TextButton
          aria-pressed={isEdited.value}
          onClick={() => (isEdited.value = !isEdited.peek())}
        >
          Rules as JSON
        </TextButton>
      </div>
      {isEdited.value && (
        <Form
          fields={[{ name: 'rules', label: 'Rules as JSON', type: 'json', rows: 14, initial }]}
          submit="Apply"
          onSubmit={({ rules: text = '' }) =>
            inspector.act(async () => {
              await faults.apply(text);
              isEdited.value = false;
            })
          }
        />
      )}
    </>
  );
}
