import { integerJson } from '../rust-number.ts';

/** JSON text with bigints written as digits. For small values: blocks have their own format. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'bigint' ? integerJson(part) : part,
  );
}
