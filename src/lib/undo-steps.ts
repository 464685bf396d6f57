/**
 * How one kind of change is reverted, and made again: for an undo, and for reads of the state as it
 * was before. The operands are those that the change was recorded with.
 */
export interface UndoStep<Operands extends readonly unknown[]> {
  /** Reverts the change. Everything that changed later has been reverted. */
  revert(...operands: Operands): void;
  /**
   * Called before `revert` in place of an undo. Returns what makes the change again: everything that
   * changed earlier has then been made again.
   */
  repeater(...operands: Operands): () => void;
}

type Fields = Record<string, unknown>;

/** An object had these own fields and no others. */
export const OWN_FIELDS: UndoStep<[object: object, image: object]> = {
  revert: (object, image) => setFields(object as Fields, image as Fields),
  repeater(object) {
    const present = { ...object };
    return () => setFields(object as Fields, present);
  },
};

/** These fields of an object had these values. */
export const NAMED_FIELDS: UndoStep<[object: object, image: object]> = {
  revert: (object, image) => void Object.assign(object, image),
  repeater(object, image) {
    const present: Fields = {};
    for (const name of Object.keys(image)) present[name] = (object as Fields)[name];
    return () => void Object.assign(object, present);
  },
};

/** An array had these items. */
export const ITEMS: UndoStep<[array: unknown[], items: readonly unknown[]]> = {
  revert: setItems,
  repeater(array) {
    const present = array.slice();
    return () => setItems(array, present);
  },
};

/** A key of a Map had this value; undefined for none. */
export const MAP_ENTRY: UndoStep<[map: Map<unknown, unknown>, key: unknown, value: unknown]> = {
  revert: setEntry,
  repeater(map, key) {
    const present = map.get(key);
    return () => setEntry(map, key, present);
  },
};

/** A value was in a Set, or not. */
export const SET_MEMBER: UndoStep<[set: Set<unknown>, value: unknown, wasThere: boolean]> = {
  revert: setMember,
  repeater(set, value) {
    const isThere = set.has(value);
    return () => setMember(set, value, isThere);
  },
};

/** An array had one item less at its end. */
export const ITEM: UndoStep<[array: unknown[]]> = {
  revert: (array) => void array.pop(),
  repeater(array) {
    const item = array.at(-1);
    return () => void array.push(item);
  },
};

/** An array had this length, and may have had items pushed. */
export const LENGTH: UndoStep<[array: unknown[], length: number]> = {
  revert(array, length) {
    array.length = length;
  },
  repeater(array, length) {
    const added = array.slice(length);
    return () => pushAll(array, added);
  },
};

/** An array had these items before its first one. */
export const HEAD: UndoStep<[array: unknown[], items: readonly unknown[]]> = {
  revert(array, items) {
    // `unshift(...items)` would fail: there can be more items than a call accepts arguments.
    const rest = array.splice(0);
    pushAll(array, items);
    pushAll(array, rest);
  },
  repeater: (array, items) => () => void array.splice(0, items.length),
};

function setFields(object: Fields, image: Fields): void {
  for (const name of Object.keys(object)) {
    if (!Object.hasOwn(image, name)) delete object[name];
  }
  Object.assign(object, image);
}

function setItems(array: unknown[], items: readonly unknown[]): void {
  array.length = 0;
  pushAll(array, items);
}

function setEntry(map: Map<unknown, unknown>, key: unknown, value: unknown): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}

function setMember(set: Set<unknown>, value: unknown, isThere: boolean): void {
  if (isThere) set.add(value);
  else set.delete(value);
}

function pushAll(array: unknown[], items: readonly unknown[]): void {
  for (const item of items) array.push(item);
}
