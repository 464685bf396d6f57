/** An OpenAPI document without the examples, which are those of the data at hand. */
export function withoutExamples(document: unknown): unknown {
  const text = JSON.stringify(document, (key, value: unknown) =>
    key === 'example' || key === 'examples' ? undefined : value,
  );
  return JSON.parse(text);
}
