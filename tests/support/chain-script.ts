import fc from 'fast-check';
import type { SourceItem } from '../../src/chain/source.ts';
import { DECODER_VERSION } from '../../src/decoders/registry.ts';
import type { SlotFacts } from '../../src/model/slot-facts.ts';
import type { SlotState } from '../../src/model/slot-range.ts';
import type { Signature, Slot } from '../../src/model/units.ts';
import { arbitrarySlots } from './arbitrary-slots.ts';

/** One event on a followed chain. */
export type ChainOp =
  | { readonly op: 'block'; readonly skipped: number; readonly lost: number }
  | { readonly op: 'undo'; readonly depth: number }
  | { readonly op: 'final'; readonly lag: number }
  | { readonly op: 'late'; readonly choice: number };

/** A slot of the branch, and whether its block was delivered. */
interface BranchSlot {
  readonly facts: SlotFacts;
  isDelivered: boolean;
}

/** The items of a followed source, and the expected results as plain lists. */
export interface ChainScript {
  readonly items: readonly SourceItem[];
  /** Delivered blocks of the canonical branch, up to the last final slot, in slot order. */
  readonly final: readonly SlotFacts[];
  /** All delivered blocks of the canonical branch. */
  readonly branch: readonly SlotFacts[];
  /** Expected state of each slot from the first block to the last final one. */
  readonly states: ReadonlyMap<number, SlotState>;
}

const FIRST_SLOT = 1_000;

const op: fc.Arbitrary<ChainOp> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      op: fc.constant('block' as const),
      skipped: fc.constantFrom(0, 0, 0, 1, 2),
      lost: fc.constantFrom(0, 0, 0, 0, 1, 2),
    }),
  },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('undo' as const), depth: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('final' as const), lag: fc.nat(9) }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('late' as const), choice: fc.nat(9) }) },
);

/** Scripts of any interleaving of blocks, forks, finality, and missing or late slots. */
export const chainScripts: fc.Arbitrary<ChainScript> = fc
  .record({
    ops: fc.array(op, { minLength: 10, maxLength: 60, size: 'max' }),
    content: arbitrarySlots({ minLength: 5, maxLength: 12 }),
  })
  .map(({ ops, content }) => new ScriptWriter(content).write(ops));

/** The script of fixed ops, with the content of a market that trades in every slot. */
export function scriptOf(ops: readonly ChainOp[], content: readonly SlotFacts[]): ChainScript {
  return new ScriptWriter(content).write(ops);
}

/** Simulates the chain: keeps the branch as a list, and emits the items of a source. */
class ScriptWriter {
  private readonly content: readonly SlotFacts[];
  private readonly items: SourceItem[] = [];
  private branch: BranchSlot[] = [];
  private finalSlot = -1;
  private made = 0;
  private next = FIRST_SLOT;

  constructor(content: readonly SlotFacts[]) {
    this.content = content;
  }

  write(ops: readonly ChainOp[]): ChainScript {
    for (const given of ops) {
      if (given.op === 'block') this.block(given.skipped, given.lost);
      else if (given.op === 'undo') this.undo(given.depth);
      else if (given.op === 'final') this.final(given.lag);
      else this.late(given.choice);
    }
    const given = this.branch.filter(({ isDelivered }) => isDelivered).map(({ facts }) => facts);
    return {
      items: this.items,
      branch: given,
      final: given.filter(({ slot }) => slot <= this.finalSlot),
      states: this.states(),
    };
  }

  private block(skipped: number, lost: number): void {
    const missing: BranchSlot[] = [];
    for (let count = 0; count < lost; count++) {
      if (count > 0) this.next += skipped;
      missing.push(this.grow(false));
    }
    const [first, last] = [missing[0]?.facts.slot, missing.at(-1)?.facts.slot];
    this.next += skipped;
    const { facts } = this.grow(true);
    if (first !== undefined && last !== undefined) {
      this.items.push({ kind: 'missing', from: first, to: last, reason: 'no provider has them' });
    }
    this.items.push({ kind: 'facts', facts });
  }

  private grow(isDelivered: boolean): BranchSlot {
    const parent = this.branch.at(-1)?.facts;
    const slot = this.next as Slot;
    const number = this.made++;
    const content = this.content[number % this.content.length];
    if (content === undefined) throw new Error('a script needs content');
    const facts: SlotFacts = {
      ...content,
      slot,
      parentSlot: parent?.slot ?? ((slot - 1) as Slot),
      blockhash: `hash ${number}`,
      previousBlockhash: parent?.blockhash ?? 'before all',
      isWhole: true,
      decoderVersion: DECODER_VERSION,
      transactions: content.transactions.map((transaction) => ({
        ...transaction,
        signature: `${transaction.signature} ${number}` as Signature,
      })),
      observations: (content.observations ?? []).map((observation) => ({
        ...observation,
        contextSlot: (observation.contextSlot - content.slot + slot) as Slot,
      })),
    };
    const grown = { facts, isDelivered };
    this.branch.push(grown);
    this.next++;
    return grown;
  }

  private undo(depth: number): void {
    const targets = this.branch.filter(
      ({ facts, isDelivered }) => isDelivered && facts.slot >= this.finalSlot,
    );
    const target = targets.at(-1 - depth);
    if (target === undefined || target === targets.at(-1)) return;
    const { slot, blockhash } = target.facts;
    this.branch = this.branch.filter(({ facts }) => facts.slot <= slot);
    this.next = slot + 1;
    this.items.push({ kind: 'undo', toSlot: slot, toBlockhash: String(blockhash) });
  }

  private final(lag: number): void {
    const given = this.branch.filter(({ isDelivered }) => isDelivered);
    const slot = given.at(-1 - lag)?.facts.slot;
    if (slot === undefined || slot <= this.finalSlot) return;
    this.finalSlot = slot;
    this.items.push({ kind: 'final', slot });
  }

  private late(choice: number): void {
    const lost = this.branch.filter(({ isDelivered }) => !isDelivered);
    const chosen = lost[choice % Math.max(lost.length, 1)];
    if (chosen === undefined) return;
    chosen.isDelivered = true;
    this.items.push({ kind: 'facts', facts: chosen.facts });
  }

  private states(): Map<number, SlotState> {
    const states = new Map<number, SlotState>();
    const first = this.branch.find(({ isDelivered }) => isDelivered)?.facts.slot ?? 0;
    for (let slot = first as number; slot <= this.finalSlot; slot++) {
      const found = this.branch.find(({ facts }) => facts.slot === slot);
      // A slot without a block is proven to be empty by the next block, once that is delivered.
      const proof = this.branch.find(({ facts }) => facts.slot >= slot);
      if (proof?.isDelivered !== true) states.set(slot, 'missing');
      else states.set(slot, found === undefined ? 'skipped' : 'held');
    }
    return states;
  }
}
