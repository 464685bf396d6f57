import type { BundleLevel } from '../../model/derived.ts';
import type { Address, RawAmount } from '../../model/units.ts';
import type { EvidenceDraft } from '../evidence/gather-evidence.ts';
import { relationEvidence } from '../evidence/relation-evidence.ts';
import { countText, percentText } from '../evidence/sentences.ts';
import { supplyEvidence } from '../evidence/supply-evidence.ts';
import { tradeMovement, transactionEvidence } from '../evidence/transaction-evidence.ts';
import type { BundleGroup } from '../groups/bundle-group.ts';
import { freshEvidence } from '../groups/crew.ts';
import type { BundleReading } from './bundle-reading.ts';

type SharedFeature = 'share' | 'wallets' | 'atomicity' | 'funding' | 'fresh' | 'recidivism';

const LEVEL_TEXTS: Readonly<Record<BundleLevel, string>> = {
  exact: 'in one bundle that an explorer names',
  L1: 'in one transaction with others',
  L2: 'in neighbouring transactions that share one tip',
  L2o: 'right behind the creation with sizes alike',
  L3: 'within the same slots while linked to the others',
};

/** `lastMs`: when the window of a launch bundle with later purchases ends. */
export interface TextReading extends BundleReading {
  readonly lastMs?: number | null;
}

/** Evidence texts shared by early and late bundles. `holdings` are those after the pattern. */
export function bundleTexts(
  reading: TextReading,
  holdings: () => ReadonlyMap<Address, RawAmount>,
): Readonly<Record<SharedFeature, () => EvidenceDraft>> {
  const { mintCase, group, placed, clusters, share } = reading;
  const wallets = countText(group.members.length, 'wallet');
  return {
    share: () => ({
      type: 'supply_concentration',
      description: `${wallets} got ${percentText(share)} of the supply together${windowText(reading)}.`,
      payload: supplyEvidence({
        mintCase,
        holdings: holdings(),
        suspicious: group.wallets,
        clusters,
      }),
    }),
    wallets: () => ({
      type: 'same_block_trades',
      description: `${wallets} bought in ${countText(slotsOf(reading), 'slot')}.`,
      payload: transactionEvidence(group.buys.map(tradeMovement), false),
    }),
    atomicity: () => ({
      type: 'bundled_transaction',
      description: levelText(group),
      payload: transactionEvidence(
        [...new Set(placed.map(({ buy }) => buy))].map(tradeMovement),
        true,
      ),
    }),
    funding: () => fundingText(reading),
    fresh: () => freshEvidence(reading.fresh, group, 'wallet'),
    recidivism: () => recidivismText(reading),
  };
}

function windowText({ mintCase: { launch }, lastMs }: TextReading): string {
  if (launch === null || lastMs === undefined || lastMs === null) return '';
  const seconds = ((lastMs - launch.timeMs) / 1_000).toFixed(1);
  return `, in a window of ${seconds} seconds after the creation`;
}

function slotsOf({ group }: BundleReading): number {
  return new Set(group.buys.map(({ slot }) => slot)).size;
}

function levelText({ members }: BundleGroup): string {
  const counts = new Map<BundleLevel, number>();
  for (const { level } of members) if (level) counts.set(level, (counts.get(level) ?? 0) + 1);
  const parts = (Object.keys(LEVEL_TEXTS) as BundleLevel[]).flatMap((level) => {
    const count = counts.get(level);
    return count === undefined ? [] : [`${countText(count, 'wallet')} ${LEVEL_TEXTS[level]}`];
  });
  return `Placed together: ${parts.join(', ')}.`;
}

function fundingText({ funding }: BundleReading): EvidenceDraft {
  const [backing] = funding.backings;
  if (backing === undefined) throw new Error('funding evidence without a source');
  const { members, source, relationship, cluster, hasCreator } = backing;
  const payer = hasCreator ? 'the creator' : 'one source';
  return {
    type: 'common_funding',
    description: `${countText(members.length, 'wallet')} of the group ${members.length === 1 ? 'is' : 'are'} linked to ${payer}; weighted by tokens and kind of link that is ${percentText(funding.share)} of the group.`,
    payload: relationEvidence({
      source,
      related: members.map(({ wallet }) => wallet),
      relationship,
      strength: cluster.strength,
    }),
  };
}

function recidivismText({ mintCase, group, prior, funding }: BundleReading): EvidenceDraft {
  if (prior === null) throw new Error('evidence of earlier bundles without a wallet');
  const [backing] = funding.backings;
  const launcher = prior.wallet === mintCase.launch?.creator ? 'The creator' : 'The funder';
  const earlier = countText(prior.count, 'bundled launch', 'bundled launches');
  const isTogether = prior.together.length > 0;
  return {
    type: 'wallet_cluster',
    description: isTogether
      ? `${countText(prior.together.length, 'wallet')} of the group bought together in ${earlier} of the week before this one.`
      : `${launcher} has ${earlier} before this one.`,
    payload: relationEvidence({
      source: prior.wallet,
      related: isTogether ? prior.together : group.wallets,
      relationship: backing === undefined ? 'coordinated_trading' : 'same_entity',
      strength: backing?.cluster.strength ?? 0,
    }),
  };
}
