import type { Engine } from '../src/engine/engine.ts';

/** Bytes in use after garbage collection. Throws if Node was started without --expose-gc. */
export function usedBytes(): number {
  if (globalThis.gc === undefined) throw new Error('run with --expose-gc');
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Entries of a book, 0 when it has no count. */
export function sizeOf(book: unknown): number {
  const size = book instanceof Object ? Reflect.get(book, 'size') : null;
  return typeof size === 'number' ? size : 0;
}

/** A book and the object that refers to it. */
interface Part {
  readonly name: string;
  readonly holder: Record<string, unknown>;
}

/**
 * The state's books, each with the object that refers to it. Watches and cases are first, because
 * they refer to other books; the table of address numbers, to which most refer, is last.
 */
export function partsOf(engine: Engine): Part[] {
  const state: Record<string, Record<string, unknown>> = Reflect.get(engine, 'state');
  const watches = ['signals', 'fraud', 'cases'].map((name) => ({ name, holder: state }));
  const books = ['books', 'walletBooks'].flatMap((group) => {
    const holder = state[group] ?? {};
    return Object.keys(holder).map((name) => ({ name, holder }));
  });
  books.sort((one, other) => Number(one.name === 'ids') - Number(other.name === 'ids'));
  return [...watches, ...books];
}

/** What a book takes. */
interface BookPart {
  readonly name: string;
  /** Null when the book has no count. */
  readonly entries: number | null;
  readonly bytes: number;
}

/**
 * Memory of each book: what is free after its removal from the state. The engine cannot be used
 * afterwards. Address texts that several books share count for the last of them, which is the
 * table of address numbers.
 */
export function bytesByBook(engine: Engine): BookPart[] {
  const parts = partsOf(engine);
  const sizes = parts.map(sizeOfPart);
  let before = usedBytes();
  return parts.map((part, index) => {
    remove(part);
    const after = usedBytes();
    const bytes = before - after;
    before = after;
    const entries = sizes[index] ?? 0;
    return { name: part.name, entries: entries === 0 ? null : entries, bytes };
  });
}

function sizeOfPart({ name, holder }: Part): number {
  return sizeOf(holder[name]);
}

/** In a function of its own, so that no frame refers to the book while memory is collected. */
function remove({ name, holder }: Part): void {
  holder[name] = null;
}
