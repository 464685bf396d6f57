import { SignatureIndex } from './signature-index.ts';

const WINDOW_MS = 86_400_000;

/** Posts with equal signatures. */
interface Group {
  readonly name: string;
  readonly entry: number;
  posts: number;
}

interface Seen {
  readonly group: Group;
  readonly timeMs: number;
}

/**
 * Counts near-duplicates of a post in the last 24 hours, by the times of the posts. Keeps a bounded
 * number of posts and removes the oldest first. Posts must be added in order of time.
 */
export class NearDuplicates {
  private readonly entriesMax: number;
  private readonly index: SignatureIndex;
  private readonly groups = new Map<string, Group>();
  private readonly byEntry: (Group | undefined)[] = [];
  private entries: Seen[] = [];
  private first = 0;

  constructor(entriesMax = 50_000) {
    this.entriesMax = entriesMax;
    this.index = new SignatureIndex(entriesMax);
  }

  /** Adds the post and returns its number among its near-duplicates, from 1. */
  count(signature: Uint8Array, timeMs: number): number {
    this.forget(timeMs);
    const name = Buffer.from(signature).toString('latin1');
    let number = 1;
    let isNew = true;
    for (const entry of this.index.similar(signature)) {
      const group = this.byEntry[entry];
      if (group === undefined) continue;
      number += group.posts;
      if (group.name === name) isNew = false;
    }
    const known = this.groups.get(name);
    // Beyond the entries that were compared, equal posts still count.
    if (isNew && known !== undefined) number += known.posts;
    const group = known ?? this.createGroup(name, signature);
    group.posts++;
    this.entries.push({ group, timeMs });
    return number;
  }

  /** The number of stored posts. */
  get size(): number {
    return this.entries.length - this.first;
  }

  private createGroup(name: string, signature: Uint8Array): Group {
    const group = { name, entry: this.index.add(signature), posts: 0 };
    this.groups.set(name, group);
    this.byEntry[group.entry] = group;
    return group;
  }

  private forget(nowMs: number): void {
    for (let oldest = this.entries[this.first]; oldest !== undefined; ) {
      if (oldest.timeMs > nowMs - WINDOW_MS && this.size < this.entriesMax) break;
      oldest.group.posts--;
      if (oldest.group.posts === 0) this.drop(oldest.group);
      oldest = this.entries[++this.first];
    }
    if (this.first > this.entries.length / 2) {
      this.entries = this.entries.slice(this.first);
      this.first = 0;
    }
  }

  private drop({ name, entry }: Group): void {
    this.groups.delete(name);
    this.byEntry[entry] = undefined;
    this.index.remove(entry);
  }
}
