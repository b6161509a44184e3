import { useSignal, type Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { ValueSuggestion } from '../slash/option-values.js';

/** Values of a form, by field; a field that was never changed has none. */
export type FormValues = Readonly<Record<string, string>>;

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly note?: string;
  /** @defaultValue empty */
  readonly initial?: string;
  readonly isOptional?: boolean;
  /** Labels of the values of a list; other fields take text. */
  readonly choices?: Readonly<Record<string, string>>;
  readonly suggestions?: readonly ValueSuggestion[];
  /** Number of lines of a field for JSON. */
  readonly rows?: number;
  readonly placeholder?: string;
  readonly isNumber?: boolean;
  /** Called instead of changing the value. */
  readonly onChoose?: (value: string) => void;
}

interface ControlProps {
  readonly field: FormField;
  readonly values: Signal<FormValues>;
  readonly label?: string;
}

const valueOf = ({ name, initial = '' }: FormField, values: FormValues) => values[name] ?? initial;

function Control({ field, values, label }: ControlProps) {
  const { name, isOptional = false, choices, suggestions = [], rows } = field;
  const listId = useId();
  const change = (value: string) =>
    field.onChoose ? field.onChoose(value) : (values.value = { ...values.peek(), [name]: value });
  const value = valueOf(field, values.value);
  if (choices)
    return (
      <select
        value={value}
        aria-label={label}
        onChange={(event) => change(event.currentTarget.value)}
      >
        {Object.entries(choices).map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    );
  const onInput = (event: { readonly currentTarget: { readonly value: string } }) =>
    change(event.currentTarget.value);
  if (rows !== undefined)
    return <textarea rows={rows} value={value} spellcheck={false} onInput={onInput} />;
  return (
    <>
      <input
        value={value}
        aria-label={label}
        placeholder={label ?? field.placeholder}
        inputMode={field.isNumber ? 'decimal' : 'text'}
        required={!isOptional}
        spellcheck={false}
        autocomplete="off"
        list={suggestions.length === 0 ? undefined : listId}
        onInput={onInput}
      />
      {suggestions.length > 0 && (
        <datalist id={listId}>
          {suggestions.map(({ insert, detail }) => (
            <option key={insert} value={insert} label={detail} />
          ))}
        </datalist>
      )}
    </>
  );
}

interface FormProps {
  readonly fields: readonly FormField[];
  /** @defaultValue values of the form alone */
  readonly values?: Signal<FormValues>;
  readonly submit: string;
  /** End of the name of the button, for users who do not see its position. */
  readonly of?: string;
  /** Shows the fields and the button in one row, and clears the fields after the action. */
  readonly isRow?: boolean;
  readonly onSubmit: (values: FormValues) => void;
  readonly before?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** Shows fields and the button of their action. */
export function Form(props: FormProps) {
  const { fields, submit, of = '', isRow = false, onSubmit, before, children } = props;
  const own = useSignal<FormValues>({});
  const values = props.values ?? own;
  return (
    <form
      class={isRow ? 'form-row' : 'form'}
      onSubmit={(event) => {
        event.preventDefault();
        const typed = fields.map((field) => [field.name, valueOf(field, values.peek()).trim()]);
        onSubmit(Object.fromEntries(typed));
        if (isRow) values.value = {};
      }}
    >
      {fields.map((field) =>
        isRow ? (
          <Control key={field.name} field={field} values={values} label={field.label} />
        ) : (
          <label key={field.name} class="field">
            <span>
              {field.label}
              {field.isOptional && <span class="note"> optional</span>}
            </span>
            <Control field={field} values={values} />
            {field.note && <span class="note">{field.note}</span>}
          </label>
        ),
      )}
      <div class="form-end">
        {before}
        <button type="submit" class="button" aria-label={submit + of}>
          {submit}
        </button>
        {children}
      </div>
    </form>
  );
}
