/**
 * GET /v1/wallets/{address}: holdings and classification of a wallet (extension of CONTRACT §2).
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { mulDiv } from '../../lib/decimal.ts';
import { ApiError } from '../../model/errors.ts';
import {
  PRICE_MAX,
  PRICE_SCALE,
  type PriceE18,
  powerOfTen,
  type RawAmount,
  USD_NANO_SCALE,
  type UsdNano,
} from '../../model/units.ts';
import type {
  WalletAutomation,
  WalletFunding,
  WalletPosition,
  WalletRecord,
  WalletSkill,
} from '../../model/wallet-record.ts';
import type { ApiDeps } from '../deps.ts';
import {
  formatDigits,
  formatMaybeInstant,
  formatPrice,
  formatSol,
  formatTokens,
  formatUsd,
} from '../present/format-wire.ts';
import { setFreshness } from '../present/freshness.ts';
import { badRequest, busy, COMMON_ERRORS, notFound } from '../schemas/error-responses.ts';
import { EXAMPLE } from '../schemas/examples.ts';
import { AddressParameter } from '../schemas/parameters.ts';
import { WalletBody } from '../schemas/wallet-body.ts';

type Body = Static<typeof WalletBody>;

const UNKNOWN_WALLET = 'This wallet is not known.';

const schema = {
  operationId: 'getWallet',
  summary: 'Retrieve a wallet',
  description:
    'Returns positions with cost and results, the classification as organic or bot with its ' +
    'rule and score, the trading skill with its components, and the first funding.',
  tags: ['wallets'],
  params: Type.Object({
    address: AddressParameter({ description: 'Wallet address.', example: EXAMPLE.wallet }),
  }),
  response: {
    200: WalletBody,
    ...COMMON_ERRORS,
    ...badRequest('address must be the base58 text of a 32-byte address.'),
    ...notFound(UNKNOWN_WALLET),
    ...busy(),
  },
};

export const walletRoute =
  (deps: ApiDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get('/v1/wallets/:address', { schema }, async (request, reply) => {
      const wallet = await deps.wallets.find(request.params.address);
      setFreshness(reply, deps);
      if (wallet === null) throw new ApiError(404, UNKNOWN_WALLET);
      return present(wallet);
    });
  };

function present(wallet: WalletRecord): Body {
  const { automation, skill, firstFunding } = wallet;
  return {
    wallet_address: wallet.address,
    kind: wallet.addressClass,
    automation: automation && presentAutomation(automation),
    skill: skill && presentSkill(skill),
    first_funding: firstFunding && presentFunding(firstFunding),
    positions: wallet.positions.map(presentPosition),
    position_count: wallet.positionCount,
  };
}

function presentAutomation(automation: WalletAutomation): NonNullable<Body['automation']> {
  const { ruleHeldMs } = automation;
  return {
    label: automation.class,
    score: share(automation.score),
    rule: automation.rule,
    rule_held_seconds: formatDigits(ruleHeldMs === null ? null : ruleHeldMs / 1_000, 2),
    evidence: automation.evidence.map(({ measure, value, threshold }) => ({
      measure,
      value: share(value),
      threshold: share(threshold),
    })),
    since_slot: automation.sinceSlot,
    since: formatMaybeInstant(automation.sinceMs),
    terms: automation.terms.map(({ term, feature, value, weight, contribution }) => ({
      term,
      feature,
      value: value === null ? null : share(value),
      weight: share(weight),
      contribution: share(contribution),
    })),
    trades: automation.trades,
    first_trade_slot: automation.firstSlot,
    first_trade_at: formatMaybeInstant(automation.firstMs),
    last_trade_slot: automation.lastSlot,
    last_trade_at: formatMaybeInstant(automation.lastMs),
  };
}

function presentSkill(skill: WalletSkill): NonNullable<Body['skill']> {
  return {
    is_smart: skill.isSmart,
    score: share(skill.score),
    win_rate_bound: share(skill.winRateBound),
    shrunk_return: share(skill.shrunkReturn),
    concentration: share(skill.concentration),
    win_part: share(skill.winPart),
    return_part: share(skill.returnPart),
    profit_part: share(skill.profitPart),
    concentration_factor: share(skill.concentrationFactor),
    episodes: share(skill.episodes),
    wins: share(skill.wins),
    profit_usd: skill.profitUsd.toFixed(2),
    excluded_episodes: skill.excludedEpisodes,
    last_episode_at: formatMaybeInstant(skill.lastEpisodeMs),
  };
}

function presentFunding(funding: WalletFunding): NonNullable<Body['first_funding']> {
  return {
    funder_address: funding.funder,
    funder_kind: funding.funderClass,
    solana_amount: formatSol(funding.lamports),
    slot: funding.slot,
    funded_at: formatMaybeInstant(funding.timeMs),
  };
}

function presentPosition(position: WalletPosition): Body['positions'][number] {
  const { heldRaw, unknownBasisRaw, costUsd, priceUsd, decimals } = position;
  const knownRaw = (heldRaw - unknownBasisRaw) as RawAmount;
  const worthUsd = worthOf(knownRaw, priceUsd, decimals);
  const unrealisedUsd = worthUsd === null ? null : ((worthUsd - costUsd) as UsdNano);
  return {
    token_address: position.mint,
    symbol: position.symbol,
    balance: formatTokens(heldRaw, decimals),
    unknown_basis_balance: formatTokens(unknownBasisRaw, decimals),
    cost_usd: formatUsd(costUsd),
    average_price_usd: formatPrice(averagePrice(knownRaw, costUsd, decimals)),
    price_usd: formatPrice(priceUsd),
    value_usd: formatUsd(worthOf(heldRaw, priceUsd, decimals)),
    realised_usd: formatUsd(position.realisedUsd),
    unrealised_usd: formatUsd(unrealisedUsd),
    buys: position.buys,
    sells: position.sells,
    first_buy_at: formatMaybeInstant(position.firstBuyMs),
    last_trade_at: formatMaybeInstant(position.lastTradeMs),
  };
}

function worthOf(
  raw: RawAmount,
  priceUsd: PriceE18 | null,
  decimals: number | null,
): UsdNano | null {
  if (priceUsd === null || decimals === null) return null;
  const scale = powerOfTen(decimals + PRICE_SCALE - USD_NANO_SCALE);
  return mulDiv(raw, priceUsd, scale, 'half-up') as UsdNano;
}

/** Null without tokens of known cost, and if the result exceeds any price. */
function averagePrice(
  knownRaw: RawAmount,
  costUsd: UsdNano,
  decimals: number | null,
): PriceE18 | null {
  if (decimals === null || knownRaw <= 0n) return null;
  const scale = powerOfTen(decimals + PRICE_SCALE - USD_NANO_SCALE);
  const price = mulDiv(costUsd, scale, knownRaw, 'half-up');
  return price > PRICE_MAX ? null : (price as PriceE18);
}

function share(value: number): string {
  return value.toFixed(4);
}
