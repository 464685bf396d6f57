import type { RowSpill } from '../../model/row-spill.ts';

/** Keeps spilled rows in memory, in less space than a table. For replays and tests. */
export class MemorySpill implements RowSpill {
  private readonly rows = new Map<number, Uint8Array>();

  get size(): number {
    return this.rows.size;
  }

  put(id: number, bytes: Uint8Array): void {
    this.rows.set(id, bytes);
  }

  take(id: number): Uint8Array | null {
    const bytes = this.peek(id);
    this.rows.delete(id);
    return bytes;
  }

  peek(id: number): Uint8Array | null {
    return this.rows.get(id) ?? null;
  }

  *entries(): Generator<[id: number, bytes: Uint8Array]> {
    const ids = [...this.rows.keys()].sort((one, other) => one - other);
    for (const id of ids) yield [id, this.rows.get(id) ?? new Uint8Array()];
  }

  close(): void {
    this.rows.clear();
  }
}
