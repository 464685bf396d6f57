import { Type } from 'typebox';
import { Checked, type TextOptions } from './parameters.ts';

/** A text of several lines, such as a file. */
export function LinesParameter({ description, maxLength, invalidStatus = 400 }: TextOptions) {
  const schema = {
    type: 'string',
    minLength: 1,
    maxLength,
    description,
    'x-invalid-status': invalidStatus,
  };
  const isFitting = (text: string) => text.length > 0 && text.length <= maxLength;
  return Type.Unsafe<string>(Checked(schema, isFitting, `a text of 1 to ${maxLength} characters`));
}
