import { isBase58Of32Bytes } from '../lib/base58.ts';
import { contentHash } from '../lib/content-hash.ts';
import table from './address-registry.json' with { type: 'json' };
import { BURN_ADDRESSES, POOL_AUTHORITIES } from './known-owners.ts';
import { TERMINAL_OF_FEE_ACCOUNT } from './terminal-accounts.ts';
import { JITO_TIP_ACCOUNTS, NOZOMI_TIP_ACCOUNTS } from './tip-accounts.ts';
import { type Address, asAddress } from './units.ts';

/**
 * Known purposes of addresses that are not ordinary wallets, in order of precedence: an address
 * listed under several classes has the first of them. Nobody trades from addresses of the first
 * classes; the last classes are special kinds of trader.
 */
export const ADDRESS_CLASSES = [
  'burn',
  'pool',
  'locker',
  'launchpad',
  'router',
  'tip',
  'protocol_fee',
  'terminal_fee',
  'bridge',
  'cex',
  /** Pays fees, rent or rewards for many users. */
  'sponsor',
  'market_maker',
  'mev_searcher',
] as const;

export type AddressClass = (typeof ADDRESS_CLASSES)[number];

/** Owners of these classes do not count as wallets (METHODS §0.5). */
export const INFRASTRUCTURE_CLASSES: ReadonlySet<AddressClass> = new Set([
  'burn',
  'pool',
  'locker',
  'launchpad',
  'router',
]);

export interface RegistryRow {
  readonly address: Address;
  readonly class: AddressClass;
  /** For display only. Lists disagree on names, so rules must not depend on one. */
  readonly name: string;
  /** Where the fact is published. */
  readonly source: string;
  /** Date added, YYYY-MM-DD. */
  readonly addedAt: string;
}

/**
 * Why a row was rejected. `case lost`: decodes to 32 bytes by chance, but all letters have the same
 * case, which is true of fewer than 1 in 10^10 keys. It is an address of another chain, or a key
 * that was lower-cased.
 */
export type RejectReason = 'no row' | 'no address' | 'case lost' | 'no class' | 'listed twice';

export interface RegistryReject {
  /** Position in the table, from 0. */
  readonly index: number;
  readonly address: string | null;
  readonly reason: RejectReason;
}

/** An address with more than one class. */
export interface RegistryConflict {
  readonly address: Address;
  /** The class in effect first, then the others in order of precedence. */
  readonly classes: readonly AddressClass[];
}

/** Addresses whose purpose is publicly known. */
export class AddressRegistry {
  readonly version: number;
  /**
   * SHA-256 of the rows in any order. It changes with the content, since other rows are another set
   * of rules.
   */
  readonly hash: string;
  readonly conflicts: readonly RegistryConflict[];
  private readonly rowsByAddress = new Map<string, RegistryRow[]>();

  constructor(version: number, rows: Iterable<RegistryRow>) {
    this.version = version;
    for (const row of rows) {
      const known = this.rowsByAddress.get(row.address);
      if (known === undefined) this.rowsByAddress.set(row.address, [row]);
      else known.push(row);
    }
    for (const known of this.rowsByAddress.values()) known.sort(byPrecedence);
    this.conflicts = [...this.rowsByAddress.values()]
      .map((known) => ({ address: (known[0] as RegistryRow).address, classes: classesOf(known) }))
      .filter(({ classes }) => classes.length > 1);
    this.hash = contentHash([`version ${version}`, ...this.lines()]);
  }

  get size(): number {
    return this.rowsByAddress.size;
  }

  /** The registry entry of an address; null when it has none. */
  rowOf(address: Address): RegistryRow | null {
    return this.rowsByAddress.get(address)?.[0] ?? null;
  }

  classOf(address: Address): AddressClass | null {
    return this.rowOf(address)?.class ?? null;
  }

  /**
   * True when any of the address's classes is in `classes`, not only the first one. Removing a row
   * therefore never excludes an address that was not excluded before.
   */
  isAnyOf(address: Address, classes: ReadonlySet<AddressClass>): boolean {
    return this.rowsByAddress.get(address)?.some((row) => classes.has(row.class)) ?? false;
  }

  /** An owner of this kind does not count as a wallet unless it signs. */
  isInfrastructure(address: Address): boolean {
    return this.isAnyOf(address, INFRASTRUCTURE_CLASSES);
  }

