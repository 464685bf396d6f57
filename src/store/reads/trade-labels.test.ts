import { beforeAll, describe, expect, test } from 'vitest';
import { buildClassification } from '../../../tests/support/build-classification.ts';
import { buildBundle, buildChanges } from '../../../tests/support/build-records.ts';
import { address } from '../../../tests/support/build-transaction.ts';
import { transports, useDataPlane } from '../../../tests/support/data-planes.ts';
import { asSlot } from '../../model/units.ts';
import { StoredTradeLabels } from './trade-labels.ts';

describe.each(transports)('stored labels of trades %s', (_, open) => {
  const opened = useDataPlane(open);
  const [mint, other] = [address('labelled mint'), address('other labelled mint')];
  const owner = address('labelled owner');
  const finding = (id: string, slot: number, given: object) =>
    buildClassification({ id, slot: asSlot(slot), finding: { mint, ...given } });

  beforeAll(async () => {
    await opened.writer.writeBatch({
      slots: [],
      changes: [
        buildChanges(9, {
          bundles: [
            buildBundle(mint, '', { owner, slot: asSlot(5), txIndex: 2, foundSlot: asSlot(9) }),
            buildBundle(mint, '', { owner, slot: asSlot(6) }),
            buildBundle(other, '', { owner, slot: asSlot(5) }),
          ],
          classifications: [
            finding('first', 4, { fraudType: 'wash_volume', confidence: 0.6 }),
            finding('first', 8, { fraudType: 'wash_volume', confidence: 0.7 }),
            finding('second', 4, { fraudType: 'fake_dump' }),
            finding('third', 4, { fraudType: 'wash_volume', mint: other }),
          ],
        }),
      ],
      epoch: 1,
    });
  });

  const labels = () => new StoredTradeLabels(opened.plane.fast, { epoch: 1 });

  test('are bundles of these mints and slots, also those found later', async () => {
    const bundled = await labels().bundled({ mints: [mint], slots: [asSlot(5), asSlot(7)] });
    expect(bundled).toEqual([{ mint, slot: 5, txIndex: 2, owner }]);
    const both = await labels().bundled({ mints: [mint, other], slots: [asSlot(5), asSlot(6)] });
    expect(both).toHaveLength(3);
  });

  test('are the newest versions of findings of wash trading', async () => {
    const found = await labels().washFindings([mint]);
    expect(found.map(({ id, slot, finding: { confidence } }) => [id, slot, confidence])).toEqual([
      ['first', 8, 0.7],
    ]);
    expect(await labels().washFindings([mint, other])).toHaveLength(2);
    expect(await labels().washFindings([owner])).toEqual([]);
  });
});
