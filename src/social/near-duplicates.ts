import { NEAR_DUPLICATE_BITS, type SimHash, simHashDistance } from './sim-hash.ts';

const WINDOW_MS = 86_400_000;
/**
 * Maximum hashes with a shared part that are compared for one post. On average, honest posts share
 * a part with less than one other; an attacker could create thousands and slow every lookup down.
 */
const SHARING_MAX = 256;

/** Posts with equal hashes. */
interface Group {
  readonly hash: SimHash;
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
  private readonly groups = new Map<string, Group>();
  /** Two hashes that differ in at most three bits share at least one of four 16-bit parts. */
  private readonly byPart = new Map<number, Set<Group>>();
  private entries: Seen[] = [];
  private first = 0;

  constructor(entriesMax = 50_000) {
    this.entriesMax = entriesMax;
  }

  /** Adds the post and returns its number among its near-duplicates, from 1. */
  count(hash: SimHash, timeMs: number): number {
    this.forget(timeMs);
    const like = new Set<Group>();
    for (const part of partsOf(hash)) {
      for (const group of this.byPart.get(part) ?? []) {
        if (simHashDistance(group.hash, hash) <= NEAR_DUPLICATE_BITS) like.add(group);
      }
    }
    let number = 1;
    for (const group of like) number += group.posts;
    this.remember(hash, timeMs);
    return number;
  }

  /** The number of stored posts. */
  get size(): number {
    return this.entries.length - this.first;
  }

  private remember(hash: SimHash, timeMs: number): void {
    const name = nameOf(hash);
    const known = this.groups.get(name);
    const group = known ?? { hash, posts: 0 };
    group.posts++;
    this.entries.push({ group, timeMs });
    if (known !== undefined) return;
    this.groups.set(name, group);
    for (const part of partsOf(hash)) this.share(part, group);
  }

  private share(part: number, group: Group): void {
    const sharing = this.byPart.get(part);
    if (sharing === undefined) {
      this.byPart.set(part, new Set([group]));
      return;
    }
    sharing.add(group);
    if (sharing.size <= SHARING_MAX) return;
    for (const oldest of sharing) {
      sharing.delete(oldest);
      return;
    }
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

  private drop(group: Group): void {
    this.groups.delete(nameOf(group.hash));
    for (const part of partsOf(group.hash)) {
      const sharing = this.byPart.get(part);
      sharing?.delete(group);
      if (sharing?.size === 0) this.byPart.delete(part);
    }
  }
}

/** Each part combined with its index into one number. */
function partsOf({ high, low }: SimHash): number[] {
  return [high >>> 16, 0x10000 | (high & 0xffff), 0x20000 | (low >>> 16), 0x30000 | (low & 0xffff)];
}

function nameOf({ high, low }: SimHash): string {
  return `${high}:${low}`;
}
