import type { InvolvedWallet } from '../../model/fraud.ts';
import type { CaseTrade, MintCase } from '../../model/mint-case.ts';
import type { Address } from '../../model/units.ts';
import { type BundleGroup, freshMembers } from '../groups/bundle-group.ts';
import { nearestPayerClaims } from '../groups/crew.ts';
import { findCommonFunders } from '../groups/funders.ts';
import type { GroupFunding } from '../groups/group-funding.ts';
import { findDestinations, involveWallets, type RoleClaim } from '../groups/roles.ts';
import { type Clusters, LINKED_MIN } from '../links/clusters.ts';
import { isTrader } from '../readings/traders.ts';

/** A fee payer of more owners than this is a public service (METHODS §7.1, X-payer). */
const PAYER_OWNERS_MAX = 20;

export interface BundleRoleInputs {
  readonly mintCase: MintCase;
  readonly group: BundleGroup;
  readonly funding: GroupFunding;
  /** From all usable links, whether or not they show funding. */
  readonly clusters: Clusters;
  /** Purchases of other wallets that belong to the bundle. */
  readonly mates: readonly CaseTrade[];
  /** Whether the mint was created within the bundle itself. */
  readonly isCreatedWithin: boolean;
  /** From which slot on members bought late, within the window of a launch; null without any. */
  readonly window?: { readonly fromSlot: number } | null;
}

/**
 * Assigns the roles of a bundle (METHODS §7.3). The attacker is the creator if it is linked to the
 * group or created the mint within the bundle, otherwise the funder of the largest part.
 */
export function assignBundleRoles(inputs: BundleRoleInputs): InvolvedWallet[] {
  const { mintCase, group } = inputs;
  const attacker = attackerOf(inputs);
  const fromSlot = group.buys[0]?.slot ?? mintCase.slot;
  const claims: RoleClaim[] = [
    ...(attacker === null ? [] : [[attacker, 'attacker'] as const]),
    ...group.members.map(({ wallet, level }): RoleClaim => [wallet, level ? 'bundler' : 'unknown']),
    ...inputs.mates.map(({ wallet }): RoleClaim => [wallet, 'bundler']),
    ...feePayers(mintCase, group).map((payer): RoleClaim => [payer, 'bundler']),
    ...funderClaims(inputs, attacker),
    ...findDestinations(mintCase, group.wallets, fromSlot),
  ];
  return involveWallets(mintCase, claims, labelsOf(inputs));
}

function attackerOf({ mintCase, group, funding, clusters, isCreatedWithin }: BundleRoleInputs) {
  const creator = mintCase.launch?.creator ?? null;
  if (creator !== null) {
    const cluster = clusters.of(creator);
    const isLinked =
      cluster?.members.some((wallet) => wallet !== creator && group.wallets.has(wallet)) ?? false;
    if (isLinked || isCreatedWithin) return creator;
  }
  return funding.backings[0]?.funders[0]?.funder ?? null;
}

/** Funders of members, near and far, intermediaries, and linked funders of the attacker. */
function funderClaims(
  { mintCase, funding, clusters, group, mates }: BundleRoleInputs,
  attacker: Address | null,
): RoleClaim[] {
  const paidUntil = new Map([
    ...mates.map(({ wallet, timeMs }) => [wallet, timeMs] as const),
    ...group.members.map(({ wallet, sinceMs }) => [wallet, sinceMs] as const),
  ]);
  const ofMates = mates.length === 0 ? [] : findCommonFunders(mintCase, paidUntil);
  const funders = [...funding.backings.flatMap((backing) => backing.funders), ...ofMates];
  const own = attacker === null ? [] : (mintCase.wallets.get(attacker)?.fundings ?? []);
  const behind = own
    .map(({ funder }) => funder)
    .filter((funder) => attacker && clusters.strength(attacker, funder) >= LINKED_MIN)
    .filter((funder) => isTrader(mintCase, funder));
  return [
    ...funders.map(({ funder }): RoleClaim => [funder, 'funding_source']),
    ...nearestPayerClaims(mintCase, paidUntil),
    ...behind.map((funder): RoleClaim => [funder, 'funding_source']),
    ...funders.flatMap(({ between }) => between.map((one): RoleClaim => [one, 'intermediary'])),
  ];
}

/** Fee payers of the group's transactions that are not members and pay for few other owners. */
function feePayers(mintCase: MintCase, { buys, wallets }: BundleGroup): Address[] {
  const owners = new Map<Address, Set<Address>>();
  for (const { feePayer, wallet } of mintCase.trades) {
    owners.set(feePayer, (owners.get(feePayer) ?? new Set()).add(wallet));
  }
  return [...new Set(buys.filter(({ isTerminal }) => !isTerminal).map(({ feePayer }) => feePayer))]
    .filter((payer) => !wallets.has(payer) && isTrader(mintCase, payer))
    .filter((payer) => (owners.get(payer)?.size ?? 0) <= PAYER_OWNERS_MAX);
}

function labelsOf({ mintCase, group, window }: BundleRoleInputs): Map<Address, string[]> {
  const labels = new Map<Address, string[]>();
  const add = (wallet: Address, label: string) =>
    labels.set(wallet, [...(labels.get(wallet) ?? []), label]);
  if (mintCase.launch?.creator) add(mintCase.launch.creator, 'creator');
  for (const { wallet } of freshMembers(mintCase, group)) add(wallet, 'fresh_wallet');
  const firstSlots = new Map(group.buys.toReversed().map(({ wallet, slot }) => [wallet, slot]));
  for (const [wallet, slot] of firstSlots) {
    if (window && slot >= window.fromSlot) add(wallet, 'window');
  }
  return labels;
}
