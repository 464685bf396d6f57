import type { BlockWitness, Testimony } from '../nodes/testimony.ts';

/** An emitter's latest statement on a block; `faults` is null where only the digest is known. */
export interface Statement {
  readonly blockWitness: BlockWitness;
  readonly digest: string;
  readonly faults: Testimony['faults'] | null;
}

/**
 * An emitter whose version of a block was wrong. `isRepeated`: asked again, it did not correct it.
 */
export interface Refutation {
  readonly blockWitness: BlockWitness;
  readonly isRepeated: boolean;
}

/** The statements of all emitters on one block, and what follows from them. */
export class Statements {
  private readonly latest = new Map<string, Statement>();
  /** Every digest an emitter ever stated, so that a withdrawn statement still counts. */
  private readonly everStated = new Map<BlockWitness, Set<string>>();
  private readonly isWitness: (blockWitness: BlockWitness) => boolean;

  /** `isWitness` decides whether an emitter's statement counts. It is called at each decision. */
  constructor(isWitness: (blockWitness: BlockWitness) => boolean) {
    this.isWitness = isWitness;
  }

  /** Returns whether the emitter repeated its previous statement. */
  add(statement: Statement): boolean {
    const { blockWitness, digest } = statement;
    const isRepeated = this.latest.get(blockWitness.label)?.digest === digest;
    this.latest.set(blockWitness.label, statement);
    this.everStated.set(blockWitness, (this.everStated.get(blockWitness) ?? new Set()).add(digest));
    return isRepeated;
  }

  /** Emitters that ever stated something else. */
  refutedBy(digest: string): Refutation[] {
    const isOther = (digests: Set<string>) => [...digests].some((other) => other !== digest);
    return [...this.everStated]
      .filter(([, digests]) => isOther(digests))
      .map(([blockWitness]) => ({
        blockWitness,
        isRepeated: this.latest.get(blockWitness.label)?.digest !== digest,
      }));
  }

  /** Emitters whose latest statement this is. */
  witnessesOf(digest: string): BlockWitness[] {
    const alike = [...this.latest.values()].filter((statement) => statement.digest === digest);
    return alike.map(({ blockWitness }) => blockWitness);
  }

  /**
   * The digest stated by more witnesses than any other, at least two; or by the only witness, where
   * the emitters that differ are not witnesses.
   */
  get agreedDigest(): string | null {
    const votes = new Map<string, number>();
    for (const { digest, blockWitness } of this.latest.values()) {
      if (this.isWitness(blockWitness)) votes.set(digest, (votes.get(digest) ?? 0) + 1);
    }
    const [first, second] = [...votes].sort(([, one], [, other]) => other - one);
    if (first === undefined || first[1] === second?.[1]) return null;
    return first[1] >= 2 || votes.size === 1 ? first[0] : null;
  }

  /** The digest with fewer contradictions than every other one. */
  get soundestDigest(): string | null {
    const faults = new Map<string, number>();
    for (const { digest, faults: found } of this.latest.values()) {
      if (found !== null) faults.set(digest, found);
    }
    // A digest without known faults can neither win nor be beaten.
    if ([...this.latest.values()].some(({ digest }) => !faults.has(digest))) return null;
    const [first, second] = [...faults].sort(([, one], [, other]) => one - other);
    if (first === undefined || first[1] === second?.[1]) return null;
    return first[0];
  }
}
