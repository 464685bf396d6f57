/** Work that stops now and then, so that others who share the thread get their turn. */
export type Turns<Result> = Generator<undefined, Result, undefined>;

/** All of it at once. */
export function atOnce<Result>(turns: Turns<Result>): Result {
  for (;;) {
    const turn = turns.next();
    if (turn.done === true) return turn.value;
  }
}
