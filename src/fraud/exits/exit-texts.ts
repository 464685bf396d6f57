import type { InvolvedWallet } from '../../model/fraud.ts';
import type { MintCase } from '../../model/mint-case.ts';
import { type Address, asLamports } from '../../model/units.ts';
import type { EvidenceDraft, EvidenceTexts } from '../evidence/gather-evidence.ts';
import { relationEvidence } from '../evidence/relation-evidence.ts';
import { chanceText, countText, percentText } from '../evidence/sentences.ts';
import { supplyEvidence } from '../evidence/supply-evidence.ts';
import { timingEvidence } from '../evidence/timing-evidence.ts';
import { type EvidenceMovement, transactionEvidence } from '../evidence/transaction-evidence.ts';
import { backerClaims, clusterEvidence, originClaims } from '../groups/crew.ts';
import { findCommonFunders } from '../groups/funders.ts';
import { findDestinations, involveWallets, type RoleClaim } from '../groups/roles.ts';
import { compareText } from '../readings/block-order.ts';
import { lamportsToUsd } from '../readings/value-at-risk.ts';
import type { Measures } from '../scoring/score.ts';
import { findForwarders, findFunnels, removalsOf } from './exit-measures.ts';
import type { ExitStep } from './exit-steps.ts';
import type { CrewExit, ExitContext, ExitFeature } from './exit-window.ts';

/** Evidence texts of an exit, by feature. */
export function exitTexts(
  context: ExitContext,
  exit: CrewExit,
  measures: Measures<ExitFeature>,
): EvidenceTexts {
  const { mintCase, holdings, clusters } = context;
  const { cluster, first, endMs } = exit;
  const part = (name: ExitFeature): string => percentText(measures[name] ?? 0);
  const out = exit.steps.filter(isOut);
  const seconds = countText(Math.round((endMs - first.timeMs) / 1000), 'second');
  const sellers = countText(new Set(out.map(({ wallet }) => wallet)).size, 'wallet');
  const movements = (): readonly EvidenceMovement[] =>
    out.map((step) => stepMovement(context, step));
  return {
    drafts: {
      exit: () => ({
        type: 'same_block_trades',
        description: `The cluster parted with ${part('exit')} of what it held within ${seconds}, through ${sellers}.`,
        payload: transactionEvidence(movements(), false),
      }),
      supply: () => ({
        type: 'supply_concentration',
        description: `Before, it held ${part('supply')} of the supply.`,
        payload: supplyEvidence({
          mintCase,
          holdings: holdings.allBefore(first.slot),
          suspicious: new Set(cluster.members),
          clusters,
        }),
      }),
      sync: () => ({
        type: 'suspicious_timing',
        description: syncText(context, exit, measures.sync ?? 0),
        payload: timingEvidence(out, 'synchronized_exit'),
      }),
      drain: () => ({
        type: 'price_manipulation',
        description: `It took ${part('drain')} of the pool's quote with it.`,
        payload: timingEvidence(out, 'drain'),
      }),
      fall: () => ({
        type: 'price_manipulation',
        description: `The price fell by ${part('fall')} from the mean of the five minutes before.`,
        payload: timingEvidence(out, 'drain'),
      }),
      liquidity: () => ({
        type: 'volume_manipulation',
        description: `${part('liquidity')} of a pool's quote was taken out as liquidity around the exit.`,
        payload: transactionEvidence(
          removalsOf(context, exit).map((removal) =>
            stepMovement(context, {
              ...removal,
              wallet: removal.provider,
              lamports: 0n - removal.lamports,
            }),
          ),
          false,
        ),
      }),
      link: () => linkText(context, exit),
    },
    reductions: {},
  };
}

/**
 * Assigns the roles of an exit (METHODS §7.7). The attacker is the creator if it is in the cluster
 * or sends money to a destination of the proceeds, otherwise the wallet that received most. Sellers
 * that others send tokens to are attackers as well; the senders are intermediaries.
 */
