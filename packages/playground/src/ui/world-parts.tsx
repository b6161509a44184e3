import { inspector } from '../app/page.js';
import type { FormField } from '../state/form-fields.js';
import { CopyButton } from './copy-button.js';
import { Confirm, Item } from './controls.js';
import { Form } from './form.js';

/** A change of the world: an action of the control API with its input. */
type Change = readonly [action: string, input: object];

interface CheckRow {
  readonly label: string;
  readonly isOn: boolean;
  readonly change: Change;
  /** Names the item of the check for screen readers. @defaultValue `of` of the item */
  readonly of?: string;
}

export interface ItemRow {
  readonly id: string;
  readonly name: string;
  readonly note?: string;
  /** Names the item of a control for screen readers. */
  readonly of: string;
  readonly checks: readonly CheckRow[];
  /** Texts to copy in addition to the id, by the label of their button. */
  readonly copies?: Readonly<Record<string, string>>;
  /** The action that deletes the item. */
  readonly removedBy?: string;
}

/** Deletes an item of the world, which the user can undo for some time. */
export const remove = (of: string, name: string, id: string) =>
  inspector.remove({ what: `Delete ${of}`, name, input: { id, remove: true } });

/** Returns a check for the membership of an id in a list, which is the property `key` of an item. */
export function listed(
  label: string,
  id: string,
  ids: readonly string[],
  [action, itemId, key]: readonly [action: string, itemId: string, key: string],
): CheckRow {
  const isOn = ids.includes(id);
  const changed = isOn ? ids.filter((each) => each !== id) : [...ids, id];
  return { label, isOn, change: [action, { id: itemId, [key]: changed }] };
}

function Check({ label, of, isOn, change }: CheckRow) {
  return (
    <label class="flow">
      <input
        type="checkbox"
        checked={isOn}
        onChange={(event) => {
          // The box shows the current state, because the simulator may refuse the change.
          event.currentTarget.checked = isOn;
          inspector.send(...change);
        }}
      />
      {label}
      <span class="visually-hidden"> ({of})</span>
    </label>
  );
}

export function Items({ rows }: { readonly rows: readonly ItemRow[] }) {
  return (
    <ul class="items">
      {rows.map(({ id, name, note, of, checks, copies = {}, removedBy }) => (
        <Item key={id} name={name} note={note}>
          {checks.map((check) => (
            <Check key={check.label} of={of} {...check} />
          ))}
          {Object.entries({ 'Copy id': id, ...copies }).map(([label, text]) => (
            <CopyButton key={label} label={label} name={`of ${of}`} text={() => text} />
          ))}
          {removedBy !== undefined && (
            <Confirm
              label="Delete"
              icon="trash"
              of={of}
              onConfirm={() => remove(of, removedBy, id)}
            />
          )}
        </Item>
      ))}
    </ul>
  );
}

interface AddProps {
  readonly label: string;
  /** Text of the button. @defaultValue `Add` */
  readonly submit?: string;
  /** Key of the name in the input. @defaultValue `name` */
  readonly field?: string;
  readonly others?: readonly FormField[];
  /** The action that adds an item with the values of the fields. */
  readonly change: Change;
}

/** Shows a field and a button that adds an item with the name in the field. */
export function Add(props: AddProps) {
  const { label, submit = 'Add', field = 'name', others = [], change } = props;
  const [action, input] = change;
  return (
    <Form
      isRow
      fields={[{ name: field, label }, ...others]}
      submit={submit}
      name={`${submit}: ${label}`}
      onSubmit={(values) => inspector.send(action, { ...input, ...values })}
    />
  );
}
