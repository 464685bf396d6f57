import type { MintCase } from '../../model/mint-case.ts';
import { type Address, asRawAmount, type RawAmount, type Slot } from '../../model/units.ts';

/**
 * Holdings at the end of a slot shortly after the launch, summed from trades and transfers since
 * the launch. Later ones may be missing from the case, which rules out counting back.
 */
export function holdingsSinceLaunch(
  { trades, transfers }: MintCase,
  slot: Slot,
): Map<Address, RawAmount> {
  const holdings = new Map<Address, RawAmount>();
  const add = (wallet: Address, changeRaw: bigint) =>
    holdings.set(wallet, asRawAmount((holdings.get(wallet) ?? 0n) + changeRaw));
  for (const trade of trades) {
    if (trade.slot > slot) continue;
    add(trade.wallet, trade.side === 'buy' ? trade.baseRaw : -trade.baseRaw);
  }
  for (const transfer of transfers) {
    if (transfer.slot > slot) continue;
    add(transfer.from, -transfer.amountRaw);
    add(transfer.to, transfer.amountRaw);
  }
  return holdings;
}
