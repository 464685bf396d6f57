import { isDeepStrictEqual } from 'node:util';
import type { ChainStep } from '../../simulator/market/world.ts';
import {
  type CursorEvidence,
  calmState,
  type FolderState,
  stateOf,
  tradedIn,
} from './data-folder-state.ts';
import type { StormChain } from './storm-chain.ts';

/** The data stored through a storm, compared with a calm run and with the venues' own records. */
export interface Verdict {
  readonly slots: number;
  readonly trades: number;
  readonly digest: string;
  readonly calmDigest: string;
  readonly differences: readonly string[];
}

/** Opens the storm's folder, and fills an empty one with the same blocks. */
export async function judge(
  chain: StormChain,
  stormFolder: string,
  calmFolder: string,
): Promise<Verdict> {
  const pools = [...tradedIn(chain.steps).keys()];
  const storm = await stateOf(stormFolder, pools);
  const steps = stepsBetween(chain, storm.firstSlot, storm.lastSlot);
  const calm = await calmState(calmFolder, pools, steps, storm.observations);
  const truth = tradedIn(steps);
  return {
    slots: steps.length,
    trades: countOf(truth),
    digest: storm.digest,
    calmDigest: calm.digest,
    differences: differencesOf(storm, calm, truth, steps),
  };
}

function differencesOf(
  storm: FolderState,
  calm: FolderState,
  truth: FolderState['sums'],
  steps: readonly ChainStep[],
): string[] {
  const passed = storm.lastSlot - storm.firstSlot + 1;
  const counts = { held: steps.length, skipped: passed - steps.length, missing: 0 };
  const tables = Object.keys(calm.rows).filter(
    (name) => !isDeepStrictEqual(storm.rows[name], calm.rows[name]),
  );
  const checks: readonly (readonly [boolean, string])[] = [
    [storm.digest === calm.digest, 'the digest differs from that of the calm run'],
    [storm.finalSlot === storm.lastSlot, 'the cursor is not at the end of the log'],
    [tables.length === 0, `rows differ from the calm run's in ${tables.join(', ')}`],
    [isDeepStrictEqual(storm.sums, truth), 'sums of pools differ from those of the venues'],
    [
      isDeepStrictEqual(storm.counts, counts),
      `the ledger counts ${JSON.stringify(storm.counts)} instead of ${JSON.stringify(counts)}`,
    ],
  ];
  return checks.filter(([isSame]) => !isSame).map(([, difference]) => difference);
}

/** Checks that all data up to a dead folder's cursor is stored (G7): each block and each swap. */
export function cursorDifferences(chain: StormChain, evidence: CursorEvidence | null): string[] {
  if (evidence === null || evidence.isDirty) return [];
  const { slot, logged, swaps } = evidence;
  const steps = stepsBetween(chain, logged[0] ?? 0, slot ?? 0);
  const passed = steps.map(({ block }) => block.slot);
  const traded = countOf(tradedIn(steps));
  return [
    ...(isDeepStrictEqual(logged, passed)
      ? []
      : [`up to the cursor at ${slot} the log has other slots than the chain`]),
    ...(swaps === traded
      ? []
      : [`up to the cursor at ${slot} ${swaps} swaps are stored of ${traded}`]),
  ];
}

function stepsBetween(chain: StormChain, first: number, last: number): ChainStep[] {
  return chain.canonical.filter(({ block }) => block.slot >= first && block.slot <= last);
}

function countOf(sums: FolderState['sums']): number {
  return [...sums.values()].reduce((sum, { swaps }) => sum + swaps, 0);
}
