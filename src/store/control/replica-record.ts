import type { DatabaseSync } from 'node:sqlite';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { SLOT_MAX, type Slot } from '../../model/units.ts';
import type { NamedValues } from '../sqlite/named-values.ts';
import type { FoldedSlotName } from './fold-layers.ts';
import { metaTexts } from './meta-texts.ts';

/** What a replica remembers of its comparisons with others. */
export interface ReplicaRecord {
  /** The last state that a majority had too; null: none. */
  readonly agreed: FoldedSlotName | null;
  /** The state that a majority contradicted, until a later one is agreed on; null: none. */
  readonly contradicted: FoldedSlotName | null;
  /** States that were computed again therefore, oldest first. */
  readonly rebuilds: readonly {
    readonly contradictedSlot: Slot;
    readonly fromSlot: Slot | null;
  }[];
}

const NAME = 'replica_record';
const NOTHING: ReplicaRecord = { agreed: null, contradicted: null, rebuilds: [] };
const REBUILDS_MAX = 64;

const slot = Type.Integer({ minimum: 0, maximum: SLOT_MAX });
const state = Type.Union([Type.Null(), Type.Object({ epoch: Type.Integer(), slot })]);
const check = Compile(
  Type.Object({
    agreed: state,
    contradicted: state,
    rebuilds: Type.Array(
      Type.Object({ contradictedSlot: slot, fromSlot: Type.Union([slot, Type.Null()]) }),
      { maxItems: REBUILDS_MAX },
    ),
  }),
);

/** The record of a replica in its data folder. */
export class ReplicaRecordTable {
  private readonly meta: NamedValues<string>;

  constructor(database: DatabaseSync) {
    this.meta = metaTexts(database);
  }

  /** Nothing is remembered by a new folder, and by one whose record is damaged. */
  read(): ReplicaRecord {
    const text = this.meta.read(NAME);
    const value = text === null ? null : parsed(text);
    return check.Check(value) ? (value as unknown as ReplicaRecord) : NOTHING;
  }

  /** Durable when it returns. */
  write(record: ReplicaRecord): void {
    const rebuilds = record.rebuilds.slice(-REBUILDS_MAX);
    this.meta.write(NAME, JSON.stringify({ ...record, rebuilds }));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
