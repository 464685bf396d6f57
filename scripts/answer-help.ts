/** Prints the text and ends the process if it was started with `--help` or `-h`. */
export function answerHelp(text: string): void {
  if (!process.argv.slice(2).some((word) => word === '--help' || word === '-h')) return;
  console.log(text);
  process.exit(0);
}
