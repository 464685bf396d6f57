import { NUMBERS_PER_STEP } from '../model/shared-numbers.ts';

/** The first numbers of a step are left for messages that no step has, such as firings of triggers. */
const RESERVED = 2 ** 16;

/** An item of a frame and its place among everything that the step changed, wanted or not. */
export interface PlacedItem<Item> {
  readonly item: Item;
  /** Null for one whose place depends on what is wanted: it comes after all others. */
  readonly place: number | null;
}

/**
 * Numbers the messages of a replica so that a message has the same number on every replica: from the
 * step of the log and the place of the item in it, whatever is wanted here. A client can resume at any
 * of them.
 */
export class FrameNumbers {
  private current: number | null = null;
  private used = 0;

  /** The last step that had a frame; null before the first. */
  get step(): number | null {
    return this.current;
  }

  /** The items of a frame in order of their numbers; null if the step has no numbers left. */
  take<Item>(
    step: number,
    placed: readonly PlacedItem<Item>[],
    { places, isUndone }: { readonly places: number; readonly isUndone: boolean },
  ): { readonly items: readonly Item[]; readonly seqs: readonly number[] } | null {
    if (step !== this.current) this.begin(step);
    const last = placed.filter(({ place }) => place === null);
    const ordered = [
      ...placed
        .flatMap(({ item, place }) => (place === null ? [] : [{ item, place }]))
        .sort((one, other) => one.place - other.place),
      ...last.map(({ item }, index) => ({ item, place: places + index })),
    ];
    const span = places + last.length;
    const first = step * NUMBERS_PER_STEP + RESERVED + this.used;
    this.used += span;
    if (RESERVED + this.used >= NUMBERS_PER_STEP) return null;
    const numbers = ordered.map(({ place }) => first + (isUndone ? span - 1 - place : place));
    return {
      items: ordered.map(({ item }) => item),
      // What was applied last is taken back first.
      seqs: isUndone ? numbers.reverse() : numbers,
    };
  }

  private begin(step: number): void {
    this.current = step;
    this.used = 0;
  }
}
