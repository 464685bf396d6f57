/**
 * Serialises JSON with bigints written as `{"bigint": "<digits>"}`. Throws as `JSON.stringify`
 * does.
 */
export function toBigintJson(value: unknown): string {
  return JSON.stringify(value, (_, member) =>
    typeof member === 'bigint' ? { bigint: member.toString() } : member,
  );
}

/** Serialises JSON with bigints written as text, for comparison: it cannot be parsed back. */
export function toComparableJson(value: unknown): string {
  return JSON.stringify(value, (_, member) =>
    typeof member === 'bigint' ? member.toString() : member,
  );
}

/** Parses the output of `toBigintJson`. Throws SyntaxError for other text. */
export function parseBigintJson(text: string): unknown {
  return JSON.parse(text, (_, member) => (isMarked(member) ? BigInt(member.bigint) : member));
}

function isMarked(member: unknown): member is { readonly bigint: string } {
  if (typeof member !== 'object' || member === null || !('bigint' in member)) return false;
  return typeof member.bigint === 'string' && Object.keys(member).length === 1;
}
