import type { MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { shareOf } from '../readings/shares.ts';
import type { BundleGroup } from './bundle-group.ts';

/** Shorter locks are not counted (METHODS §7.3, e1). */
const LOCK_MS = 30 * 24 * 3_600_000;

/** Part of a group's acquired tokens that its members locked for at least 30 days, 0 to 1. */
export function lockedShare({ locks }: MintCase, group: BundleGroup): number {
  const lockedBy = new Map<Address, bigint>();
  for (const { owner, amountRaw, timeMs, firstUnlockMs } of locks) {
    if (firstUnlockMs !== null && firstUnlockMs - timeMs < LOCK_MS) continue;
    lockedBy.set(owner, (lockedBy.get(owner) ?? 0n) + amountRaw);
  }
  const lockedRaw = group.members.reduce((sum, { wallet, acquiredRaw }) => {
    const locked = lockedBy.get(wallet) ?? 0n;
    return sum + (locked < acquiredRaw ? locked : acquiredRaw);
  }, 0n);
  return shareOf(lockedRaw, group.acquiredRaw);
}
