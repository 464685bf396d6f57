/** Makes third-party text safe for a terminal: non-ASCII characters become JSON escapes. */
export function printable(text: string): string {
  return text.replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
