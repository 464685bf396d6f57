import type { SourceProblem } from '../../model/errors.ts';
import { asSlot, type Slot } from '../../model/units.ts';
import type { FoundRecord } from './find-records.ts';
import type { InputFile } from './input-files.ts';
import { problemIn } from './read-record.ts';
import { slotOfRecord } from './record-slot.ts';
import { fileNameOf, type LoadedUnit, type RecordUnit, sizeOfUnit } from './record-unit.ts';

/** The location of one record of a slot. */
export interface SlotEntry {
  readonly slot: Slot;
  readonly unit: RecordUnit;
  /** Position among the records of the document; null for a file known only by its name. */
  readonly ordinal: number | null;
  /** Kind of the record; null for a file known only by its name. */
  readonly recordKind: FoundRecord['kind'] | null;
}

/** The result of the first pass, entries in the order of files and of records in them. */
export class SlotIndex {
  readonly problems: SourceProblem[] = [];
  /** Total size of the documents with entries. */
  bytesTotal = 0;
  private readonly entries: SlotEntry[] = [];
  private readonly pending = new Map<RecordUnit, number>();

  /** Adds a file whose name gives its slot, without opening it. */
  addNamed(file: InputFile, slot: number): void {
    this.add({ slot: asSlot(slot), unit: { file, line: null }, ordinal: null, recordKind: null });
  }

  /** Adds the records of a document, or the problem found instead. */
  addUnit(unit: RecordUnit, loaded: LoadedUnit): void {
    if (loaded.status === 'fault') {
      this.problems.push(loaded.problem);
      return;
    }
    loaded.records.forEach((record, ordinal) => {
      const slot = slotOfRecord(record, fileNameOf(unit));
      if (slot !== null) this.add({ slot, unit, ordinal, recordKind: record.kind });
      else {
        const message = `the ${record.kind} has no slot, so it cannot be ordered`;
        this.problems.push(problemIn(unit, record, { code: 'no-slot', position: null, message }));
      }
    });
  }

  private add(entry: SlotEntry): void {
    const { unit } = entry;
    this.entries.push(entry);
    const pending = this.pending.get(unit) ?? 0;
    if (pending === 0) this.bytesTotal += sizeOfUnit(unit);
    this.pending.set(unit, pending + 1);
  }

  /** Entries by slot; within a slot in the order they were found. */
  *slots(): Generator<{ readonly slot: Slot; readonly entries: readonly SlotEntry[] }> {
    const ordered = this.entries.toSorted((one, other) => one.slot - other.slot);
    for (let start = 0; start < ordered.length; ) {
      const { slot } = ordered[start] as SlotEntry;
      let end = start + 1;
      while (ordered[end]?.slot === slot) end++;
      yield { slot, entries: ordered.slice(start, end) };
      start = end;
    }
  }

  /** True when the document seems to be one block and nothing else; reading it verifies this. */
  isBlockAlone({ unit, ordinal, recordKind }: SlotEntry): boolean {
    const isFirst = ordinal === null || ordinal === 0;
    return isFirst && recordKind !== 'transaction' && this.pending.get(unit) === 1;
  }

  /** Marks an entry as done; returns true when its document is done too. */
  finish({ unit }: SlotEntry): boolean {
    const left = (this.pending.get(unit) ?? 1) - 1;
    this.pending.set(unit, left);
    return left === 0;
  }
}
