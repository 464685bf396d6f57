import { describe, expect, it } from 'vitest';
import { asSlot } from '../../model/units.ts';
import { openControlPlane } from './control-plane.ts';
import { metaTexts } from './meta-texts.ts';
import { ReplicaRecordTable } from './replica-record.ts';

const NOTHING = { agreed: null, contradicted: null, rebuilds: [] };
const RECORD = {
  agreed: { epoch: 2, slot: asSlot(700) },
  contradicted: { epoch: 3, slot: asSlot(800) },
  rebuilds: [{ contradictedSlot: asSlot(800), fromSlot: null }],
};

describe('the record of a replica', () => {
  it('is as last written, and empty in a new folder', () => {
    const database = openControlPlane(':memory:');
    expect(new ReplicaRecordTable(database).read()).toEqual(NOTHING);
    new ReplicaRecordTable(database).write(RECORD);
    expect(new ReplicaRecordTable(database).read()).toEqual(RECORD);
  });

  it('keeps a bounded number of rebuilds, the newest', () => {
    const table = new ReplicaRecordTable(openControlPlane(':memory:'));
    const rebuilds = Array.from({ length: 100 }, (_, at) => ({
      contradictedSlot: asSlot(at),
      fromSlot: asSlot(0),
    }));
    table.write({ ...RECORD, rebuilds });
    expect(table.read().rebuilds).toEqual(rebuilds.slice(36));
  });

  it.each(['', '{', '[]', '{"agreed":{"epoch":1,"slot":-4},"contradicted":null,"rebuilds":[]}'])(
    'is empty where it is damaged: %s',
    (text) => {
      const database = openControlPlane(':memory:');
      metaTexts(database).write('replica_record', text);
      expect(new ReplicaRecordTable(database).read()).toEqual(NOTHING);
    },
  );
});
