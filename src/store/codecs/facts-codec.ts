import type {
  AccountObservation,
  MetadataObserved,
  MintObserved,
} from '../../model/account-observation.ts';
import type { ExactBundle } from '../../model/bundle-oracle.ts';
import type {
  DecodeProblem,
  SlotFacts,
  Tip,
  TokenBalanceChange,
  TransactionFacts,
} from '../../model/slot-facts.ts';
import {
  address,
  amount,
  lamports,
  maybeAddress,
  metadata,
  signature,
} from './chain-value-codec.ts';
import {
  added,
  type Codec,
  decodeText,
  encodeText,
  integer,
  interned,
  type Json,
  list,
  nullable,
  optional,
  plain,
  record,
  unionByKind,
} from './codec.ts';
import { event } from './event-codec.ts';
import { extension } from './mint-extension-codec.ts';

/**
 * Layout 1 of the log's slots. Values are positional: a field may be appended to its record, with a
 * default for records without it. To remove or reorder fields, give the layout a new name and keep
 * this one for reading old records.
 */
const FORMAT = 'slot-facts/1';

/** Encodes a decoded slot as compact text, without loss. */
export function encodeSlotFacts(facts: SlotFacts): string {
  return receivedTexts.get(facts) ?? encodeText(FORMAT, slotFacts, facts);
}

/** The texts of slots that were received encoded, to store them without encoding them again. */
const receivedTexts = new WeakMap<SlotFacts, string>();

/** Decodes a slot that another thread encoded, and keeps its text. Throws StoreError. */
export function receiveSlotFacts(encoded: string): SlotFacts {
  const facts = decodeSlotFacts(encoded);
  receivedTexts.set(facts, encoded);
  return facts;
}

/** Reads what encodeSlotFacts wrote. Throws StoreError for any other text. */
export function decodeSlotFacts(stored: string): SlotFacts {
  return decodeText(FORMAT, slotFacts, stored);
}

const transaction = record<TransactionFacts>({
  signature,
  txIndex: plain(),
  isIndexKnown: plain(),
  feePayer: address,
  signers: list(address),
  error: plain(),
  feeLamports: lamports,
  computeUnitLimit: plain(),
  computeUnitPriceMicroLamports: nullable(integer()),
  computeUnitsUsed: plain(),
  tips: list(record<Tip>({ lamports, to: address, provider: plain() })),
  programIds: list(address),
  usesLookupTables: plain(),
  tokenBalances: list(
    record<TokenBalanceChange>({
      account: address,
      owner: maybeAddress,
      mint: address,
      decimals: plain(),
      before: amount,
      after: amount,
    }),
  ),
  events: list(event),
  priorityFeeLamports: optional(lamports),
  terminal: added(nullable(interned()), null),
});

const observation = unionByKind<AccountObservation>({
  mintObserved: record<Omit<MintObserved, 'kind'>>({
    contextSlot: plain(),
    mint: address,
    tokenProgram: address,
    decimals: plain(),
    supplyRaw: amount,
    mintAuthority: maybeAddress,
    freezeAuthority: maybeAddress,
    extensions: list(extension),
  }),
  metadataObserved: record<Omit<MetadataObserved, 'kind'>>({ contextSlot: plain(), ...metadata }),
});

const slotRecord = record<SlotFacts>({
  slot: plain(),
  parentSlot: plain(),
  blockhash: plain(),
  previousBlockhash: plain(),
  blockTimeMs: plain(),
  isWhole: plain(),
  decoderVersion: plain(),
  voteCount: plain(),
  transactions: list(transaction),
  outcomes: plain(),
  poolMovingCount: plain(),
  explainedCount: plain(),
  problems: list(
    record<DecodeProblem>({
      signature,
      outerIx: plain(),
      innerIx: plain(),
      program: plain(),
      problem: plain(),
      reason: plain(),
    }),
  ),
  observations: optional(list(observation)),
  exactBundles: optional(list(record<ExactBundle>({ signatures: list(signature) }))),
});

/** Slots without exact bundles are encoded byte for byte as before bundles were added. */
const slotFacts: Codec<SlotFacts> = {
  encode(facts, strings) {
    const values = slotRecord.encode(facts, strings) as Json[];
    return facts.exactBundles === undefined ? values.slice(0, -1) : values;
  },
  decode: slotRecord.decode,
};
