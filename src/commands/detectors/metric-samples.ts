/** A sample of a metric, its name without the prefix. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The samples of metrics whose names begin so, in a page of the Prometheus text format. */
export function samplesIn(page: string, prefix: string): readonly Sample[] {
  return page.split('\n').flatMap((line) => {
    const found = line.startsWith(prefix) ? /^(\w+)(?:\{(.*)\})? (\S+)/.exec(line) : null;
    if (found === null) return [];
    const [, name = '', labels = '', value = ''] = found;
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)];
    return {
      name: name.slice(prefix.length),
      labels: Object.fromEntries(pairs.map(([, key = '', text = '']) => [key, text])),
      value: Number(value),
    };
  });
}
