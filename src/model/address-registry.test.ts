import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testData } from '../../tests/support/test-data.ts';
import { decodeBase58 } from '../lib/base58.ts';
import table from './address-registry.json' with { type: 'json' };
import {
  ADDRESS_CLASSES,
  ADDRESS_REGISTRY,
  type AddressClass,
  AddressRegistry,
  parseAddressRegistry,
  type RegistryRow,
} from './address-registry.ts';
import { TERMINAL_OF_FEE_ACCOUNT } from './terminal-accounts.ts';
import { JITO_TIP_ACCOUNTS } from './tip-accounts.ts';
import { asAddress } from './units.ts';

const WALLET = asAddress('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM');
const OTHER = asAddress('5tzFkiKscXHK5ZXCGbXZxdw7gTjjD1mBwuoFbhUvuAi9');

function row(address: string, kind = 'cex'): Record<string, unknown> {
  return { address, class: kind, name: 'x', source: 'by hand', addedAt: '2026-01-01' };
}

function parse(...addresses: unknown[]) {
  return parseAddressRegistry({ version: 7, addresses });
}

describe('the built-in table', () => {
  test('has no row that its loader rejects, and no address with two classes', () => {
    expect(parseAddressRegistry(table).rejects).toEqual([]);
    expect(ADDRESS_REGISTRY.conflicts).toEqual([]);
  });

  test('contains only addresses of 32 bytes, each once', () => {
    const addresses = table.addresses.map(({ address }) => address);
    for (const address of addresses) expect(decodeBase58(address)).toHaveLength(32);
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  test('does not repeat addresses defined in other modules; the registry has them too', () => {
    const own = new Set(table.addresses.map(({ address }) => address));
    const known = [...TERMINAL_OF_FEE_ACCOUNT.keys(), ...JITO_TIP_ACCOUNTS];
    expect(known.filter((address) => own.has(address))).toEqual([]);
    for (const account of TERMINAL_OF_FEE_ACCOUNT.keys()) {
      expect(ADDRESS_REGISTRY.classOf(asAddress(account))).toBe('terminal_fee');
    }
    for (const account of JITO_TIP_ACCOUNTS) {
      expect(ADDRESS_REGISTRY.classOf(asAddress(account))).toBe('tip');
    }
  });

  test('classifies a curve’s fee account, a pool authority and a burn address', () => {
    const classOf = (address: string) => ADDRESS_REGISTRY.classOf(asAddress(address));
    expect(classOf('CebN5WGQ4jvEPvsVU4EoHEpgzq1VV7AbicfhtW4xC9iM')).toBe('protocol_fee');
    expect(classOf('5Q544fKrFoe6tsEbD7S8EmxGTJYAKtTVhAW5Q5pge4j1')).toBe('pool');
    expect(classOf('1nc1nerator11111111111111111111111111111111')).toBe('burn');
    expect(classOf('So11111111111111111111111111111111111111112')).toBeNull();
  });
});

describe('the loader', () => {
  test.each([
    ['a Bitcoin address', 'bc1q75tsfq2c5cqp2ss32qksmnzd9yea2mjsjktdmrz9', 'no address'],
    ['an Ethereum address', '0x28C6c06298d514Db089934071355E5743bf21d60', 'no address'],
    ['a key of 31 bytes', '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi'.slice(0, 42), 'no address'],
    ['an empty text', '', 'no row'],
    ['a key with a space', ` ${WALLET}`, 'no address'],
    ['a lower-cased key', WALLET.toLowerCase().replaceAll('l', '2'), 'case lost'],
  ])('rejects %s with the reason', (_, address, reason) => {
    const { registry, rejects } = parse(row(WALLET), row(address));
    expect(rejects).toEqual([{ index: 1, address, reason }]);
    expect(registry.size).toBe(1);
  });

  test.each([
    ['a number', 5, 'no row'],
    ['null', null, 'no row'],
    ['a list', [WALLET], 'no row'],
    ['a row without a source', { ...row(WALLET), source: undefined }, 'no row'],
    ['a row with a name too long', { ...row(WALLET), name: 'x'.repeat(201) }, 'no row'],
    ['an unknown class', row(WALLET, 'whale'), 'no class'],
    ['a class named like an object member', row(WALLET, 'toString'), 'no class'],
  ])('rejects %s and continues', (_, entry, reason) => {
    const { registry, rejects } = parse(entry, row(OTHER));
    expect(rejects.map((reject) => reject.reason)).toEqual([reason]);
    expect(registry.classOf(OTHER)).toBe('cex');
  });

  test.each([[null], [[]], [{}], [{ version: '1', addresses: [] }], [{ version: 1 }]])(
    'throws for a value that is not a table: %j',
    (json) => {
      expect(() => parseAddressRegistry(json)).toThrow(TypeError);
    },
  );

  test('reports a row listed twice', () => {
    expect(parse(row(WALLET), row(WALLET)).rejects).toEqual([
      { index: 1, address: WALLET, reason: 'listed twice' },
    ]);
  });

  test('gives an address with two classes the first by precedence, and reports it', () => {
    for (const kinds of [
      ['cex', 'tip'],
      ['tip', 'cex'],
    ]) {
      const { registry } = parse(...kinds.map((kind) => row(WALLET, kind)));
      expect(registry.classOf(WALLET)).toBe('tip');
      expect(registry.conflicts).toEqual([{ address: WALLET, classes: ['tip', 'cex'] }]);
    }
  });

  test('changes its hash for another row, but not for another order', () => {
    const hash = (...rows: unknown[]) => parse(...rows).registry.hash;
    expect(hash(row(WALLET), row(OTHER))).toBe(hash(row(OTHER), row(WALLET)));
    expect(hash(row(WALLET))).not.toBe(hash(row(WALLET, 'tip')));
    expect(hash(row(WALLET))).not.toBe(hash(row(WALLET), row(OTHER)));
  });
});

test('removing a row never excludes an address that was not excluded before', () => {
  const rowOf = fc.record({
    address: fc.constantFrom(WALLET, OTHER),
    class: fc.constantFrom<AddressClass>(...ADDRESS_CLASSES),
    name: fc.constant('x'),
    source: fc.constant('x'),
    addedAt: fc.constant('2026-01-01'),
  });
  const classes = fc.uniqueArray(fc.constantFrom<AddressClass>(...ADDRESS_CLASSES));
  fc.assert(
    fc.property(
      fc.array(rowOf, { minLength: 1, maxLength: 6 }),
      fc.nat(),
      classes,
      (rows, at, excluded) => {
        const whole = new AddressRegistry(1, rows as RegistryRow[]);
        const less = new AddressRegistry(1, (rows as RegistryRow[]).toSpliced(at % rows.length, 1));
        for (const address of [WALLET, OTHER]) {
          if (!whole.isAnyOf(address, new Set(excluded))) {
            expect(less.isAnyOf(address, new Set(excluded))).toBe(false);
          }
        }
      },
    ),
    { numRuns: 500 },
  );
});

const LABELLED = join(testData, 'labels/addresses/cex_unfiltered_with_bad_rows.csv');

describe.skipIf(!existsSync(LABELLED))(`a public list with wrong rows (${LABELLED})`, () => {
  const lines = existsSync(LABELLED)
    ? readFileSync(LABELLED, 'utf8').trim().split('\n').slice(1)
    : [];
  const labelled = lines.map((line) => line.split(','));
  const { rejects, registry } = parse(...labelled.map(([address]) => row(address ?? '')));

  test.each(labelled.filter((cells) => cells.at(-1)?.trim() === '0'))(
    'rejects %s of %s, which is not an address',
    (address) => {
      expect(rejects).toContainEqual(expect.objectContaining({ address, reason: 'no address' }));
    },
  );

  test('rejects 36 rows that are not addresses and 10 whose case was lost, and keeps 120', () => {
    // 36 are marked as wrong by the collector of the list; the others have letters of one case.
    const count = (reason: string) => rejects.filter((reject) => reject.reason === reason).length;
    expect(labelled).toHaveLength(166);
    expect([count('no address'), count('case lost'), registry.size]).toEqual([36, 10, 120]);
  });
});