  rows(): RegistryRow[] {
    return [...this.rowsByAddress.values()].flat();
  }

  private lines(): string[] {
    return this.rows()
      .map((row) => `${row.address} ${row.class} ${row.name}`)
      .sort();
  }
}

/**
 * Reads a table `{version, addresses: [{address, class, name, source, addedAt}]}`. Invalid rows are
 * left out and returned as rejects; a value that is not a table throws TypeError.
 */
export function parseAddressRegistry(json: unknown): {
  readonly registry: AddressRegistry;
  readonly rejects: readonly RegistryReject[];
} {
  const { version, addresses } = asRecord(json) ?? {};
  if (!Number.isSafeInteger(version) || !Array.isArray(addresses)) {
    throw new TypeError('a table of addresses has a version and addresses');
  }
  const seen = new Set<string>();
  const rows: RegistryRow[] = [];
  const rejects: RegistryReject[] = [];
  for (const [index, entry] of addresses.entries()) {
    const reason = faultOf(entry, seen);
    if (reason === null) rows.push(entry as RegistryRow);
    else {
      const address: unknown = asRecord(entry)?.address;
      rejects.push({ index, address: typeof address === 'string' ? address : null, reason });
    }
  }
  return { registry: new AddressRegistry(version as number, rows), rejects };
}

function faultOf(entry: unknown, seen: Set<string>): RejectReason | null {
  const row = asRecord(entry);
  if (row === null || !TEXT_FIELDS.every((name) => isShortText(row[name]))) return 'no row';
  const address = row.address as string;
  if (!isBase58Of32Bytes(address)) return 'no address';
  if (!isOfBothCases(address)) return 'case lost';
  if (!CLASS_NAMES.has(row.class as string)) return 'no class';
  const key = `${address} ${row.class}`;
  if (seen.has(key)) return 'listed twice';
  seen.add(key);
  return null;
}

const TEXT_FIELDS = ['address', 'class', 'name', 'source', 'addedAt'];
const TEXT_LENGTH_MAX = 200;
const CLASS_NAMES: ReadonlySet<string> = new Set(ADDRESS_CLASSES);

function asRecord(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null;
}

function isShortText(value: unknown): boolean {
  return typeof value === 'string' && value.length > 0 && value.length <= TEXT_LENGTH_MAX;
}

/** True also for a text without letters: the system program's key is all ones. */
function isOfBothCases(text: string): boolean {
  return /[A-Z]/.test(text) === /[a-z]/.test(text);
}

function byPrecedence(one: RegistryRow, other: RegistryRow): number {
  return ADDRESS_CLASSES.indexOf(one.class) - ADDRESS_CLASSES.indexOf(other.class);
}

function classesOf(rows: readonly RegistryRow[]): AddressClass[] {
  return [...new Set(rows.map((row) => row.class))];
}

/** Addresses that other modules define for their own use, as rows. */
function* builtInRows(): Iterable<RegistryRow> {
  const row = (address: string, kind: AddressClass, name: string, source: string): RegistryRow => ({
    address: asAddress(address),
    class: kind,
    name,
    source,
    addedAt: BUILT_IN_SINCE,
  });
  for (const address of BURN_ADDRESSES) yield row(address, 'burn', 'burn', 'known-owners.ts');
  for (const address of POOL_AUTHORITIES) yield row(address, 'pool', 'vaults', 'known-owners.ts');
  for (const [address, name] of TERMINAL_OF_FEE_ACCOUNT) {
    yield row(address, 'terminal_fee', name, 'terminal-accounts.ts');
  }
  for (const address of JITO_TIP_ACCOUNTS) yield row(address, 'tip', 'jito', 'tip-accounts.ts');
  for (const address of NOZOMI_TIP_ACCOUNTS) yield row(address, 'tip', 'nozomi', 'tip-accounts.ts');
}

const BUILT_IN_SINCE = '2026-11-21';

/** The project's own table, together with the addresses that other modules define. */
export const ADDRESS_REGISTRY: AddressRegistry = (() => {
  const { registry } = parseAddressRegistry(table);
  return new AddressRegistry(registry.version, [...registry.rows(), ...builtInRows()]);
})();
