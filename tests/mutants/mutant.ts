/** A defect that is planted in a copy of the source, to check that a test detects it. */
export interface Mutant {
  /** Unique, in words with hyphens. */
  readonly name: string;
  /** The changed file, from the root of the repository. */
  readonly file: string;
  /** Text that occurs exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** Test files of which at least one must fail. */
  readonly tests: readonly string[];
  /** Runs only the tests whose full name matches: for slow files. */
  readonly testName?: string;
  /** The defect is a wait without an end, so a run that exceeds its time limit counts as killed. */
  readonly isKilledByTimeout?: boolean;
  /** The harm to a user, in a sentence. */
  readonly harm: string;
}

/** The text with the defect in it; null when the mutant no longer fits the file. */
export function plant(text: string, { find, replace }: Mutant): string | null {
  const at = text.indexOf(find);
  if (at < 0 || find === '' || find === replace) return null;
  if (text.indexOf(find, at + 1) >= 0) return null;
  return text.slice(0, at) + replace + text.slice(at + find.length);
}

/** The message for a mutant that does not fit. */
export function noLongerFits({ name, file, find }: Mutant, text: string): string {
  const count = find === '' ? 0 : text.split(find).length - 1;
  const occurs = count === 0 ? 'does not occur' : `occurs ${count} times`;
  return `mutant ${name} no longer fits: its text ${occurs} in ${file}.`;
}
