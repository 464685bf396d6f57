import { USD_NANO_SCALE } from '../../model/units.ts';
import { ageMinutes, marketCap } from '../../signals/features/features.ts';
import type { ModelReading } from '../../signals/features/signal-model.ts';
import { type Feature, featuresOf } from './feature.ts';

const { amount, bool, count, number, share, text } = featuresOf<ModelReading>();

/** Of the token of a pool, as of the end of the minute. */
export const TOKEN_FEATURES: readonly Feature<ModelReading>[] = [
  amount('minutes')(
    'token.age_minutes',
    'Since the slot in which the mint was created; unknown for tokens older than the recorded history.',
    ageMinutes,
  ),
  amount('USD')('token.market_cap_usd', 'Robust price times the supply net of burns.', marketCap),
  amount('tokens')('token.supply', 'Supply net of burns.', ({ facts: { token } }) =>
    supplyOf(token),
  ),
  share(
    'token.burned_share',
    'Part of the supply held by burn addresses.',
    ({ facts: { token } }) =>
      token.supplyRaw === null || token.supplyRaw === 0n
        ? null
        : Number(token.burnedRaw) / Number(token.supplyRaw),
  ),
  count('token.decimals', 'Decimals of the mint.', ({ facts }) => facts.token.decimals),
  text('token.name', 'Name in the metadata.', ({ facts }) => facts.token.name),
  text('token.symbol', 'Symbol in the metadata.', ({ facts }) => facts.token.symbol),
  text('token.creator', 'Wallet that launched the token.', ({ facts }) => facts.token.creator),
  bool(
    'token.has_known_creation',
    'Whether the recorded history begins before the mint.',
    ({ facts }) => facts.token.creationSlot !== null,
  ),
  bool(
    'token.is_freezable',
    'Whether the mint has a freeze authority.',
    ({ facts }) => facts.isFreezable,
  ),
  number('bps')(
    'token.transfer_fee_bps',
    'The larger of the current and the scheduled transfer fee.',
    ({ facts }) => facts.transferFeeBps,
    { range: [0, 10_000] },
  ),
  bool(
    'token.is_metadata_mutable',
    'Whether the metadata can still change.',
    ({ facts }) => facts.token.metadata?.isMutable ?? null,
  ),
  share(
    'token.fraud_confidence',
    'Confidence of the strongest finding about the mint that was not refused; 0 if there is none.',
    ({ facts }) => facts.fraudConfidence,
  ),
  share(
    'token.top_cluster_share',
    'Part of the supply held by the largest group of connected wallets.',
    ({ facts }) => facts.topClusterShare(),
    { cost: 200 },
  ),
  amount('USD')('token.first_liquidity_usd', 'Value of the first real liquidity.', ({ facts }) =>
    dollars(facts.token.liquidityEvent?.valueUsd ?? null),
  ),
];

function supplyOf({ supplyRaw, burnedRaw, decimals }: ModelReading['facts']['token']) {
  return supplyRaw === null || decimals === null
    ? null
    : Number(supplyRaw - burnedRaw) / 10 ** decimals;
}

function dollars(nano: bigint | null): number | null {
  return nano === null ? null : Number(nano) / 10 ** USD_NANO_SCALE;
}
