import type { Address, UsdNano } from '../../model/units.ts';

/**
 * A closed episode of one wallet in one mint: from its first buy until it had sold nearly all, or
 * was closed at market value after a long time without trades (METHODS §2.6).
 */
export interface ClosedEpisode {
  readonly wallet: Address;
  readonly mint: Address;
  readonly costUsd: UsdNano;
  /** Proceeds of the units with a known cost. */
  readonly proceedsUsd: UsdNano;
  /** Market value of the remaining units at the forced end; 0 after a sale. */
  readonly markUsd: UsdNano;
  readonly boughtRaw: bigint;
  /** Units received by transfer. */
  readonly transferredRaw: bigint;
  readonly startMs: number;
  /** Age and market cap of the token at the first purchase, as a cell of `entryCellOf`. */
  readonly entryCell: number;
  readonly closedMs: number;
  readonly isForced: boolean;
  readonly isLaunchSlotBuy: boolean;
  readonly isCreator: boolean;
}

/** A closed episode with the further input that decides whether it counts. */
export interface JudgedEpisode extends ClosedEpisode {
  /** The wallet bought the mint shortly after a wallet that it follows. */
  readonly isCopied: boolean;
}

/** Why an episode is no evidence of skill that others could follow. */
export type EpisodeExclusion = 'creator' | 'transferred' | 'launch_slot' | 'copied' | 'small';

const COST_USD_MIN = 20_000_000_000n;
/** Returns are clamped at about ± ln(20): beyond it they carry no further information. */
const RETURN_MAX = 3;
/** A win must exceed the fees of a round trip. */
const WIN_RETURN = Math.log(1.02);

export function exclusionOf(episode: JudgedEpisode): EpisodeExclusion | null {
  if (episode.isCreator) return 'creator';
  // More than a fifth of all units received.
  const receivedRaw = episode.boughtRaw + episode.transferredRaw;
  if (episode.transferredRaw * 5n > receivedRaw) return 'transferred';
  if (episode.isLaunchSlotBuy) return 'launch_slot';
  // The profit shows the skill of the followed wallet.
  if (episode.isCopied) return 'copied';
  return episode.costUsd < COST_USD_MIN ? 'small' : null;
}

/** Natural logarithm of proceeds and market value divided by cost, clamped to ± 3. */
export function returnOf({ costUsd, proceedsUsd, markUsd }: ClosedEpisode): number {
  const back = Number(proceedsUsd + markUsd);
  if (back <= 0 || costUsd <= 0n) return -RETURN_MAX;
  return Math.min(RETURN_MAX, Math.max(-RETURN_MAX, Math.log(back / Number(costUsd))));
}

export function isWin(episodeReturn: number): boolean {
  return episodeReturn > WIN_RETURN;
}
