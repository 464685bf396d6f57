import type { CaseReading } from '../../fraud/contract/detector.ts';
import { OWN_LINKS } from '../../fraud/groups/bundle-group.ts';
import {
  COHORT_SLOTS,
  findLinkedCohorts,
  type LinkedCohort,
} from '../../fraud/groups/linked-cohorts.ts';
import { AddressIds } from '../../lib/address-ids.ts';
import { contentHash } from '../../lib/content-hash.ts';
import { ObjectMap } from '../../lib/object-map.ts';
import type { UndoLog } from '../../lib/undo-log.ts';
import { type Described, list, record, text, textFormat } from '../../model/codec.ts';
import type { BundledTransaction, BundleGroupName } from '../../model/derived.ts';
import type { CaseTrade } from '../../model/mint-case.ts';
import { type Address, asLamports, type Lamports } from '../../model/units.ts';

/** Certainty of level L3 (METHODS §3). */
const CERTAINTY = 0.75;
/** Maximum number of buys returned for one mint. */
const KEYS_MAX = 512;
const KEY_DIGITS = 16;
/** Size of the key cache. */
const KEYS_HELD_MAX = 8_192;

/** Keys of the buys of a mint that were returned. */
const RETURNED_BUYS = record({ keys: list(text) });

interface ReturnedBuys extends Described<typeof RETURNED_BUYS> {}

const FORMAT = textFormat<ReturnedBuys>('linked buys 1', RETURNED_BUYS);

/**
 * Buys of linked wallets within two slots (METHODS §3, level L3), each returned once. That wallets
 * are linked may become known long after they bought. Buys with a more certain level are left out.
 */
export class LinkedBuys {
  private readonly ids: AddressIds<Address>;
  /** By the id of the mint. */
  private readonly returned: ObjectMap<ReturnedBuys>;
  /** Cache of keys, not part of the state: every evaluation of a mint finds the same buys again. */
  readonly #keys = new Map<string, string>();

  constructor(undo: UndoLog, ids = new AddressIds<Address>(undo)) {
    this.ids = ids;
    this.returned = new ObjectMap(FORMAT, undo, 'linked buys');
  }

  /** Returns the linked buys of a case that were not returned before, in block order. */
  take({ mintCase, clusters }: CaseReading): BundledTransaction[] {
    const { mint, trades } = mintCase;
    const linked = clusters(OWN_LINKS);
    if (linked.all.length === 0) return [];
    const buys = trades.filter(
      ({ side, isRoundTrip, isArbitrage }) => side === 'buy' && !isRoundTrip && !isArbitrage,
    );
    const cohorts = findLinkedCohorts(buys, linked, COHORT_SLOTS);
    const found = oneOfEachOwner(cohorts.flatMap(unplacedBuys));
    if (found.length === 0) return [];
    const id = this.ids.idOf(mint);
    const known = this.returned.get(id)?.keys ?? [];
    const fresh = found
      .map((each) => ({ ...each, key: this.keyOf(each.buy) }))
      .filter(({ key }) => !known.includes(key))
      .slice(0, KEYS_MAX - known.length);
    if (fresh.length === 0) return [];
    this.returned.set(id, { keys: [...known, ...fresh.map(({ key }) => key)] });
    return fresh.map((each) => ({ ...toItem(mint, each), foundSlot: mintCase.slot }));
  }

  private keyOf({ slot, txIndex, wallet }: CaseTrade): string {
    const name = `${slot} ${txIndex} ${wallet}`;
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    if (this.#keys.size >= KEYS_HELD_MAX) this.#keys.clear();
    const key = contentHash([name]).slice(0, KEY_DIGITS);
    this.#keys.set(name, key);
    return key;
  }
}

interface GroupedBuy {
  readonly buy: CaseTrade;
  /** Paid, in all pools. */
  readonly lamports: Lamports;
  readonly group: BundleGroupName;
}

/** The buys of a cohort that have no more certain level, named by the first of them. */
function unplacedBuys({ buys }: LinkedCohort): GroupedBuy[] {
  const unplaced = buys.filter(({ group }) => group === null);
  return unplaced.map((buy) => {
    const { slot, txIndex } = unplaced[0] ?? buy;
    return { buy, lamports: buy.lamports, group: { slot, txIndex } };
  });
}

/** A purchase over several pools by one transaction is one: with all that was paid. */
function oneOfEachOwner(found: readonly GroupedBuy[]): GroupedBuy[] {
  const merged = new Map<string, GroupedBuy>();
  for (const each of found) {
    const { slot, txIndex, wallet } = each.buy;
    const key = `${slot} ${txIndex} ${wallet}`;
    const known = merged.get(key);
    if (known === undefined) merged.set(key, each);
    else merged.set(key, { ...known, lamports: asLamports(known.lamports + each.lamports) });
  }
  return [...merged.values()];
}

function toItem(
  mint: Address,
  { buy, lamports, group }: GroupedBuy,
): Omit<BundledTransaction, 'foundSlot'> {
  const { slot, timeMs, txIndex, signature, wallet, side } = buy;
  const placed = { mint, slot, txIndex, signature, owner: wallet, lamports, side };
  // Linked wallets need no tip to buy together.
  return { ...placed, level: 'L3', certainty: CERTAINTY, timeMs, group, tipLamports: NO_TIP };
}

const NO_TIP = asLamports(0n);
