import { expect, test } from 'vitest';
import { errorAt, fieldErrorOf } from './field-errors.ts';

const of = (message: string) => fieldErrorOf({ error: 422, message });

test('a refusal is shown at the field that it names', () => {
  const value = of('conditions[1].value must be a whole number without sign or exponent.');
  expect(errorAt(value, 'value', 1)).toBe(value.message);
  expect(errorAt(value, 'value', 0)).toBeNull();
  expect(errorAt(of('conditions[0] value must be a decimal number'), 'value', 0)).not.toBeNull();
  expect(errorAt(of('url must begin with https://.'), 'url')).toBe('url must begin with https://.');
});

test('a refusal that names no field belongs to the form', () => {
  expect(of('This account has 20 webhooks, the maximum: remove one first.').field).toBeNull();
});
