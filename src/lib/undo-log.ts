/** Takes one change back. Steps of a record run newest first, so each finds what it left behind. */
interface UndoStep {
  revert(): void;
}

/**
 * Before-images of what a fold changes, so that its newest part can be taken back exactly.
 *
 * Between `open` and `close` whoever changes state calls the method for that kind of state *before*
 * the change; outside of that every call is one branch and nothing is kept. What was made since
 * `open` needs no image: it is out of reach once whatever leads to it was taken back.
 *
 * What comes back is content: entries of a Map or Set that were removed stand last afterwards, so
 * nothing may depend on the order of one that has entries removed. Arrays get their order back.
 */
export class UndoLog {
  private readonly recordsMax: number;
  private readonly records: UndoStep[][] = [];
  private steps: UndoStep[] | null = null;
  private opened = 0;
  private readonly kept = new Set<object>();

  constructor(recordsMax = 0) {
    this.recordsMax = recordsMax;
  }

  /** Records that can be taken back. */
  get size(): number {
    return this.records.length;
  }

  /** True between `open` and `close`: for callers to whom preparing a step would cost something. */
  get isOpen(): boolean {
    return this.steps !== null;
  }

  /**
   * Which record is open, 0 between records; no number comes twice. For callers that themselves
   * remember of what they took an image.
   */
  get record(): number {
    return this.steps === null ? 0 : this.opened;
  }

  /**
   * Starts a record. Throws RangeError when as many as may be are held already, and Error when one is
   * open: what broke it off left the state half changed.
   */
  open(): void {
    if (this.steps !== null) throw new Error('a record of changes is open already');
    if (this.records.length >= this.recordsMax) {
      throw new RangeError(`no more than ${this.recordsMax} changes can be held for taking back`);
    }
    this.steps = [];
    this.opened++;
    this.records.push(this.steps);
  }

  close(): void {
    this.steps = null;
    this.kept.clear();
  }

  /** Takes the newest record back. Throws RangeError when there is none. */
  undo(): void {
    const steps = this.records.pop();
    if (steps === undefined) throw new RangeError('nothing is held that could be taken back');
    this.close();
    for (let index = steps.length - 1; index >= 0; index--) steps[index]?.revert();
  }

  /** Drops the oldest `count` records: they stay as they are. */
  forget(count: number): void {
    this.records.splice(0, count);
  }

  /**
   * Own fields of an object, or the items of a short array, as they are now; only the first call of
   * a record copies. What the fields point at needs images of its own.
   */
  keep(record: object): void {
    if (this.steps === null || this.kept.has(record)) return;
    this.kept.add(record);
    this.steps.push(
      Array.isArray(record) ? new ArrayImage(record) : new FieldsImage(record as Fields),
    );
  }

  /** The entry of a Map that is about to be set or deleted. No Map may hold undefined. */
  map<Key, Value>(map: Map<Key, Value>, key: Key): void {
    this.steps?.push(new EntryImage(map, key));
  }

  /** A value that is about to be added to a Set or deleted from it. */
  set<Value>(set: Set<Value>, value: Value): void {
    this.steps?.push(new MemberImage(set, value));
  }

  /** One item is about to be pushed to an array. */
  push(array: unknown[]): void {
    this.steps?.push(new Pushed(array));
  }

  /** The first `count` items of an array are about to be removed. */
  head(array: unknown[], count: number): void {
    this.steps?.push(new RemovedHead(array, count));
  }

  /** A change that no before-image describes: `inverse` takes it back. */
  step(inverse: () => void): void {
    this.steps?.push({ revert: inverse });
  }
}

type Fields = Record<string, unknown>;

class FieldsImage implements UndoStep {
  private readonly record: Fields;
  private readonly fields: Fields;

  constructor(record: Fields) {
    this.record = record;
    this.fields = { ...record };
  }

  revert(): void {
    const { record, fields } = this;
    for (const name of Object.keys(record)) {
      if (!Object.hasOwn(fields, name)) delete record[name];
    }
    Object.assign(record, fields);
  }
}

class ArrayImage implements UndoStep {
  private readonly array: unknown[];
  private readonly items: readonly unknown[];

  constructor(array: unknown[]) {
    this.array = array;
    this.items = array.slice();
  }

  revert(): void {
    this.array.length = 0;
    for (const item of this.items) this.array.push(item);
  }
}

class EntryImage<Key, Value> implements UndoStep {
  private readonly entries: Map<Key, Value>;
  private readonly key: Key;
  private readonly value: Value | undefined;

  constructor(entries: Map<Key, Value>, key: Key) {
    this.entries = entries;
    this.key = key;
    this.value = entries.get(key);
  }

  revert(): void {
    if (this.value === undefined) this.entries.delete(this.key);
    else this.entries.set(this.key, this.value);
  }
}

class MemberImage<Value> implements UndoStep {
  private readonly members: Set<Value>;
  private readonly value: Value;
  private readonly wasThere: boolean;

  constructor(members: Set<Value>, value: Value) {
    this.members = members;
    this.value = value;
    this.wasThere = members.has(value);
  }

  revert(): void {
    if (this.wasThere) this.members.add(this.value);
    else this.members.delete(this.value);
  }
}

class Pushed implements UndoStep {
  private readonly array: unknown[];

  constructor(array: unknown[]) {
    this.array = array;
  }

  revert(): void {
    this.array.pop();
  }
}

class RemovedHead implements UndoStep {
  private readonly array: unknown[];
  private readonly items: readonly unknown[];

  constructor(array: unknown[], count: number) {
    this.array = array;
    this.items = array.slice(0, count);
  }

  revert(): void {
    // Not by `unshift(...items)`: there can be more items than a call takes arguments.
    const rest = this.array.splice(0);
    for (const item of this.items) this.array.push(item);
    for (const item of rest) this.array.push(item);
  }
}
