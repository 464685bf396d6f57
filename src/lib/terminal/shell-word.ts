const PLAIN = /^[\w./:@+,-]+$/;

/** A text as one word of a command line of a POSIX shell. */
export function shellWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
