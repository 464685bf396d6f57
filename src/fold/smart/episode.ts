import type { Address, UsdNano } from '../../model/units.ts';

/**
 * One wallet's life in one mint that ended: from its first buy until it had sold nearly all, or was
 * closed at its worth because nothing happened any more (METHODS §2.6).
 */
export interface ClosedEpisode {
  readonly wallet: Address;
  readonly mint: Address;
  readonly costUsd: UsdNano;
  /** Of the part whose cost is known. */
  readonly proceedsUsd: UsdNano;
  /** What was left, at the price of then. */
  readonly markUsd: UsdNano;
  readonly boughtRaw: bigint;
  /** Came by transfer. */
  readonly transferredRaw: bigint;
  readonly startMs: number;
  readonly closedMs: number;
  readonly isForced: boolean;
  readonly isLaunchSlotBuy: boolean;
  readonly isCreator: boolean;
}

/** An ended episode with what else decides whether it counts. */
export interface JudgedEpisode extends ClosedEpisode {
  /** The wallet came to the mint behind another that it follows. */
  readonly isCopied: boolean;
}

/** Why an episode says nothing of skill that others could follow. */
export type EpisodeExclusion = 'creator' | 'transferred' | 'launch_slot' | 'copied' | 'small';

const COST_USD_MIN = 20_000_000_000n;
/** Beyond ln(20) either way a return says no more. */
const RETURN_MAX = 3;
/** A win beats the fees of a round trip. */
const WIN_RETURN = Math.log(1.02);

export function exclusionOf(episode: JudgedEpisode): EpisodeExclusion | null {
  if (episode.isCreator) return 'creator';
  // More than a fifth of all that came.
  const receivedRaw = episode.boughtRaw + episode.transferredRaw;
  if (episode.transferredRaw * 5n > receivedRaw) return 'transferred';
  if (episode.isLaunchSlotBuy) return 'launch_slot';
  // What it made is the skill of whom it followed.
  if (episode.isCopied) return 'copied';
  return episode.costUsd < COST_USD_MIN ? 'small' : null;
}

/** Natural logarithm of what came back over what was paid, within ± 3. */
export function returnOf({ costUsd, proceedsUsd, markUsd }: ClosedEpisode): number {
  const back = Number(proceedsUsd + markUsd);
  if (back <= 0 || costUsd <= 0n) return -RETURN_MAX;
  return Math.min(RETURN_MAX, Math.max(-RETURN_MAX, Math.log(back / Number(costUsd))));
}

export function isWin(episodeReturn: number): boolean {
  return episodeReturn > WIN_RETURN;
}
