/** Who traded one mint in one slot in one direction, by number of wallet. */
interface Meeting {
  readonly mint: number;
  readonly wallets: number[];
  /** Another one of the same slot and direction. */
  readonly next: Meeting | null;
}

/** A trade as far as it shows who trades together. */
export interface MeetingTrade {
  /** The how many-th wallet, from 0 on. */
  readonly wallet: number;
  readonly mint: number;
  readonly slot: number;
  readonly isSell: number;
}

/** Two wallets, by number, and the mints they met at. */
export interface Met {
  readonly one: number;
  readonly other: number;
  readonly mints: number;
}

/**
 * Which of some wallets traded the same mints in the same slots. A case asks this of hundreds of wallets
 * with up to sixteen trades each: keys are numbers, and wallets that met nobody often enough make no pairs.
 */
export class Meetings {
  private readonly bySlot = new Map<number, Meeting>();

  /** Takes wallets one after the other, each with the trades it has of one mint, slot and direction once. */
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

  /** Pairs that met at so many mints, the lower number first; the order of pairs says nothing. */
  pairs(walletCount: number, mintsMin: number): Met[] {
    const meetings = this.ofSeveral();
    const isOften = oftenMet(meetings, walletCount, mintsMin);
    const pairs = new Map<number, MintCount>();
    for (const { mint, wallets } of meetings) {
      const present = wallets.filter((wallet) => isOften[wallet] === 1);
      for (const [place, one] of present.entries()) {
        for (let at = place + 1; at < present.length; at++) {
          countMint(pairs, one * walletCount + (present[at] ?? 0), mint);
        }
      }
    }
    const met: Met[] = [];
    for (const [key, { mints }] of pairs) {
      const other = key % walletCount;
      if (mints >= mintsMin) met.push({ one: (key - other) / walletCount, other, mints });
    }
    return met;
  }

  /** Those of one mint follow one another, so that its second one is known for it. */
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

/** 1 for wallets that met anybody at so many mints: only they can be of a pair that did. */
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
