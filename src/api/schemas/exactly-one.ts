/** A rule of an object: exactly one of these optional fields is given. */
export function exactlyOne(...names: readonly string[]) {
  return { oneOf: names.map((name) => ({ required: [name] })) };
}
