import fc from 'fast-check';
import { expect, test } from 'vitest';
import { aTrade, mint } from '../../../tests/support/build-case-entries.ts';
import { named } from '../../../tests/support/made-up-units.ts';
import { groupName } from '../../fold/market/placed-groups.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import type { CaseTrade } from '../../model/mint-case.ts';
import { type Address, asLamports, asRawAmount, asUsdNano } from '../../model/units.ts';
import { TradeRows } from './trade-rows.ts';

const wallets = fc.constantFrom('x', 'y', 'z').map(named);
const words = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const arbitraryTrade: fc.Arbitrary<CaseTrade> = fc
  .record({
    index: fc.nat(1_000),
    change: fc.record({
      wallet: wallets,
      feePayer: wallets,
      cosigners: fc.uniqueArray(wallets),
      side: fc.constantFrom('buy' as const, 'sell' as const),
      baseRaw: words.map((raw) => asRawAmount(raw)),
      lamports: words.map((raw) => asLamports(raw)),
      usd: fc.option(words.map((raw) => asUsdNano(raw))),
      priceSol: fc.option(fc.double({ noNaN: true })),
      poolLamports: fc.option(words.map((raw) => asLamports(raw))),
      group: fc.option(
        fc.record({
          id: fc.nat(3).map((first) => groupName(mint, first)),
          level: fc.constantFrom('L1' as const, 'L2' as const, 'L2o' as const),
        }),
      ),
      isRoundTrip: fc.boolean(),
      isArbitrage: fc.boolean(),
      isTerminal: fc.boolean(),
      privateProgram: fc.option(wallets),
    }),
  })
  .map(({ index, change }) => aTrade(index, change));

const isPrivate = (program: Address) => program !== 'y';

/** The value of each field of a trade in a view, whether stored or computed on access. */
function fieldsOf(view: CaseTrade, trade: CaseTrade): unknown {
  const names = Object.keys(trade) as (keyof CaseTrade)[];
  return Object.fromEntries(names.map((name) => [name, view[name]]));
}

test('a trade is read back unchanged from its row, and its view has the same fields', () => {
  fc.assert(
    fc.property(fc.array(arbitraryTrade, { minLength: 1, maxLength: 20 }), (trades) => {
      const rows = new TradeRows(new AddressIds<Address>(), new UndoLog());
      const added = trades.map((trade) => ({ trade, row: rows.add(trade) }));
      // Removed rows are reused.
      const kept = added.filter((_, index) => index % 3 !== 0);
      for (const { row } of added.filter((_, index) => index % 3 === 0)) rows.remove(row);
      for (const trade of trades.slice(0, 4)) kept.push({ trade, row: rows.add(trade) });
      for (const { trade, row } of kept) {
        expect(rows.read(row, mint)).toEqual(trade);
        const view = rows.view(row, mint, isPrivate);
        const { privateProgram: program } = trade;
        const privateProgram = program !== null && isPrivate(program) ? program : null;
        expect(fieldsOf(view, trade)).toEqual({ ...trade, privateProgram });
      }
    }),
  );
});
