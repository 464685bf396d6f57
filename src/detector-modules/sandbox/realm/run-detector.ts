import type { Bound, Meter } from './create-meter.ts';

/** What a run gave: a text, or why there is none. */
export type RunOutcome =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'exceeded'; readonly bound: Bound }
  | { readonly kind: 'threw'; readonly detail: string }
  /** What it returned cannot be written. */
  | { readonly kind: 'garbage'; readonly detail: string };

/**
 * Runs some code of a module with a bound on its work. Runs in the realm of the module, so it refers
 * to nothing outside. Never throws what a module throws: that belongs to the realm.
 */
export function runDetector<Value>(
  work: number,
  meter: Meter,
  { run, write }: { readonly run: () => Value; readonly write: (value: Value) => string },
): RunOutcome {
  const describe = (error: unknown): string => {
    try {
      if (!(error instanceof Error)) return `It threw ${typeof error}.`;
      const { name, message } = error;
      return `${typeof name === 'string' ? name : 'Error'}: ${typeof message === 'string' ? message : ''}`;
    } catch {
      return 'It threw an error that cannot be read.';
    }
  };
  let kind: 'threw' | 'garbage' = 'threw';
  meter.begin(work);
  try {
    const value = run();
    kind = 'garbage';
    const text = write(value);
    const bound = meter.exceeded();
    return bound === null ? { kind: 'text', text } : { kind: 'exceeded', bound };
  } catch (error) {
    const detail = describe(error);
    const bound = meter.exceeded();
    return bound === null ? { kind, detail } : { kind: 'exceeded', bound };
  }
}
