import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

interface CheckProps {
  readonly label: string;
  /** What the check is of, for those who do not see where it is. */
  readonly of: string;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export function Check({ label, of, isOn, isDisabled = false, onChange }: CheckProps) {
  return (
    <label class="fault-name world-check">
      <input
        type="checkbox"
        checked={isOn}
        disabled={isDisabled}
        onChange={(event) => {
          // It shows what is so: the simulator may refuse the change.
          event.currentTarget.checked = isOn;
          onChange(!isOn);
        }}
      />
      {label}
      <span class="visually-hidden"> ({of})</span>
    </label>
  );
}

interface AddProps {
  readonly label: string;
  /** Text of the button. @defaultValue `Add` */
  readonly action?: string;
  readonly onAdd: (name: string) => void;
  readonly children?: ComponentChildren;
}

/** Shows a field and a button that adds something with that name. */
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
      <input
        class="task-payload"
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
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
  /** What it is about, for those who do not see where it is. */
  readonly of?: string;
  readonly onConfirm: () => void;
}

/** A button that acts at the second click: what it does cannot be undone. */
export function Confirm({ label, of = '', onConfirm }: ConfirmProps) {
  const isAsked = useSignal(false);
  return (
    <button
      type="button"
      class="text-button"
      onBlur={() => {
        isAsked.value = false;
      }}
      onClick={() => {
        if (isAsked.peek()) onConfirm();
        isAsked.value = !isAsked.peek();
      }}
    >
      {isAsked.value ? `Really ${label.toLowerCase()}` : label}
      {of !== '' && <span class="visually-hidden"> ({of})</span>}
    </button>
  );
}

/** Returns the list with an id, or without it. */
export function withId(ids: readonly string[], id: string, isIn: boolean): readonly string[] {
  const others = ids.filter((each) => each !== id);
  return isIn ? [...others, id] : others;
}
