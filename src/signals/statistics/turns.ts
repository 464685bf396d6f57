/** Work that pauses now and then to let other work of the thread run. */
export type Turns<Result> = Generator<undefined, Result, undefined>;

/** Runs all of it without a pause. */
export function atOnce<Result>(turns: Turns<Result>): Result {
  for (;;) {
    const turn = turns.next();
    if (turn.done === true) return turn.value;
  }
}
