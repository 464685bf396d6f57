import type { ChainEvent } from '../../src/model/chain-event.ts';
import type { Address } from '../../src/model/units.ts';
import { addTransaction, type MarketContext } from './market-context.ts';
import { CURVE_RESERVED_RAW, type MarketAddresses } from './mint-markets.ts';
import { addressOf, KIND } from './numbered-texts.ts';
import { quoteDecimalsOf } from './swap-events.ts';
import { TransactionDraft, toRaw } from './transaction-draft.ts';
import type { VenueForm } from './venues.ts';

const TOKEN_DECIMALS = 6;
/** LP tokens of a new pool. */
const LP_RAW = 4_000_000_000_000;

/** The move of a complete curve's holdings to a pool, whose LP tokens are burned. */
export function addMigration(market: MarketContext): void {
  const { state, markets } = market;
  const row = state.counters.migrating - 1;
  state.counters.migrating = 0;
  const from = markets.addressesOf(row);
  const curve = markets.venueOf(row);
  const quoteRaw = state.mints.quote[row] as number;
  const quoteDecimals = quoteDecimalsOf(state.mints.isStableQuoted[row] === 1);
  markets.movePool(row, CURVE_RESERVED_RAW, quoteRaw);
  const to = markets.addressesOf(row);
  const { venue } = markets.venueOf(row);
  const draft = new TransactionDraft(addressOf(KIND.authority, 0), curve.programId);
  const outerIx = draft.outerIx++;
  const { mint, quoteMint } = to;
  const amounts = { baseRaw: toRaw(CURVE_RESERVED_RAW), quoteRaw: toRaw(quoteRaw) };
  const lpMint = addressOf(KIND.lpMint, row);
  const pools = { fromPool: from.pool, toPool: to.pool };
  const decimals = { baseDecimals: TOKEN_DECIMALS, quoteDecimals };
  draft.events.push(
    { kind: 'migrate', outerIx, innerIx: -1, venue: curve.venue, mint, ...pools, ...amounts },
    {
      kind: 'poolCreated',
      outerIx,
      innerIx: 4,
      venue,
      pool: to.pool,
      baseMint: mint,
      quoteMint,
      ...decimals,
      creator: from.pool,
      vaultOwner: to.vaultOwner,
      ...amounts,
      lpMint,
      lpRaw: toRaw(LP_RAW),
    },
    burnEvent({ lpMint, owner: from.pool, outerIx, burnVenue: curve.venue }),
  );
  addMovedBalances(draft, from, to, { quoteRaw, quoteDecimals });
  addTransaction(market, draft);
}

/** The launchpad burns the LP tokens, so that the liquidity stays for ever. */
function burnEvent({
  lpMint,
  owner,
  outerIx,
  burnVenue,
}: {
  readonly lpMint: Address;
  readonly owner: Address;
  readonly outerIx: number;
  readonly burnVenue: VenueForm['venue'];
}): ChainEvent {
  return {
    kind: 'tokenTransfer',
    outerIx,
    innerIx: 20,
    transferKind: 'burn',
    mint: lpMint,
    fromOwner: owner,
    toOwner: null,
    amountGross: toRaw(LP_RAW),
    feeWithheld: toRaw(0),
    burnVenue,
  };
}

function addMovedBalances(
  draft: TransactionDraft,
  from: MarketAddresses,
  to: MarketAddresses,
  { quoteRaw, quoteDecimals }: { readonly quoteRaw: number; readonly quoteDecimals: number },
): void {
  const base = { mint: to.mint, decimals: TOKEN_DECIMALS };
  const emptied = { account: from.baseVault, owner: from.vaultOwner };
  const filled = { account: to.baseVault, owner: to.vaultOwner };
  draft.balance({ ...base, ...emptied, before: CURVE_RESERVED_RAW, after: 0 });
  draft.balance({ ...base, ...filled, before: 0, after: CURVE_RESERVED_RAW });
  const quote = { mint: to.quoteMint, decimals: quoteDecimals };
  const paid = { account: to.quoteVault, owner: to.vaultOwner };
  draft.balance({ ...quote, ...paid, before: 0, after: quoteRaw });
}
