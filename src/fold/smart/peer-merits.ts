import { UndoLog } from '../../lib/undo-log.ts';
import { WordList } from '../../lib/word-list.ts';

/** Where a merit stands among those of wallets with as many episodes. */
export interface Standing {
  /** Wallets with as many episodes, and those of them with a lower merit. Not integers: see below. */
  readonly peers: number;
  readonly peersBelow: number;
}

/** A group holds wallets with this many episodes (weighted by age), up to the next. */
const GROUPS_FROM = [0, 2, 5, 10, 20, 40, 80, 160] as const;
/** Merits from -2 to 2 in equal bins; those beyond are in the first and the last. */
const BINS = 256;
const MERIT_MOST = 2;
/** Bins whose sum is kept together. */
const BLOCK_BINS = 16;
const BLOCKS = BINS / BLOCK_BINS;
/** Bins, sums of blocks, and the sum of all. */
const GROUP_WORDS = BINS + BLOCKS + 1;
/**
 * Made-up peers, as long as there are few: their merits are logistic about 0, so that a merit of
 * 0.25 stands above 92 % of them.
 */
const PRIOR_PEERS = 20;
const PRIOR_SCALE = 0.1;

/**
 * The merits of all people, as numbers of wallets by group and bin, each wallet where its last
 * ended episode left it. Changes and percentiles cost the same however many wallets there are.
 */
export class PeerMerits {
  private readonly words: WordList;

  constructor(undo = new UndoLog()) {
    this.words = new WordList(undo, 'merits of wallets');
  }

  /** Adds a wallet, or with -1 removes it. */
  add(episodes: number, merit: number, wallets: 1 | -1): void {
    const group = groupOf(episodes) * GROUP_WORDS;
    const bin = Math.floor(placeOf(merit));
    for (const word of [bin, BINS + Math.floor(bin / BLOCK_BINS), BINS + BLOCKS]) {
      this.words.set(group + word, this.words.get(group + word) + wallets);
    }
  }

  /** Wallets of the own bin count in part, by the place of the merit within the bin. */
  standing(episodes: number, merit: number): Standing {
    const group = groupOf(episodes) * GROUP_WORDS;
    const place = placeOf(merit);
    const bin = Math.floor(place);
    const block = Math.floor(bin / BLOCK_BINS);
    let below = 0;
    for (let before = 0; before < block; before++) below += this.words.get(group + BINS + before);
    for (let before = block * BLOCK_BINS; before < bin; before++) {
      below += this.words.get(group + before);
    }
    return {
      peers: this.words.get(group + BINS + BLOCKS),
      peersBelow: below + this.words.get(group + bin) * (place - bin),
    };
  }
}

/** The percentile from 0 to 100, with the made-up peers. */
export function percentileOf(merit: number, { peers, peersBelow }: Standing): number {
  const priorBelow = PRIOR_PEERS / (1 + Math.exp(-merit / PRIOR_SCALE));
  return (100 * (peersBelow + priorBelow)) / (peers + PRIOR_PEERS);
}

function groupOf(episodes: number): number {
  return GROUPS_FROM.findLastIndex((from) => episodes >= from);
}

/** From 0 to below `BINS`. */
function placeOf(merit: number): number {
  const place = ((merit + MERIT_MOST) * BINS) / (2 * MERIT_MOST);
  return Math.min(BINS - LAST_PLACE, Math.max(0, place));
}

/** The highest place is this far below the end of the last bin. */
const LAST_PLACE = 1e-6;
