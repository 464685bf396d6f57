import type { Address } from '../../src/model/units.ts';
import { addTransaction, type MarketContext } from './market-context.ts';
import { ESTABLISHED_ROWS, SOL_ROWS } from './market-options.ts';
import { addressOf, KIND } from './numbered-texts.ts';
import { addVaultBalances, holdingsOf } from './swap-events.ts';
import { TransactionDraft, toRaw } from './transaction-draft.ts';

const TOKEN_DECIMALS = 6;
/** A provider withdraws this part of a pool, and returns as many tokens later. */
const WITHDRAWN_PART = 8;
/** LP tokens of that part. */
const LP_RAW = 1_000_000_000;

/** The provider of an established pool withdraws a part of it, or returns what it withdrew. */
export function addLiquidity(market: MarketContext): void {
  const { state, markets } = market;
  const { mints, random, counters } = state;
  const row = SOL_ROWS + random.below(ESTABLISHED_ROWS);
  const { programId, venue } = markets.venueOf(row);
  const draft = new TransactionDraft(addressOf(KIND.provider, row), programId);
  const before = holdingsOf(market, row);
  const withdrawn = mints.withdrawnBase[row] as number;
  const isDeposit = withdrawn > 0;
  const baseDelta = isDeposit ? withdrawn : -Math.floor(before.base / WITHDRAWN_PART);
  // In proportion, so that the price stays.
  const quoteDelta = Math.floor((before.quote * baseDelta) / before.base);
  mints.base[row] = before.base + baseDelta;
  mints.quote[row] = before.quote + quoteDelta;
  mints.withdrawnBase[row] = isDeposit ? 0 : -baseDelta;
  mints.tradedSlot[row] = counters.slots;
  const { mint, quoteMint, pool } = markets.addressesOf(row);
  const lpMint = addressOf(KIND.lpMint, row);
  const outerIx = draft.outerIx++;
  draft.events.push({
    kind: 'liquidity',
    outerIx,
    innerIx: -1,
    venue,
    pool,
    baseMint: mint,
    quoteMint,
    provider: draft.payer,
    poolBaseDelta: toRaw(baseDelta),
    poolQuoteDelta: toRaw(quoteDelta),
    lpDelta: toRaw(isDeposit ? LP_RAW : -LP_RAW),
    reserves: null,
  });
  addVaultBalances(market, draft, row, before);
  const owner = draft.payer;
  const [start, end] = isDeposit ? [withdrawn, 0] : [0, -baseDelta];
  const account = addressOf(KIND.providerAccount, row * 2);
  draft.balance({ account, owner, mint, decimals: TOKEN_DECIMALS, before: start, after: end });
  const lpAccount = addressOf(KIND.providerAccount, row * 2 + 1);
  const lp = { account: lpAccount, owner, mint: lpMint, decimals: TOKEN_DECIMALS };
  const [full, rest] = [LP_RAW * WITHDRAWN_PART, LP_RAW * (WITHDRAWN_PART - 1)];
  draft.balance({ ...lp, before: isDeposit ? rest : full, after: isDeposit ? full : rest });
  addLpSupply(draft, { lpMint, isDeposit, outerIx });
  addTransaction(market, draft);
}

/** LP tokens are minted for a deposit and burned by the pool's own venue for a withdrawal. */
function addLpSupply(
  draft: TransactionDraft,
  change: {
    readonly lpMint: Address;
    readonly isDeposit: boolean;
    readonly outerIx: number;
  },
): void {
  const { lpMint, isDeposit, outerIx } = change;
  draft.events.push({
    kind: 'tokenTransfer',
    outerIx,
    innerIx: 3,
    transferKind: isDeposit ? 'mintTo' : 'burn',
    mint: lpMint,
    fromOwner: isDeposit ? null : draft.payer,
    toOwner: isDeposit ? draft.payer : null,
    amountGross: toRaw(LP_RAW),
    feeWithheld: toRaw(0),
  });
}
