import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { inspector } from '../app/page.js';
import { TextButton, TextInput } from './controls.js';

interface ItemProps {
  readonly name: string;
  readonly note?: string;
  readonly children: ComponentChildren;
}

/** Shows an item of the world with its controls. */
export function Item({ name, note, children }: ItemProps) {
  return (
    <li class="fault">
      <strong>
        <bdi>{name}</bdi>
      </strong>{' '}
      {note !== undefined && <span class="fault-note">{note}</span>}
      <div class="world-checks">{children}</div>
    </li>
  );
}

interface CheckProps {
  readonly label: string;
  /** Name of the item, for users who do not see the position of the check. */
  readonly of: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export function Check({ label, of, isOn, onChange }: CheckProps) {
  return (
    <label class="fault-name world-check">
      <input
        type="checkbox"
        checked={isOn}
        onChange={(event) => {
          // The box shows the current state, because the simulator may refuse the change.
          event.currentTarget.checked = isOn;
          onChange(!isOn);
        }}
      />
      {label}
      <span class="visually-hidden"> ({of})</span>
    </label>
  );
}

interface ListedProps extends Omit<CheckProps, 'isOn' | 'onChange'> {
  readonly id: string;
  readonly ids: readonly string[];
  /** @defaultValue whether `ids` has the id */
  readonly isOn?: boolean;
  readonly onChange: (ids: readonly string[]) => void;
}

/** Shows a check for the membership of an id in a list. */
export function Listed({ id, ids, isOn = ids.includes(id), onChange, ...props }: ListedProps) {
  const others = ids.filter((each) => each !== id);
  return (
    <Check {...props} isOn={isOn} onChange={(isIn) => onChange(isIn ? [...others, id] : others)} />
  );
}

interface AddProps {
  readonly label: string;
  /** Text of the button. @defaultValue `Add` */
  readonly action?: string;
  readonly onAdd: (name: string) => void;
  readonly children?: ComponentChildren;
}

/** Shows a field and a button that adds an item with the name in the field. */
export function Add({ label, action = 'Add', onAdd, children }: AddProps) {
  const text = useSignal('');
  return (
    <form
      class="task-run"
      onSubmit={(event) => {
        event.preventDefault();
        const name = text.peek().trim();
        if (name === '') return;
        onAdd(name);
        text.value = '';
      }}
    >
      <TextInput
        class="task-payload"
        text={text}
        aria-label={label}
        placeholder={label}
        autocomplete="off"
        required
      />
      {children}
      <button type="submit" class="button" aria-label={`${action}: ${label}`}>
        {action}
      </button>
    </form>
  );
}

interface ConfirmProps {
  readonly label: string;
  /** Name of the item, for users who do not see the position of the button. */
  readonly of?: string;
  readonly onConfirm: () => void;
}

/** A button that acts at the second click, for actions that cannot be undone. */
export function Confirm({ label, of = '', onConfirm }: ConfirmProps) {
  const isAsked = useSignal(false);
  return (
    <TextButton
      onBlur={() => (isAsked.value = false)}
      onClick={() => {
        if (isAsked.peek()) onConfirm();
        isAsked.value = !isAsked.peek();
      }}
    >
      {isAsked.value ? `Really ${label.toLowerCase()}` : label}
      {of !== '' && <span class="visually-hidden"> ({of})</span>}
    </TextButton>
  );
}

interface DeleteProps {
  /** Name of the action of the control API. */
  readonly kind: 'bot' | 'channel' | 'role' | 'server' | 'user';
  readonly id: string;
  /** @defaultValue `Delete` */
  readonly label?: string;
  readonly of: string;
}

/** A button that deletes an item of the world at the second click. */
export function Delete({ kind, id, label = 'Delete', of }: DeleteProps) {
  const remove = () => inspector.send(kind, { id, remove: true });
  return <Confirm label={label} of={of} onConfirm={remove} />;
}
