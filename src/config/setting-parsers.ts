/** What settings of several kinds are read by: each gives the value, or what it must be. */

/** Reads any text but blanks; `what` it should be is said of the others. */
export function nonEmpty(what: string) {
  return (text: string) => (text.trim() === '' ? `must be ${what}` : { value: text });
}

/** Reads one of the words. */
export function oneOf<Value extends string>(values: readonly Value[]) {
  return (text: string) => {
    const value = values.find((known) => known === text);
    return value === undefined ? `must be one of ${values.join(', ')}` : { value };
  };
}

/** Reads a whole number of at most nine digits, both ends of its range included. */
export function integerBetween(least: number, most: number) {
  return (text: string) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= least && value <= most
      ? { value }
      : `must be a whole number from ${least} to ${most}`;
  };
}
