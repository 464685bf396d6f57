import { DueQueue } from '../../src/fold/positions/due-queue.ts';
import { Episodes } from '../../src/fold/positions/episodes.ts';
import { PositionBook } from '../../src/fold/positions/position-book.ts';
import { POSITION_LAYOUT } from '../../src/fold/positions/position-row.ts';
import { AddressIds } from '../../src/lib/address-ids.ts';
import type { GraphRecord, GraphTypes } from '../../src/lib/graph-types.ts';
import { PairIndex } from '../../src/lib/pair-index.ts';
import { layoutRecord } from '../../src/lib/row-layout.ts';
import { RowTable } from '../../src/lib/row-table.ts';
import type { UndoLog } from '../../src/lib/undo-log.ts';
import { WordList } from '../../src/lib/word-list.ts';
import type { Address } from '../../src/model/units.ts';

/** The types of a book of positions, as snapshots write them. */
export function positionTypes(undo: UndoLog): GraphTypes {
  const kept = ['undo'];
  const newRows = () => new RowTable(POSITION_LAYOUT, undo);
  const newIds = () => new AddressIds<Address>(undo);
  return {
    classes: [
      { name: 'AddressIds', create: newIds, kept },
      { name: 'RowTable', create: newRows, kept },
      { name: 'PairIndex', create: () => new PairIndex(undo), kept },
      { name: 'WordList', create: () => new WordList(undo), kept },
      { name: 'PositionBook', create: () => new PositionBook(newIds(), undo), kept },
      { name: 'Episodes', create: () => new Episodes(newRows(), newIds(), undo), kept },
      { name: 'DueQueue', create: () => new DueQueue(newRows(), undo), kept },
    ],
    records: [
      layoutRecord('positions', POSITION_LAYOUT),
      record('extent of rows', 'size', 'end', 'free'),
      record('pairs', 'pages', 'cells', 'size'),
      record('latest time', 'latestMs'),
      record('day of stale positions', 'day', 'first', 'last'),
      record(
        'closed episode',
        ...['wallet', 'mint', 'costUsd', 'proceedsUsd', 'markUsd', 'boughtRaw', 'transferredRaw'],
        ...['startMs', 'closedMs', 'isForced', 'isLaunchSlotBuy', 'isCreator'],
      ),
    ],
    externals: [undo],
  };
}

function record(name: string, ...fields: readonly string[]): GraphRecord {
  return { name, fields: Object.fromEntries(fields.map((field) => [field, 'always'] as const)) };
}
