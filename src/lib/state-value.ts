import { parseBigintJson, toBigintJson } from './bigint-json.ts';
import type { ObjectFormat } from './object-map.ts';
import { hashOfBytes } from './pages/bytes-hash.ts';
import type { PagePool } from './pages/page-pool.ts';
import type { PageSpace } from './pages/page-space.ts';
import type { PooledObjects } from './pages/pooled-objects.ts';
import { UndoLog } from './undo-log.ts';
import { WordList } from './word-list.ts';

/**
 * One small object of the state that is always in memory, such as counts or the current time. It is
 * encoded whenever sums are settled, so its changes need no announcement; what they are undone with
 * is the caller's (`UndoLog.keep`). A stored value replaces the fields of the initial one.
 */
export class StateValue<Value extends object> implements PooledObjects {
  readonly now: Value;
  private readonly pages: PagePool;
  private readonly format: ObjectFormat<Value>;
  private readonly space: PageSpace;
  private readonly hashes: WordList;
  /** As of the last settlement, and as of the beginning of the open checkpoint. */
  private text = '';
  private textAsOf = '';
  private dirty = 0;

  constructor(
    initial: Value,
    undo = new UndoLog(),
    name = 'value',
    format: ObjectFormat<Value> = plainFormat(),
  ) {
    this.now = initial;
    this.format = format;
    this.pages = undo.pages;
    this.space = this.pages.createSpace(name, format.name);
    this.hashes = new WordList(undo, `${name} hash`);
    this.pages.addObjects(this);
    const stored = this.pages.store?.read(this.space.number, 0) ?? null;
    if (stored === null) return;
    this.text = Buffer.from(stored).toString('utf8');
    Object.assign(initial, format.decode(this.text));
  }

  settle(): void {
    const text = this.format.encode(this.now);
    if (text === this.text) return;
    this.text = text;
    this.dirty = this.pages.checkpoint;
    const bytes = Buffer.from(text, 'utf8');
    this.hashes.set(0, hashOfBytes(bytes, 1));
    this.hashes.set(1, hashOfBytes(bytes, 2));
  }

  settleForCheckpoint(): void {
    this.settle();
  }

  settleIdle(): void {
    // It is always in use.
  }

  settleAhead(): void {
    // Likewise.
  }

  dirtyIds(): number[] {
    this.textAsOf = this.text;
    return this.dirty === 0 ? [] : [0];
  }

  writeAsOf(): void {
    this.pages.store?.putAsOf(this.space.number, 0, Buffer.from(this.textAsOf, 'utf8'));
    if (this.dirty !== this.pages.checkpoint) this.dirty = 0;
  }

  addAges(): void {
    // Its memory is not worth counting.
  }

  evictBefore(): void {
    // It stays in memory.
  }
}

/** For plain data without undefined. */
export function plainFormat<Value>(): ObjectFormat<Value> {
  return { name: 'plain', encode: toBigintJson, decode: (text) => parseBigintJson(text) as Value };
}
