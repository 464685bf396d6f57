import type { StormChain } from './storm-chain.ts';
import { pause, type StormService } from './storm-service.ts';

/** The service stops requesting a block after 6 s, and may be behind the chain at the slot. */
const NAMED_MS = 90_000;

/** Where a gap must be reported (G6). */
const PLACES = ['readyz', 'metric', 'log'] as const;
export type GapOutput = (typeof PLACES)[number];

/** Whether the withheld block follows the last block, or comes after a dropped branch. */
export type GapSituation = 'after-block' | 'after-fork';

/** Milliseconds from the first block after the withheld slot to its report; null for never. */
export type GapDelays = Readonly<Record<GapOutput, number | null>>;

/**
 * All nodes deny one slot that has a block, until the service reports it everywhere or the time
 * limit is over.
 */
export async function withholdSlot(
  chain: StormChain,
  service: StormService,
  place: GapSituation,
): Promise<{ readonly slot: number; readonly sight: GapDelays }> {
  const slot = await nextStayingSlot(chain, place);
  const sinceMs = performance.now();
  const sight: Record<GapOutput, number | null> = { readyz: null, metric: null, log: null };
  const isSeen: Readonly<Record<GapOutput, () => boolean | Promise<boolean>>> = {
    readyz: async () => (await service.get('/readyz')).text.includes(String(slot)),
    metric: () => service.figures.openGaps > 0 && service.figures.missingSlots > 0,
    log: () => service.missingLine(slot) !== null,
  };
  while (Object.values(sight).includes(null) && performance.now() - sinceMs < NAMED_MS) {
    for (const place of PLACES) {
      if (sight[place] === null && (await isSeen[place]())) {
        sight[place] = performance.now() - sinceMs;
      }
    }
    await pause(100);
  }
  chain.withhold(null);
  return { slot, sight };
}

/** Withholds slot after slot until one has a canonical block in the requested situation. */
async function nextStayingSlot(chain: StormChain, place: GapSituation): Promise<number> {
  for (;;) {
    const slot = chain.tipSlot + 3;
    chain.withhold(slot);
    while (chain.tipSlot <= slot) await pause(10);
    if (standsAs(chain, slot, place)) return slot;
  }
}

function standsAs({ steps, canonical }: StormChain, slot: number, place: GapSituation): boolean {
  const block = canonical.find((step) => step.block.slot === slot)?.block;
  if (block === undefined) return false;
  const between = steps.filter(
    (step) => step.block.slot > block.parentSlot && step.block.slot < slot,
  );
  return between.length > 0 === (place === 'after-fork');
}
