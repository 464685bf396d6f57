/** One sample of a page, with the trace of its exemplar. */
export interface OpenSample {
  readonly name: string;
  readonly labels: string;
  readonly value: number;
  readonly exemplar: { readonly traceId: string; readonly value: number } | null;
}

const TYPES = ['counter', 'gauge', 'histogram', 'info', 'unknown', 'summary'];
const LABELS = /^\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"(?:,(?=[a-zA-Z_]))?)*\}/;
/** In any case of letters, as the grammar says. */
const NUMBER = /^(?:[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?|nan|[+-]inf)$/i;
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: ['_total', '_created'],
  histogram: ['_bucket', '_sum', '_count', '_created'],
  summary: ['', '_sum', '_count', '_created'],
  info: ['_info'],
};

/**
 * Reads a page by the rules of OpenMetrics 1.0: families described once and in one piece, samples
 * that belong to them, exemplars on counters and buckets only, one `# EOF` at the end. Throws with
 * the line that breaks one.
 */
export function readOpenMetrics(page: string): OpenSample[] {
  if (!page.endsWith('\n# EOF\n')) throw new SyntaxError('the page does not end with # EOF');
  const reading = new Reading();
  for (const line of page.slice(0, -'# EOF\n'.length).split('\n').slice(0, -1)) {
    try {
      reading.take(line);
    } catch (error) {
      throw new SyntaxError(`${(error as Error).message}: ${JSON.stringify(line)}`);
    }
  }
  const names = reading.samples.map(({ name, labels }) => name + labels);
  if (new Set(names).size !== names.length) throw new SyntaxError('a series is listed twice');
  return reading.samples;
}

class Reading {
  readonly samples: OpenSample[] = [];
  private readonly types = new Map<string, string>();
  private readonly described = new Set<string>();
  private family = '';

  take(line: string): void {
    const [, keyword, name = '', text = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (keyword !== undefined) {
      this.describe(name, keyword === 'TYPE' ? text : null);
      return;
    }
    if (line.startsWith('#') || line === '') refuse('neither description nor sample');
    const sample = readSample(line);
    const suffix = this.suffixOf(sample.name);
    if (sample.exemplar !== null && !['_bucket', '_total'].includes(suffix)) {
      refuse('no exemplar may be here');
    }
    this.samples.push(sample);
  }

  private describe(name: string, type: string | null): void {
    if (name !== this.family && this.described.has(name)) refuse('the family is in two pieces');
    this.described.add(name);
    this.family = name;
    if (type === null) return;
    if (!TYPES.includes(type)) refuse('unknown type');
    if (this.types.has(name)) refuse('a second type');
    this.types.set(name, type);
  }

  /** What follows the name of the family, which its type allows. */
  private suffixOf(name: string): string {
    const type = this.types.get(this.family) ?? refuse('a sample of no family');
    const suffix = name.startsWith(this.family) ? name.slice(this.family.length) : null;
    if (suffix === null || !(SUFFIXES[type] ?? ['']).includes(suffix)) {
      return refuse('a sample of another family');
    }
    return suffix;
  }
}

function refuse(why: string): never {
  throw new SyntaxError(why);
}

function readSample(line: string): OpenSample {
  const [name = refuse('no name')] = /^[a-zA-Z_:][\w:]*/.exec(line) ?? [];
  const [labels = ''] = LABELS.exec(line.slice(name.length)) ?? [];
  const rest = line.slice(name.length + labels.length);
  const [plain = '', exemplar, more] = rest.split(' # ');
  const value = plain.slice(1);
  if (!plain.startsWith(' ') || !NUMBER.test(value) || more !== undefined) refuse('no sample');
  return {
    name,
    labels,
    value: numberOf(value),
    exemplar: exemplar === undefined ? null : readExemplar(exemplar),
  };
}

function readExemplar(text: string) {
  const [, traceId = '', value = '', time = ''] =
    /^\{trace_id="([0-9a-f]{32})"\} (\S+) (\d+(?:\.\d+)?)$/.exec(text) ?? refuse('no exemplar');
  if (!NUMBER.test(value) || time === '') refuse('no exemplar');
  return { traceId, value: numberOf(value) };
}

function numberOf(text: string): number {
  return Number(text.replace(/inf/i, 'Infinity'));
}
