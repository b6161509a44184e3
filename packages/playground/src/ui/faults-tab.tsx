import { useSignal } from '@preact/signals';
import { countOf } from '@virgule/core/text';
import type { SimFaultPreset, SimFaultState } from '@virgule/core/simulator-api';
import { inspector } from '../app/page.js';
import { readJson } from '../net/request-error.js';
import { Button, Item, TextButton } from './controls.js';
import { Form } from './form.js';

/** Returns the current seed and rules, without their counts. */
const withoutCounts = ({ seed, rules }: SimFaultState) => ({
  seed,
  rules: rules.map(({ hits: _hits, ...rule }) => rule),
});

interface PresetProps {
  readonly preset: SimFaultPreset;
  readonly state: SimFaultState;
}

function Preset({ preset: { name, does, expected, rules: own }, state }: PresetProps) {
  const isOwn = (rule: { readonly name: string }) => own.some((each) => each.name === rule.name);
  const active = state.rules.filter(isOwn);
  const isOn = active.length >= own.length;
  const hits = active.reduce((sum, rule) => sum + rule.hits, 0);
  const toggle = () => {
    const { seed, rules } = withoutCounts(state);
    const others = rules.filter((rule) => !isOwn(rule));
    inspector.send('faults', { seed, rules: isOn ? others : [...others, ...own] });
  };
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
      <input type="checkbox" role="switch" aria-label={name} checked={isOn} onChange={toggle} />
    </Item>
  );
}

export function FaultsTab() {
  const isEdited = useSignal(false);
  const state = inspector.shown.value.faults;
  if (state === undefined) return null;
  const { rules, presets } = state;
  const initial = JSON.stringify(withoutCounts(state), null, 2);
  const own = rules.filter(
    ({ name }) => !presets.some((preset) => preset.rules.some((rule) => rule.name === name)),
  );
  return (
    <>
      <ul class="section items">
        {presets.map((preset) => (
          <Preset key={preset.name} preset={preset} state={state} />
        ))}
        {own.map(({ name, do: effect, hits }) => (
          <Item key={name} name={name} tag={`hit ${countOf(hits, 'time')}`} note={effect.type} />
        ))}
      </ul>
      <div class="flow">
        <Button onClick={() => inspector.send('drop')}>Drop the connection</Button>
        {rules.length > 0 && (
          <TextButton onClick={() => inspector.send('faults', { rules: [] })}>
            Turn all off
          </TextButton>
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
            // The simulator checks the form of the rules.
            inspector.send('faults', () => readJson(text, 'The rules are not JSON.') as object)
          }
        />
      )}
    </>
  );
}
