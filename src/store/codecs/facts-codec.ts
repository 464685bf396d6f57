import { type Codec, type Json, textFormat } from '../../model/codec.ts';
import { SLOT_FACTS, type SlotFacts } from '../../model/slot-facts.ts';

/** Slots without what was added later are encoded byte for byte as before. */
const slotFacts: Codec<SlotFacts> = {
  encode(facts, strings) {
    const values = SLOT_FACTS.encode(facts, strings) as Json[];
    const added = [facts.exactBundles, facts.refusedFindings, facts.ruleChanges];
    const present = added.findLastIndex((value) => value !== undefined) + 1;
    return values.slice(0, values.length - added.length + present);
  },
  decode: SLOT_FACTS.decode,
};

const format = textFormat('slot-facts/1', slotFacts);

/** Encodes a decoded slot as compact text, without loss. */
export function encodeSlotFacts(facts: SlotFacts): string {
  return receivedTexts.get(facts) ?? format.encode(facts);
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
  return format.decode(stored);
}
