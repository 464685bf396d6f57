import { integerJson } from '../rust-number.ts';

/** JSON text in which a bigint stands as its digits. For small values: blocks have their own form. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'bigint' ? integerJson(part) : part,
  );
}
