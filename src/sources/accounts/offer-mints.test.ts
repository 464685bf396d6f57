import { expect, test } from 'vitest';
import { metadataSet, slotFacts, transactionFacts } from '../../../tests/support/build-facts.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { mintBytes, splAccount } from '../../../tests/support/mint-accounts.ts';
import { attachObservations } from '../../engine/attach-observations.ts';
import { Engine } from '../../engine/engine.ts';
import type { Slot } from '../../model/units.ts';
import { offerMints } from './offer-mints.ts';
import { readMint } from './read-mint.ts';

const [one, two, three] = [address('one'), address('two'), address('three')];

/** What a reading of slot `contextSlot` shows. */
function observed(mint: typeof one, contextSlot: number) {
  const reading = readMint(mint, splAccount(mintBytes({ supplyRaw: 5n })), contextSlot as Slot);
  if (reading.status === 'refused') throw new Error(reading.reason);
  return reading.mint;
}

test('mints without a supply are wanted, those whose reading came too early anew, others not', () => {
  const events = [one, two, three].map((mint, outerIx) => ({ ...metadataSet({ mint }), outerIx }));
  const decoded = slotFacts(9, 9_000, [transactionFacts({ txIndex: 0, events })]);
  // The token is met in slot 9: what slot 8 left of it says nothing of mints and burns in between.
  const facts = attachObservations(decoded, [observed(one, 9), observed(two, 8)]);
  const wanted: string[] = [];
  offerMints(
    {
      offer: (mint, slot) => wanted.push(`${mint} since ${slot}`),
      offerAgain: (mint, slot) => wanted.push(`${mint} anew since ${slot}`),
    },
    facts,
    new Engine({ fallbackSolUsd: null }).apply(facts),
  );
  expect(wanted).toEqual([`${two} anew since 9`, `${three} since 9`]);
});
