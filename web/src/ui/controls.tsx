import type { ComponentChildren, RefObject } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  /** Explains the field below it. */
  readonly hint?: string;
  /** Why the value is refused. */
  readonly error?: string | null;
}

/** A text field with its label. `onChange` is called with each change. */
export function TextField({
  label,
  value,
  onChange,
  hint,
  error = null,
  type = 'text',
  placeholder,
  autocomplete = 'off',
}: FieldProps & {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: 'text' | 'password' | 'url';
  readonly placeholder?: string;
  readonly autocomplete?: 'off' | 'current-password';
}) {
  const id = useId();
  const shared = {
    id,
    value,
    placeholder,
    autocomplete,
    spellcheck: false,
    'aria-invalid': error !== null,
    'aria-describedby': `${id}-note`,
    onInput: (event: { readonly currentTarget: HTMLInputElement }) =>
      onChange(event.currentTarget.value),
  };
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      {type === 'password' && <input type="password" {...shared} />}
      {type === 'url' && <input type="url" {...shared} />}
      {type === 'text' && <input type="text" {...shared} />}
    </Field>
  );
}

/** A field for a text of many lines with its label. */
export function TextArea({
  label,
  value,
  onChange,
  hint,
  area,
  isRefused = false,
  lines = 14,
}: Omit<FieldProps, 'error'> & {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly area: RefObject<HTMLTextAreaElement | null>;
  /** Whether the value is refused, for reasons that are shown elsewhere. */
  readonly isRefused?: boolean;
  readonly lines?: number;
}) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} error={null}>
      <textarea
        id={id}
        ref={area}
        value={value}
        rows={lines}
        spellcheck={false}
        autocomplete="off"
        aria-invalid={isRefused}
        aria-describedby={`${id}-note`}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </Field>
  );
}

/** A choice from a list with its label. */
export function Select<Value extends string>({
  label,
  value,
  options,
  onChange,
  hint,
  error = null,
}: FieldProps & {
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly title: string }[];
  readonly onChange: (value: Value) => void;
}) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <select
        id={id}
        value={value}
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.currentTarget.value as Value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.title}
          </option>
        ))}
      </select>
    </Field>
  );
}

/** A choice of few, as adjacent buttons. */
export function Segments<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly title: string }[];
  readonly onChange: (value: Value) => void;
}) {
  return (
    <fieldset class="segments">
      <legend class="visually-hidden">{label}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.title}
        </button>
      ))}
    </fieldset>
  );
}

/** A box to check, with its label after it. */
export function Checkbox({
  label,
  isChecked,
  onChange,
}: {
  readonly label: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}) {
  return (
    <label class="checkbox">
      <input
        type="checkbox"
        checked={isChecked}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}

/** A button. `kind` "primary" is for the one main action of a form. */
export function Button({
  kind = 'plain',
  type = 'button',
  isDisabled = false,
  onClick,
  children,
}: {
  readonly kind?: 'plain' | 'primary' | 'danger';
  readonly type?: 'button' | 'submit';
  readonly isDisabled?: boolean;
  readonly onClick?: () => void;
  readonly children: ComponentChildren;
}) {
  return (
    <button type={type} class={`button ${kind}`} disabled={isDisabled} onClick={onClick}>
      {children}
    </button>
  );
}

function Field({
  id,
  label,
  hint,
  error,
  children,
}: {
  readonly id: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly error: string | null;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      <p id={`${id}-note`} class={error === null ? 'field-note' : 'field-note error'}>
        {error ?? hint}
      </p>
    </div>
  );
}
