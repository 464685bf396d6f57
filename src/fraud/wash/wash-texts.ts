import { ATOMIC_LEVELS } from '../../model/derived.ts';
import type { InvolvedWallet } from '../../model/fraud.ts';
import type { CaseTrade, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import type { EvidenceDraft, EvidenceTexts } from '../evidence/gather-evidence.ts';
import { relationEvidence } from '../evidence/relation-evidence.ts';
import { countText, percentText } from '../evidence/sentences.ts';
import {
  type EvidenceMovement,
  tradeMovement,
  transactionEvidence,
} from '../evidence/transaction-evidence.ts';
import { findDestinations, involveWallets, type RoleClaim } from '../groups/roles.ts';
import type { PaymentLoop } from '../readings/payment-loops.ts';
import { isTrader } from '../readings/traders.ts';
import { lamportsToUsd } from '../readings/value-at-risk.ts';
import type { Measures } from '../scoring/score.ts';
import { atomicTrades, type RingFunding } from './wash-measures.ts';
import { usdOf, type WashContext, type WashFeature, type WashRing } from './wash-ring.ts';

export interface RingReading {
  readonly ring: WashRing;
  readonly funding: RingFunding;
  readonly loop: PaymentLoop | null;
}

/** Evidence texts of washing, by feature. */
export function ringTexts(
  context: WashContext,
  reading: RingReading & { readonly measures: Measures<WashFeature> },
): EvidenceTexts {
  const { mintCase } = context;
  const { ring, measures, loop } = reading;
  const part = (name: WashFeature): string => percentText(measures[name] ?? 0);
  const { trades } = ring.matched;
  const matched = (): EvidenceDraft['payload'] =>
    transactionEvidence(trades.map(tradeMovement), false);
  const usd = Math.round(usdOf(mintCase, trades) ?? 0);
  const hands = countText(ring.wallets.length, 'wallet');
  return {
    drafts: {
      share: () => ({
        type: 'volume_manipulation',
        description: `${countText(trades.length, 'trade')} of ${hands} for ${usd} USD cancel out: ${part('share')} of the day's volume.`,
        payload: matched(),
      }),
      churn: () => ({
        type: 'volume_manipulation',
        description: `${part('churn')} of the tokens they traded were bought and sold again.`,
        payload: matched(),
      }),
      uneconomic: () => ({
        type: 'volume_manipulation',
        description: `${part('uneconomic')} of ${countText(ring.rounds.length, 'round')} cost about their fees: they were paid for nothing.`,
        payload: matched(),
      }),
      funding: () => fundingText(reading),
      regularity: () => ({
        type: 'similar_patterns',
        description: `Purchases follow each other evenly and in sizes that nobody types: ${part('regularity')} of what a program shows.`,
        // A single wallet is related to nobody: its purchases show the pattern.
        payload:
          ring.wallets.length === 1
            ? matched()
            : relationEvidence({
                source: ring.cluster?.root ?? firstOf(ring.wallets),
                related: ring.wallets,
                relationship: 'coordinated_trading',
                strength: measures.regularity ?? 0,
              }),
      }),
      atomic: () => ({
        type: 'bundled_transaction',
        description: `${part('atomic')} of that volume went there and back in one transaction or bundle.`,
        payload: transactionEvidence(atomicTrades(ring).map(tradeMovement), true),
      }),
      loop: () => ({
        type: 'circular_flow',
        description: `SOL goes round among ${countText(loop?.wallets.length ?? 0, 'wallet')}: ${percentText(loop?.returned ?? 0)} of it came back.`,
        payload: transactionEvidence(loopMovements(mintCase, loop), false),
      }),
    },
    reductions: {
      arbitrage: () => `routes over several pools in ${part('arbitrage')} of that volume`,
      maker: () => 'signs of market making: a profit, a stock or liquidity of its own',
    },
  };
}

/**
 * Assigns the roles of a ring (METHODS §7.8): its funders and fee payers are attackers, wallets
 * that forward SOL are intermediaries, and wallets that trade in bundles are bundlers.
 */
export function assignRingRoles(
  { mintCase }: WashContext,
  { ring, funding, loop }: RingReading,
): InvolvedWallet[] {
  const washers = new Set(ring.wallets);
  const funders = funding.backings.flatMap((backing) => backing.funders);
  const payers = feePayers(mintCase, ring.matched.trades, washers);
  const bundled = new Set(
    ring.matched.trades
      .filter(({ group }) => group !== null && ATOMIC_LEVELS.has(group.level))
      .map(({ wallet }) => wallet),
  );
  const [firstSlot] = ring.matched.trades.map(({ slot }) => slot);
  const claims: RoleClaim[] = [
    ...funders.map(({ funder }): RoleClaim => [funder, 'attacker']),
    ...payers.map((payer): RoleClaim => [payer, 'attacker']),
    ...ring.wallets.map(
      (wallet): RoleClaim => [wallet, bundled.has(wallet) ? 'bundler' : 'unknown'],
    ),
    ...funders.flatMap(({ between }) => between.map((one): RoleClaim => [one, 'intermediary'])),
    ...(loop?.wallets ?? []).map((wallet): RoleClaim => [wallet, 'intermediary']),
    ...findDestinations(mintCase, washers, firstSlot ?? mintCase.slot),
  ];
  const labels = new Map<Address, string[]>();
  for (const wallet of ring.wallets) labels.set(wallet, ['wash_trader']);
  for (const { funder } of funders) {
    labels.set(funder, [...(labels.get(funder) ?? []), 'funding_source']);
  }
  return involveWallets(mintCase, withoutRelayRole(claims, washers), labels);
}

/** Removes the intermediary role from wallets that trade. */
function withoutRelayRole(
  claims: readonly RoleClaim[],
  washers: ReadonlySet<Address>,
): readonly RoleClaim[] {
  return claims.filter(([wallet, role]) => role !== 'intermediary' || !washers.has(wallet));
}

/** Fee payers that pay only for wallets of the ring and do not trade themselves. */
function feePayers(
  mintCase: MintCase,
  trades: readonly CaseTrade[],
  washers: ReadonlySet<Address>,
): readonly Address[] {
  const served = new Map<Address, Set<Address>>();
  for (const { feePayer, wallet, isTerminal } of mintCase.trades) {
    if (isTerminal) continue;
    served.set(feePayer, (served.get(feePayer) ?? new Set()).add(wallet));
  }
  return [...new Set(trades.map(({ feePayer }) => feePayer))]
    .filter((payer) => !washers.has(payer) && isTrader(mintCase, payer))
    .filter((payer) => [...(served.get(payer) ?? [])].every((wallet) => washers.has(wallet)))
    .sort();
}

function fundingText({ ring, funding }: RingReading): EvidenceDraft {
  const { wallets, matched } = ring;
  if (wallets.length === 1) {
    return {
      type: 'volume_manipulation',
      description: 'One wallet alone made both sides.',
      payload: transactionEvidence(matched.trades.map(tradeMovement), false),
    };
  }
  const [backing] = funding.backings;
  const weighted = `weighted by what they traded that is ${percentText(funding.share)}`;
  const alike = countText(funding.paidAlike.length, 'wallet');
  if (backing === undefined) {
    return {
      type: 'common_funding',
      description: `${alike} of ${wallets.length} had money from exchanges in the same minutes and amounts, which counts half; ${weighted}.`,
      payload: relationEvidence({
        source: firstOf(funding.paidAlike),
        related: funding.paidAlike,
        relationship: 'indirect_funding',
        strength: funding.share,
      }),
    };
  }
  const rest =
    funding.paidAlike.length === 0
      ? ''
      : `, ${alike} had money from exchanges in the same minutes and amounts, which counts half`;
  return {
    type: 'common_funding',
    description: `${backing.members.length} of ${countText(wallets.length, 'wallet')} are linked to one source${rest}; ${weighted}.`,
    payload: relationEvidence({
      source: backing.source,
      related: backing.members.map(({ wallet }) => wallet),
      relationship: backing.relationship,
      strength: backing.cluster.strength,
    }),
  };
}

function loopMovements(mintCase: MintCase, loop: PaymentLoop | null): readonly EvidenceMovement[] {
  return (loop?.payments ?? []).map(({ slot, timeMs, txIndex, signature, from, to, lamports }) => ({
    slot,
    timeMs,
    txIndex,
    signature,
    lamports,
    wallets: [from, to],
    usd: lamportsToUsd(lamports, mintCase.market?.solUsd ?? null),
  }));
}

function firstOf(wallets: readonly Address[]): Address {
  const [first] = wallets;
  if (first === undefined) throw new Error('a ring without wallets');
  return first;
}
