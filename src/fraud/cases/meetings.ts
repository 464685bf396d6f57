/** Wallets, by number, that traded one mint in one slot in one direction. */
interface Meeting {
  readonly mint: number;
  readonly wallets: number[];
  /** The next meeting of the same slot and direction. */
  readonly next: Meeting | null;
}

/** The part of a trade that shows which wallets trade together. */
export interface MeetingTrade {
  /** Number of the wallet, starting at 0. */
  readonly wallet: number;
  readonly mint: number;
  readonly slot: number;
  readonly isSell: number;
}

/** Two wallets, by number, and the number of mints they met at. */
export interface MeetingPair {
  readonly one: number;
  readonly other: number;
  readonly mints: number;
}

/**
 * Finds wallets that traded the same mints in the same slots. A case has hundreds of wallets with
 * up to sixteen trades each: for speed, keys are numbers, and wallets without enough meetings form
 * no pairs.
 */
export class Meetings {
  private readonly bySlot = new Map<number, Meeting>();

  /** Notes a trade. Wallets must come one after another, each mint, slot and direction once. */
  note({ wallet, mint, slot, isSell }: MeetingTrade): void {
    const key = 2 * slot + isSell;
    const first = this.bySlot.get(key) ?? null;
    for (let known = first; known !== null; known = known.next) {
      if (known.mint !== mint) continue;
      known.wallets.push(wallet);
      return;
    }
    this.bySlot.set(key, { mint, wallets: [wallet], next: first });
  }

  /** Pairs that met at `mintsMin` mints or more, lower number first; pairs are in no order. */
  pairs(walletCount: number, mintsMin: number): MeetingPair[] {
    const meetings = this.ofSeveral();
    const isOften = oftenMet(meetings, walletCount, mintsMin);
    const pairs = new Map<number, MintCount>();
    for (const { mint, wallets } of meetings) {
      const present = wallets.filter((wallet) => isOften[wallet] === 1);
      for (const [index, one] of present.entries()) {
        for (let at = index + 1; at < present.length; at++) {
          countMint(pairs, one * walletCount + (present[at] ?? 0), mint);
        }
      }
    }
    const met: MeetingPair[] = [];
    for (const [key, { mints }] of pairs) {
      const other = key % walletCount;
      if (mints >= mintsMin) met.push({ one: (key - other) / walletCount, other, mints });
    }
    return met;
  }

  /** Meetings of several wallets, sorted by mint: repeated meetings at a mint count once. */
  private ofSeveral(): Meeting[] {
    const found: Meeting[] = [];
    for (const first of this.bySlot.values()) {
      for (let meeting: Meeting | null = first; meeting !== null; meeting = meeting.next) {
        if (meeting.wallets.length > 1) found.push(meeting);
      }
    }
    return found.sort((one, other) => one.mint - other.mint);
  }
}

interface MintCount {
  mints: number;
  lastMint: number;
}

function countMint(pairs: Map<number, MintCount>, key: number, mint: number): void {
  const known = pairs.get(key);
  if (known === undefined) pairs.set(key, { mints: 1, lastMint: mint });
  else if (known.lastMint !== mint) {
    known.mints++;
    known.lastMint = mint;
  }
}

/** 1 for wallets with meetings at `mintsMin` mints or more: only they can form such a pair. */
function oftenMet(
  meetings: readonly Meeting[],
  walletCount: number,
  mintsMin: number,
): Readonly<Uint8Array> {
  const mints = new Uint32Array(walletCount);
  /** Number of the last mint plus one. */
  const lastMint = new Float64Array(walletCount);
  const isOften = new Uint8Array(walletCount);
  for (const { mint, wallets } of meetings) {
    for (const wallet of wallets) {
      if (lastMint[wallet] === mint + 1) continue;
      lastMint[wallet] = mint + 1;
      const count = (mints[wallet] ?? 0) + 1;
      mints[wallet] = count;
      if (count >= mintsMin) isOften[wallet] = 1;
    }
  }
  return isOften;
}
