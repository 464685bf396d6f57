import { describe, expect, test } from 'vitest';
import { named } from '../../../tests/support/made-up-units.ts';
import { UndoLog } from '../../lib/undo-log.ts';
import { ADDRESS_REGISTRY } from '../../model/address-registry.ts';
import { type Address, asSlot } from '../../model/units.ts';
import { createBooks } from '../books/books.ts';
import { createWalletBooks } from '../books/wallet-books.ts';
import { CaseClasses } from './case-classes.ts';

const [exchange] = ADDRESS_REGISTRY.rows().filter((row) => row.class === 'cex');
const [pool, wallet] = [named('pool'), named('wallet')];
const [baseMint, quoteMint] = [named('base'), named('quote')];

function classesWithPool() {
  const undo = new UndoLog();
  const walletBooks = createWalletBooks(undo);
  const books = createBooks(null, walletBooks.ids, undo);
  const identity = { pool, venue: 'pump_amm', baseMint, quoteMint } as const;
  const at = { slot: asSlot(1), timeMs: 1_000, isTimeKnown: true };
  books.pools.open({ ...identity, baseDecimals: 6, quoteDecimals: 9 }, at);
  const { ids } = walletBooks;
  const classes = new CaseClasses({ books, walletBooks });
  return { ids, classes, classOf: (address: Address) => classes.of(address, ids.find(address)) };
}

describe('classes of a case', () => {
  test('are those of pools and of the registry, none for wallets', () => {
    const { classOf } = classesWithPool();
    expect(exchange).toBeDefined();
    expect(classOf(pool)).toBe('pool');
    expect(classOf(wallet)).toBeNull();
    if (exchange !== undefined) expect(classOf(exchange.address)).toBe('cex');
  });

  test('are the same by number, however often they are read', () => {
    const { ids, classes, classOf } = classesWithPool();
    const addresses = [pool, wallet, ...(exchange === undefined ? [] : [exchange.address])];
    for (const address of [...addresses, ...addresses]) {
      expect(classes.ofId(ids.idOf(address))).toBe(classOf(address));
    }
  });
});
