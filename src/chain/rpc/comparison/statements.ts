import type { PostEmitter, Testimony } from '../nodes/testimony.ts';

/** What somebody last told of a block; `faults` is null where only the digest is known. */
export interface Statement {
  readonly teller: PostEmitter;
  readonly digest: string;
  readonly faults: Testimony['faults'] | null;
}

/** Somebody told a block wrongly; repeated: and did not tell it rightly when asked again. */
export interface Refutation {
  readonly teller: PostEmitter;
  readonly isRepeated: boolean;
}

/** What everybody tells of one block, and what follows from it. */
export class Statements {
  private readonly latest = new Map<string, Statement>();
  /** Everything anybody ever told, so that a word taken back still counts as told. */
  private readonly told = new Map<PostEmitter, Set<string>>();
  private readonly isWitness: (teller: PostEmitter) => boolean;

  /** `isWitness`: whether the word of somebody counts, which is asked whenever something follows from it. */
  constructor(isWitness: (teller: PostEmitter) => boolean) {
    this.isWitness = isWitness;
  }

  /** Returns whether it is what was told before. */
  add(statement: Statement): boolean {
    const { teller, digest } = statement;
    const isRepeated = this.latest.get(teller.label)?.digest === digest;
    this.latest.set(teller.label, statement);
    this.told.set(teller, (this.told.get(teller) ?? new Set()).add(digest));
    return isRepeated;
  }

  /** Those who ever told something else. */
  refutedBy(digest: string): Refutation[] {
    const isOther = (digests: Set<string>) => [...digests].some((other) => other !== digest);
    return [...this.told]
      .filter(([, digests]) => isOther(digests))
      .map(([teller]) => ({
        teller,
        isRepeated: this.latest.get(teller.label)?.digest !== digest,
      }));
  }

  /** Who tells this now. */
  tellersOf(digest: string): PostEmitter[] {
    const alike = [...this.latest.values()].filter((statement) => statement.digest === digest);
    return alike.map(({ teller }) => teller);
  }

  /**
   * What more witnesses tell than anything else, and at least two of them; or the only witness, where
   * whoever tells otherwise is none.
   */
  get agreedDigest(): string | null {
    const votes = new Map<string, number>();
    for (const { digest, teller } of this.latest.values()) {
      if (this.isWitness(teller)) votes.set(digest, (votes.get(digest) ?? 0) + 1);
    }
    const [first, second] = [...votes].sort(([, one], [, other]) => other - one);
    if (first === undefined || first[1] === second?.[1]) return null;
    return first[1] >= 2 || votes.size === 1 ? first[0] : null;
  }

  /** What contradicts itself less than everything else that is told. */
  get soundestDigest(): string | null {
    const faults = new Map<string, number>();
    for (const { digest, faults: found } of this.latest.values()) {
      if (found !== null) faults.set(digest, found);
    }
    // What cannot be looked into can be neither the soundest nor beaten.
    if ([...this.latest.values()].some(({ digest }) => !faults.has(digest))) return null;
    const [first, second] = [...faults].sort(([, one], [, other]) => one - other);
    if (first === undefined || first[1] === second?.[1]) return null;
    return first[0];
  }
}
