/** One sample of the Prometheus text format. */
export interface MetricSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)(?: -?\d+)?$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', '\\': '\\', '"': '"' };

/** The samples of a text whose values are finite; comments and lines of another form are left out. */
export function parseMetrics(text: string): readonly MetricSample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', number] = SAMPLE.exec(line) ?? [];
    const value = Number(number);
    if (name === undefined || !Number.isFinite(value)) return [];
    return [{ name, labels: labelsOf(labels), value }];
  });
}

function labelsOf(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...text.matchAll(LABEL)].map(([, name = '', value = '']) => [
      name,
      value.replace(/\\(.)/g, (whole, escaped: string) => ESCAPES[escaped] ?? whole),
    ]),
  );
}

/** The sum of the samples of a name, with any labels; null if there are none. */
export function sumOf(samples: readonly MetricSample[], name: string): number | null {
  const values = samples.filter((sample) => sample.name === name).map(({ value }) => value);
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0);
}
