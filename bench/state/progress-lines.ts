const EVERY_MS = 10_000;

/** Lines about what a process does, one in ten seconds at most, on the error output. */
export class ProgressLines {
  private readonly nowMs: () => number;
  private readonly print: (line: string) => void;
  private printedMs: number;

  /** The first line comes after ten seconds. */
  constructor(
    nowMs: () => number = () => performance.now(),
    print: (line: string) => void = (line) => console.error(line),
  ) {
    this.nowMs = nowMs;
    this.print = print;
    this.printedMs = nowMs();
  }

  /** Call after each step: prints a line when one is due. */
  step(line: () => string): void {
    if (this.nowMs() - this.printedMs >= EVERY_MS) this.say(line());
  }

  /** Prints a line now. */
  say(line: string): void {
    this.print(line);
    this.printedMs = this.nowMs();
  }
}
