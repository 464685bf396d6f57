/** Why a detector was ended. */
export type Bound = 'work' | 'depth';

/** What instrumented code calls (instrument.ts), and what counts the work of built-in functions. */
export interface Meter {
  /** Begins an evaluation with this much work to spend. */
  begin(work: number): void;
  /** Work left; below 0 once it is spent. */
  left(): number;
  /** The bound that was exceeded; null if none was. */
  exceeded(): Bound | null;
  charge(work: number): void;
  /** A turn of a loop. */
  turn(): void;
  /** A call of a function. Each that returns is followed by `leave`. */
  enter(): void;
  leave(): void;
  /** What is spread into a list. */
  listed(items: unknown): unknown;
  /** What is spread into the arguments of a call. */
  passed(items: unknown): unknown;
  /** What is spread into an object. */
  copied(value: unknown): unknown;
}

export interface MeterLimits {
  /** Calls that have not returned: far below what the stack of a thread holds. */
  readonly depthMax: number;
  /** Arguments of a call that are spread: they lie on the stack. */
  readonly argumentsMax: number;
}

/**
 * Runs in the realm of a module, so it refers to nothing outside. Once a bound is exceeded, every
 * further turn and call throws too: a module that catches the first cannot go on.
 */
export function createMeter({ depthMax, argumentsMax }: MeterLimits): Meter {
  const { isArray } = Array;
  const { keys, freeze } = Object;
  const { iterator } = Symbol;
  const ended = Error;
  /** A member that is spread costs as much as some turns of a loop. */
  const SPREAD_WORK = 8;
  let left = 0;
  let depth = 0;
  let exceeded: Bound | null = null;

  const end = (bound: Bound): never => {
    exceeded ??= bound;
    left = -1;
    throw new ended(`A bound on ${bound} is exceeded.`);
  };
  const charge = (work: number): void => {
    // A negated comparison, so that NaN ends it too.
    if (!(work >= 0)) end('work');
    left -= work;
    if (left < 0) end('work');
  };
  const listed = (items: unknown): unknown => {
    if (isArray(items) || typeof items === 'string') charge(items.length * SPREAD_WORK);
    else if (items !== null && items !== undefined) {
      // Its own steps may be native, as those of a Map are, so they are counted here.
      const all: unknown[] = [];
      if (!(iterator in Object(items))) return items;
      for (const item of items as Iterable<unknown>) {
        charge(SPREAD_WORK);
        all[all.length] = item;
      }
      return all;
    }
    return items;
  };
  return freeze({
    begin(work: number) {
      left = work;
      depth = 0;
      exceeded = null;
    },
    left: () => left,
    exceeded: () => exceeded,
    charge,
    turn() {
      if (--left < 0) end('work');
    },
    enter() {
      if (--left < 0) end('work');
      if (depth >= depthMax) end('depth');
      depth++;
    },
    leave() {
      depth--;
    },
    listed,
    passed(items: unknown) {
      const all = listed(items) as ArrayLike<unknown>;
      if (all.length > argumentsMax) end('depth');
      return all;
    },
    copied(value: unknown) {
      if (value !== null && typeof value === 'object') charge(keys(value).length);
      return value;
    },
  });
}
