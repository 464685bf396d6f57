/** Values of the files that are generated: no dates, no references, no empty lists. */
export type Yaml = string | number | boolean | readonly Yaml[] | { readonly [name: string]: Yaml };

/** Block YAML. Every text is in double quotes, in which JSON's escapes are those of YAML. */
export function toYaml(value: Yaml): string {
  return `${linesOf(value).join('\n')}\n`;
}

function linesOf(value: Yaml): string[] {
  if (isList(value)) {
    return value.flatMap((item) => {
      const [first = '', ...rest] = linesOf(item);
      return [`- ${first}`, ...rest.map((line) => `  ${line}`)];
    });
  }
  if (typeof value !== 'object') return [JSON.stringify(value)];
  return Object.entries(value).flatMap(([name, item]) => {
    const key = /^[a-z_]+$/i.test(name) ? name : JSON.stringify(name);
    const lines = linesOf(item);
    if (typeof item !== 'object') return [`${key}: ${lines[0]}`];
    return [`${key}:`, ...lines.map((line) => `  ${line}`)];
  });
}

function isList(value: Yaml): value is readonly Yaml[] {
  return Array.isArray(value);
}
