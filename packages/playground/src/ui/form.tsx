import { useSignal, type Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { upload } from '../app/composer-files.js';
import { api, inspector, store } from '../app/page.js';
import {
  givenValues,
  textOf,
  typeText,
  type FormField,
  type FormValues,
} from '../state/form-fields.js';
import { Avatar } from './avatar.js';
import { Icon } from './controls.js';

/** Maximum number of choices side by side. */
const MAX_SEGMENTS = 4;

interface ControlProps {
  readonly id: string;
  readonly field: FormField;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Name of a control without a visible label. */
  readonly label?: string | undefined;
}

/** Shows the avatar or icon of a chosen name. */
function Mark({ field: { type }, value }: ControlProps) {
  if (type === 'channel') return <Icon name="hash" />;
  const user = store.world.value.users.find(
    ({ id, username }) => id === value || `@${username}` === value,
  );
  return user ? <Avatar id={user.id} name={user.displayName} size="small" /> : null;
}

function Control(props: ControlProps) {
  const { id, field, value, onChange, label } = props;
  const { type = 'string', names, isOptional = false, rows = 2, maxLength, only } = field;
  const shared = {
    id,
    value,
    required: !isOptional,
    'aria-label': label,
    onInput: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange(event.currentTarget.value),
  };
  const choices = names ?? Object.fromEntries((field.enum ?? []).map((each) => [each, each]));
  const hasNone = isOptional && field.default === undefined;
  const all = Object.entries<string>({ ...(hasNone && { '': 'none' }), ...choices });
  if (field.enum && field.enum.length <= MAX_SEGMENTS)
    return (
      <span class="segments">
        {all.map(([choice, text]) => (
          <label key={choice}>
            <input
              {...shared}
              id={undefined}
              class="visually-hidden"
              type="radio"
              name={id}
              value={choice}
              checked={choice === value}
            />
            {text}
          </label>
        ))}
      </span>
    );
  if (names ?? field.enum)
    return (
      <span class="field">
        <Mark {...props} />
        <select {...shared}>
          {!all.some(([choice]) => choice === value) && (
            <option value={value}>{value || 'Choose'}</option>
          )}
          {all.map(([choice, text]) => (
            <option key={choice} value={choice}>
              {text}
            </option>
          ))}
        </select>
        <Icon name="down" />
      </span>
    );
  if (['json', 'object', 'array'].includes(type))
    return <textarea {...shared} rows={rows} spellcheck={false} />;
  if (type === 'attachment') {
    const choose = async ([source]: FileList) =>
      onChange(source ? (await upload(api, { name: source.name, source })).url : '');
    return (
      <input
        id={id}
        type="file"
        onChange={({ currentTarget: { files } }) => files && inspector.act(() => choose(files))}
      />
    );
  }
  const { minimum: min, maximum } = field;
  const isNumber = type === 'integer' || type === 'number';
  const pattern = only?.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return (
    <span class="field">
      <input
        {...shared}
        {...(isNumber
          ? { type: 'number', step: type === 'integer' ? 1 : 'any', min, max: maximum }
          : { type: type === 'time' ? 'datetime-local' : 'text', list: undefined, pattern })}
        placeholder={label}
        spellcheck={false}
        autocomplete="off"
      />
      {maxLength !== undefined && <span class="note">{`${value.length}/${maxLength}`}</span>}
    </span>
  );
}

/** Shows a control with its label and the type of its values. */
function Labeled(props: ControlProps) {
  const { id, field, value, onChange } = props;
  const { name, label = name, type, description } = field;
  const isSwitch = type === 'boolean';
  return (
    <div class={isSwitch || type === 'json' ? 'form-field wide' : 'form-field'}>
      <label for={id} class="flow">
        {isSwitch && (
          <input
            id={id}
            type="checkbox"
            role="switch"
            checked={value === 'yes'}
            onChange={(event) => onChange(event.currentTarget.checked ? 'yes' : 'no')}
          />
        )}
        <strong>{label}</strong>
        {!isSwitch && <span class="spacer" />}
        <code class="note">{typeText(field)}</code>
      </label>
      {!isSwitch && <Control {...props} />}
      {description && <span class="note">{description}</span>}
    </div>
  );
}

interface FormProps {
  readonly fields: readonly FormField[];
  /** @defaultValue values of the form alone */
  readonly values?: Signal<FormValues>;
  readonly submit: ComponentChildren;
  /** Name of the button. @defaultValue its text */
  readonly name?: string;
  /** Shows the fields and the button in one row, and clears the fields after the action. */
  readonly isRow?: boolean;
  readonly onSubmit: (values: FormValues) => void;
  readonly before?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** Shows fields and the button of their action, which Ctrl with Enter or S carries out in every field. */
export function Form(props: FormProps) {
  const { fields, submit, name, isRow = false, onSubmit, before, children } = props;
  const own = useSignal<FormValues>({});
  const values = props.values ?? own;
  const formId = useId();
  const Shown = isRow ? Control : Labeled;
  return (
    <form
      class={isRow ? 'flow' : 'form'}
      onKeyDown={(event) => {
        if (!event.ctrlKey || !['Enter', 's'].includes(event.key)) return;
        event.preventDefault();
        event.currentTarget.requestSubmit();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(givenValues(fields, values.peek()));
        if (isRow) values.value = {};
      }}
    >
      {fields.map((field) => (
        <Shown
          key={field.name}
          id={`${formId}-${field.name}`}
          field={field}
          value={values.value[field.name] ?? field.initial ?? textOf(field.default) ?? ''}
          onChange={(value) => (values.value = { ...values.peek(), [field.name]: value })}
          label={isRow ? (field.label ?? field.name) : undefined}
        />
      ))}
      {before}
      <div class="flow">
        <button type="submit" class={isRow ? 'button' : 'button primary'} aria-label={name}>
          {submit}
        </button>
        {children}
      </div>
    </form>
  );
}
