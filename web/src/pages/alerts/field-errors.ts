import type { Failure } from '../../api/client.ts';

/** Where a refusal of the API belongs in a form. */
export interface FieldError {
  /** Name of the parameter; null for the whole form. */
  readonly field: string | null;
  /** Of the condition, counted from 0; null for none. */
  readonly index: number | null;
  readonly message: string;
}

/** Finds the field that a message of the API begins with, as `conditions[1].value must be …`. */
export function fieldErrorOf({ message }: Failure): FieldError {
  const condition = /^conditions\[(\d+)\](?:\.(\w+))?/.exec(message);
  if (condition !== null) {
    const [, index, field] = condition;
    return { field: field ?? 'value', index: Number(index), message };
  }
  const named = /^([a-z_]+)\b/.exec(message);
  return { field: named?.[1] ?? null, index: null, message };
}

/** The message for a field of a form; null if it is not about it. */
export function errorAt(
  error: FieldError | null,
  field: string,
  index: number | null = null,
): string | null {
  return error !== null && error.field === field && error.index === index ? error.message : null;
}
