import { asSlot } from '../model/units.ts';
import { type BlockLink, type ChainPoint, parentOf } from './block-link.ts';
import type { BlockLog } from './block-log.ts';
import type { LogStep } from './log-step.ts';
import type { LostPoints } from './lost-points.ts';
import type { PendingBranch } from './pending-blocks.ts';

/** How a pending branch relates to the log. */
export type Attachment =
  | { readonly kind: 'attached'; readonly at: ChainPoint }
  /** No node can supply the parent; `reason` says why. */
  | { readonly kind: 'lost'; readonly reason: string }
  | { readonly kind: 'open' }
  /** Its parent contradicts a final block. */
  | { readonly kind: 'contradiction' };

/** The pending branch that the log follows next. */
export interface NextBranch<Block> {
  readonly branch: PendingBranch<Block>;
  /** The block of the log that it continues from. */
  readonly at: ChainPoint;
  readonly gap: Extract<LogStep<Block>, { kind: 'missing' }> | null;
}

/** Relates the branch to the log by the parent of its root. */
export function attachmentOf<Block extends BlockLink>(
  { root }: PendingBranch<Block>,
  log: BlockLog<Block>,
  lost: LostPoints,
): Attachment {
  const parent = parentOf(root);
  const { base } = log;
  const at = log.find(parent);
  if (at !== null) return { kind: 'attached', at };
  if (base !== null && parent.slot <= base.slot) return { kind: 'contradiction' };
  const reason = lost.reasonOf(parent);
  return reason === null ? { kind: 'open' } : { kind: 'lost', reason };
}

/** The branch that continues from the log, or else from a gap; null if there is none. */
export function nextBranch<Block extends BlockLink>(
  branches: readonly PendingBranch<Block>[],
  log: BlockLog<Block>,
  lost: LostPoints,
): NextBranch<Block> | null {
  return attachedBranch(branches, log, lost) ?? lostBranch(branches, log, lost);
}

/** The attached branch with the highest tip. */
function attachedBranch<Block extends BlockLink>(
  branches: readonly PendingBranch<Block>[],
  log: BlockLog<Block>,
  lost: LostPoints,
): NextBranch<Block> | null {
  let best: NextBranch<Block> | null = null;
  for (const branch of branches) {
    const attachment = attachmentOf(branch, log, lost);
    if (attachment.kind !== 'attached') continue;
    if (best === null || branch.tip.slot > best.branch.tip.slot) {
      best = { branch, at: attachment.at, gap: null };
    }
  }
  return best;
}

/**
 * The lowest branch, because others may follow it. Slots between log and branch are reported
 * missing.
 */
function lostBranch<Block extends BlockLink>(
  branches: readonly PendingBranch<Block>[],
  log: BlockLog<Block>,
  lost: LostPoints,
): NextBranch<Block> | null {
  for (const branch of branches) {
    const attachment = attachmentOf(branch, log, lost);
    if (attachment.kind !== 'lost') continue;
    const to = branch.root.parentSlot;
    const at = log.tail.findLast(({ slot }) => slot < to) ?? (log.base as ChainPoint);
    const from = asSlot(at.slot + 1);
    return { branch, at, gap: { kind: 'missing', from, to, reason: attachment.reason } };
  }
  return null;
}