export function assignExitRoles(context: ExitContext, exit: CrewExit): InvolvedWallet[] {
  const { mintCase } = context;
  const { cluster, steps, first, endMs } = exit;
  const creator = mintCase.launch?.creator ?? null;
  const destinations = findDestinations(mintCase, new Set(cluster.members), first.slot);
  const isCreators =
    creator !== null &&
    (cluster.members.includes(creator) || sendsTo(mintCase, creator, destinations));
  const funnels = findFunnels(context, exit);
  const sellers = new Set(steps.filter(isOut).map(({ wallet }) => wallet));
  const bundled = new Set(
    mintCase.trades
      .filter(({ side, group }) => side === 'buy' && group !== null)
      .map(({ wallet }) => wallet),
  );
  const attackers = [
    isCreators ? creator : largestTaker(steps),
    ...funnels.map(({ seller }) => seller),
  ];
  const claims: RoleClaim[] = [
    ...attackers.map((wallet): RoleClaim => [wallet, 'attacker']),
    ...originClaims(mintCase, attackers, endMs),
    ...funnels.flatMap(({ transfers }) =>
      transfers.map(({ from }): RoleClaim => [from, 'intermediary']),
    ),
    ...findForwarders(context, exit).map((wallet): RoleClaim => [wallet, 'intermediary']),
    ...[...sellers].map(
      (wallet): RoleClaim => [wallet, bundled.has(wallet) ? 'bundler' : 'unknown'],
    ),
    ...backerClaims(mintCase, cluster.members, endMs),
    ...destinations,
  ];
  const labels = isCreators ? [[creator, ['creator']] as const] : [];
  return involveWallets(mintCase, claims, new Map(labels));
}

/** Whether a wallet pays one of the destinations. */
function sendsTo(
  { payments }: MintCase,
  wallet: Address,
  destinations: readonly RoleClaim[],
): boolean {
  return payments.some(
    ({ from, to }) => from === wallet && destinations.some(([address]) => address === to),
  );
}

/** Whether the crew disposed of tokens or took lamports from a pool; false for purchases. */
function isOut({ baseRaw, lamports }: ExitStep): boolean {
  return baseRaw > 0n || lamports > 0n;
}

function largestTaker(steps: readonly ExitStep[]): Address {
  const taken = new Map<Address, bigint>();
  for (const { wallet, lamports } of steps) {
    taken.set(wallet, (taken.get(wallet) ?? 0n) + lamports);
  }
  const [largest] = [...taken].sort(
    ([oneName, one], [otherName, other]) => Number(other - one) || compareText(oneName, otherName),
  );
  if (largest === undefined) throw new Error('an exit without a step');
  return largest[0];
}

function stepMovement(
  { mintCase }: ExitContext,
  step: Omit<ExitStep, 'baseRaw' | 'trade' | 'pool'> & Partial<Pick<ExitStep, 'trade'>>,
): EvidenceMovement {
  const { slot, timeMs, txIndex, signature, wallet } = step;
  const lamports = asLamports(step.lamports);
  const usd = step.trade?.usd ?? lamportsToUsd(lamports, mintCase.market?.solUsd ?? null);
  return { slot, timeMs, txIndex, signature, wallets: [wallet], lamports, usd };
}

function syncText(context: ExitContext, exit: CrewExit, surprise: number): string {
  const [funnel] = findFunnels(context, exit);
  if (funnel !== undefined) {
    const count = new Set(funnel.transfers.map(({ from }) => from)).size;
    return `${countText(count, 'wallet')} sent their tokens to one seller within ten minutes of its sale.`;
  }
  return `That so many of them sold first at that time has a chance of ${chanceText(surprise)} at the rate of other holders of like size.`;
}

function linkText({ mintCase }: ExitContext, { cluster, endMs }: CrewExit): EvidenceDraft {
  const times = new Map(cluster.members.map((wallet) => [wallet, endMs]));
  const [funder] = findCommonFunders(mintCase, times);
  const count = countText(cluster.members.length, 'wallet');
  if (funder === undefined) {
    return {
      type: 'wallet_cluster',
      description: `${count} belong to one cluster.`,
      payload: clusterEvidence(cluster),
    };
  }
  return {
    type: 'common_funding',
    description: `${funder.wallets.length} of ${count} of the cluster were paid by one source.`,
    payload: relationEvidence({
      source: funder.funder,
      related: funder.wallets,
      relationship: funder.isDirect ? 'direct_funding' : 'indirect_funding',
      strength: cluster.strength,
    }),
  };
}
